import { describe, expect, it, test } from 'vitest'
import { type Finding, pauseMs, stateAfter, verdictOf } from './link-outcome.ts'

const answer = (status: number): Finding => ({ reason: 'http', status, isAnswered: true })
const silence = (reason: Finding['reason']): Finding => ({ reason, status: null, isAnswered: false })
const hourMs = 3_600_000
const dayMs = 24 * hourMs

test.each([
  [200, 'works'],
  [204, 'works'],
  [206, 'works'],
  [300, 'unclear'],
  [400, 'unclear'],
  [401, 'unclear'],
  [403, 'unclear'],
  [404, 'gone'],
  [405, 'unclear'],
  [410, 'gone'],
  [416, 'unclear'],
  [429, 'later'],
  [451, 'gone'],
  [500, 'fails'],
  [503, 'fails'],
] as const)('status %i: %s', (status, verdict) => expect(verdictOf(answer(status))).toBe(verdict))

test.each([
  ['timeout', 'fails'],
  ['dns', 'fails'],
  ['no_such_host', 'fails'],
  ['refused', 'fails'],
  ['unreachable', 'fails'],
  ['reset', 'fails'],
  ['tls', 'fails'],
  ['protocol', 'fails'],
  ['redirects', 'fails'],
  ['redirect_invalid', 'gone'],
  ['private_address', 'gone'],
  ['port', 'unclear'],
] as const)('%s: %s', (reason, verdict) => expect(verdictOf(silence(reason))).toBe(verdict))

describe('stateAfter', () => {
  const unknown = { state: 'unknown', failures: 0 } as const
  const ok = { state: 'ok', failures: 0 } as const
  const dead = { state: 'dead', failures: 2 } as const

  it.each([
    [
      'one failure makes suspect, and what is gone is looked at again within the hour',
      ok,
      answer(404),
      'suspect',
      1,
      hourMs,
    ],
    ['what may pass is given six hours', ok, answer(502), 'suspect', 1, 6 * hourMs],
    [
      'two in a row make dead, whatever they are',
      { state: 'suspect', failures: 1 },
      silence('timeout'),
      'dead',
      2,
      dayMs,
    ],
    ['the dead are looked at daily for a week', { state: 'dead', failures: 7 }, answer(404), 'dead', 8, dayMs],
    ['and weekly then', { state: 'dead', failures: 8 }, answer(404), 'dead', 9, 7 * dayMs],
    ['whatever works is ok, also after death', dead, answer(206), 'ok', 0, 7 * dayMs],
    [
      'a refusal is no failure, and breaks a row of them',
      { state: 'suspect', failures: 1 },
      answer(403),
      'unknown',
      0,
      2 * dayMs,
    ],
    ['a host that asks for patience changes nothing', dead, answer(429), 'dead', 2, hourMs],
    ['and says nothing of what was never checked', unknown, answer(429), 'unknown', 0, hourMs],
  ] as const)('%s', (_rule, before, finding, state, failures, ms) => {
    expect(stateAfter(before, finding, 1_000)).toEqual({ state, failures, nextCheckAt: 1_000 + ms })
  })

  it('does not come back sooner than it was asked to, nor later than a day for that', () => {
    expect(stateAfter(ok, { ...answer(429), retryAfterSeconds: 7_200 }, 0).nextCheckAt).toBe(2 * hourMs)
    expect(stateAfter(ok, { ...answer(503), retryAfterSeconds: 10 * 3_600 }, 0).nextCheckAt).toBe(10 * hourMs)
    expect(stateAfter(ok, { ...answer(503), retryAfterSeconds: 1e9 }, 0).nextCheckAt).toBe(dayMs)
  })
})

test('a pause that a host asks for lasts a minute at least and a day at most', () => {
  expect([undefined, 1, 3_600, 1e9].map(pauseMs)).toEqual([60_000, 60_000, hourMs, dayMs])
})
