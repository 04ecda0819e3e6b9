import { addDays } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import { firstDayOf } from './instant-in-address.ts'

/** The first instant behind a year, month or day as `isAt` takes it, in milliseconds since 1970. */
export function endOfAt(at: string, timeZone: string): number {
  const first = firstDayOf(at)
  // 31 days behind the first of a month is the next, and 366 behind the first of a year.
  const inNext = addDays(first, at.length === 4 ? 366 : at.length === 7 ? 31 : 1)
  return startOfDay(firstDayOf(inNext.slice(0, at.length)), timeZone)
}
