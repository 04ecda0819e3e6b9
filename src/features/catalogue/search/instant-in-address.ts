import { addDays, isDay, startOfDay } from '../../../platform/time/site-time.ts'

/** Whether a text names a year, a month or a day as `at` does: `2006`, `2006-05` or `2006-05-17`. Browser-safe. */
export function isAt(text: string): boolean {
  return /^\d{4}(?:-\d\d){0,2}$/.test(text) && isDay(firstDayOf(text))
}

/** The first instant behind such a year, month or day, in milliseconds since 1970. */
export function endOfAt(at: string, timeZone: string): number {
  const first = firstDayOf(at)
  // 31 days behind the first of a month is the next, and 366 behind the first of a year.
  const inNext = addDays(first, at.length === 4 ? 366 : at.length === 7 ? 31 : 1)
  return startOfDay(firstDayOf(inNext.slice(0, at.length)), timeZone)
}

function firstDayOf(at: string): string {
  return `${at}-01-01`.slice(0, 10)
}
