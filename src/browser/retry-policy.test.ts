import { expect, test } from 'vitest'
import { ApiError } from './api-client.ts'
import { retryDelay, shouldRetry } from './retry-policy.ts'

const refused = (status: number, retryAfterMs?: number) =>
  new ApiError('refused', {
    reply: { ok: false, status, data: undefined, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  })

test('a request that the network has lost is repeated twice, after growing pauses', () => {
  const lost = new ApiError('network')
  expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, lost))).toEqual([true, true, false, false])
  expect([0, 1].map((failures) => retryDelay(failures, lost))).toEqual([500, 1_500])
})

test('a server that is away for a moment is asked again when it says', () => {
  expect(shouldRetry(0, refused(503, 2_000))).toBe(true)
  expect(retryDelay(0, refused(503, 2_000))).toBe(2_000)
})

test.each([
  ['a server that says no time', refused(503)],
  ['a server that is away for long', refused(503, 60_000)],
  ['a limit', refused(429, 1_000)],
  ['a refusal', refused(403)],
  ['a defect of the server', refused(500)],
  ['a request that hung', new ApiError('timeout')],
  ['an answer of another shape', new ApiError('unreadable')],
  ['a defect of the page', new TypeError('x is not a function')],
])('%s is not asked again', (_name, error) => expect(shouldRetry(0, error)).toBe(false))
