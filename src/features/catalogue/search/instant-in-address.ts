import { isDay } from '../../../platform/time/site-time.ts'

/** Whether a text names a year, a month or a day as `at` does: `2006`, `2006-05` or `2006-05-17`. Browser-safe. */
export function isAt(text: string): boolean {
  return /^\d{4}(?:-\d\d){0,2}$/.test(text) && isDay(firstDayOf(text))
}

export function firstDayOf(at: string): string {
  return `${at}-01-01`.slice(0, 10)
}
