import { dayOf, offsetAt } from './site-time.ts'

/* Apart from what the lists of visitors need of the time. */

/**
 * The first instant of a day. If the clocks skip midnight, the day begins at the end of the gap.
 * @throws {RangeError} when `day` is not a calendar day
 */
export function startOfDay(day: string, timeZone: string): number {
  const wall = Date.parse(`${day}T00:00:00.000Z`)
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== day) {
    throw new RangeError(`${day} is not a calendar day`)
  }
  // The offset depends on the instant that is sought: two guesses settle it on either side of a change of clocks.
  const first = wall - offsetAt(wall, timeZone)
  const second = wall - offsetAt(first, timeZone)
  const candidates = [first, second].filter((instant) => dayOf(instant, timeZone) === day)
  return candidates.length === 0 ? Math.max(first, second) : Math.min(...candidates)
}

/**
 * The first instant of an hour of a day, by the clock of a zone. Where the clocks skip it, as if they stood; where
 * they show it twice, the first time.
 * @param hour 0 to 23
 */
export function startOfHour(day: string, hour: number, timeZone: string): number {
  const wall = Date.parse(`${day}T00:00:00.000Z`) + hour * 3_600_000
  // The offset depends on the instant that is sought: those of a day before and after are all that come into question.
  const candidates = [wall - 86_400_000, wall + 86_400_000].map((near) => wall - offsetAt(near, timeZone))
  const right = candidates.filter((instant) => instant + offsetAt(instant, timeZone) === wall)
  return right.length === 0 ? Math.max(...candidates) : Math.min(...right)
}
