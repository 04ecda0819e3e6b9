import { expect, test } from 'vitest'
import type { TestResponse } from './harness/request.ts'
import { holdAnswer } from './harness/hold-answer.ts'

function answered(status: number, body?: object): TestResponse {
  const text = body === undefined ? '' : JSON.stringify(body)
  return { status, headers: {}, bytes: Buffer.from(text), text, json: () => JSON.parse(text) as unknown }
}

const hold = (method: string, path: string, answer: TestResponse) => (): void =>
  holdAnswer(method, `http://127.0.0.1:80${path}`, answer)

const refusal = (code: string) => ({ error: 'No.', message: 'No.', code })

test('an answer as its route declares it is let pass', () => {
  hold('GET', '/auth/status', answered(200, { isAdmin: false, isVip: true, needsSecondFactor: false }))()
  hold('POST', '/auth/logout', answered(204))()
  hold('POST', '/auth/login', answered(401, refusal('sign_in.failed')))()
  hold('GET', '/auth/status', answered(503, { ...refusal('database.unavailable'), outcome: 'unknown' }))()
  // A path without a route has no schema.
  hold('GET', '/plans', answered(200))()
})

test.each([
  [
    'a member is missing',
    '/auth/status',
    answered(200, { isAdmin: false, needsSecondFactor: false }),
    'does not fit its schema',
  ],
  [
    'a member has another type',
    '/auth/status',
    answered(200, { isAdmin: 1, isVip: true, needsSecondFactor: false }),
    'does not fit its schema',
  ],
  [
    'a member is not declared',
    '/auth/status',
    answered(200, { isAdmin: false, isVip: true, needsSecondFactor: false, id: '7' }),
    'not declare',
  ],
  [
    'the status is not declared',
    '/auth/status',
    answered(201, { isAdmin: false, isVip: true, needsSecondFactor: false }),
    'this status',
  ],
  ['the error is not declared', '/auth/status', answered(404, refusal('item.not_found')), 'item.not_found'],
  ['the error has another status', '/auth/status', answered(403, refusal('session.missing')), 'another status'],
  ['an error has no code', '/auth/status', answered(500, { message: 'No.' }), 'shape of errors'],
  ['encoded data is no item', '/asiancontent/a', answered(200, { data: 'e3D0=' }), 'does not fit its schema'],
])('it is refused where %s', (_, path, answer, reason) => {
  expect(hold('GET', path, answer)).toThrow(reason)
})

test('a body where none is declared is refused', () => {
  expect(hold('POST', '/auth/logout', answered(204, {}))).toThrow('declares no body')
})
