import { expect, test } from 'vitest'
import { isOfClock, lastDue, nameOfBackup } from './last-due.ts'

const due = (at: string, now: string, timeZone: string): string | undefined => {
  const found = lastDue(at, Date.parse(now), timeZone)
  return found === undefined ? undefined : new Date(found).toISOString()
}

test.each([
  ['03:00', '2026-03-05T03:00:00Z', 'UTC', '2026-03-05T03:00:00.000Z'],
  ['03:00', '2026-03-05T02:59:59Z', 'UTC', '2026-03-04T03:00:00.000Z'],
  ['03:00', '2026-07-05T12:00:00Z', 'Europe/Lisbon', '2026-07-05T02:00:00.000Z'],
  // The night in which the clocks go forward, and the one in which they go back.
  ['03:00', '2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['04:00', '2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-29T02:00:00.000Z'],
  ['04:00', '2026-10-25T12:00:00Z', 'Europe/Berlin', '2026-10-25T03:00:00.000Z'],
  ['off', '2026-10-25T12:00:00Z', 'UTC', undefined],
])('a backup at %s was last due, at %s in %s, at %s', (at, now, timeZone, expected) => {
  expect(due(at, now, timeZone)).toBe(expected)
})

test('a name tells the time of the site, and who has made it', () => {
  const name = nameOfBackup(Date.parse('2026-07-05T02:00:07Z'), 'Europe/Lisbon')
  expect(name).toBe('daybook-20260705-030007.backup')
  expect(isOfClock(name)).toBe(true)
  expect(isOfClock(nameOfBackup(0, 'UTC', '-before-0.2.0'))).toBe(false)
})
