import { addDays, dayOf } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'

/** Days on which offices are open, by the site's time zone and its public holidays (docs/spec/notices.md#business-days). */

export interface BusinessCalendar {
  /** IANA name. */
  timeZone: string
  /** Whether a day, `YYYY-MM-DD`, is a public holiday. */
  isHoliday: (day: string) => boolean
}

/** Whether offices are open on a day, `YYYY-MM-DD`: Monday to Friday, and no public holiday. */
export function isBusinessDay(day: string, { isHoliday }: Pick<BusinessCalendar, 'isHoliday'>): boolean {
  const weekday = new Date(`${day}T00:00:00.000Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isHoliday(day)
}

/**
 * When the last of so many business days is over. The day on which something happens does not count, so a deadline of one business
 * day ends at the end of the next one.
 * @param from milliseconds since 1970
 * @returns the first instant after that day, in milliseconds since 1970
 */
export function endOfBusinessDay(from: number, count: number, calendar: BusinessCalendar): number {
  return startOfDay(addDays(lastDay(from, count, calendar), 1), calendar.timeZone)
}

/** Every calendar has business days in a year; a longer search is a mistake in it. */
const longestPause = 366

function lastDay(from: number, count: number, calendar: BusinessCalendar): string {
  let day = dayOf(from, calendar.timeZone)
  let pause = 0
  for (let left = count; left > 0;) {
    day = addDays(day, 1)
    const isOpen = isBusinessDay(day, calendar)
    if (isOpen) left -= 1
    pause = isOpen ? 0 : pause + 1
    if (pause > longestPause) throw new Error('The calendar has no business days.')
  }
  return day
}
