import { addDays } from '../../../platform/time/site-time.ts'

/** Months as `2026-12`. Browser-safe. */

/** Whether a text is a month that may be asked for, from 1000-01 to 9998-11. */
export function isMonth(text: string): boolean {
  return /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/.test(text) && text < '9998-12'
}

/** The month that lies so many after another; before it, when negative. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, ofYear = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, ofYear - 1 + months, 1)).toISOString().slice(0, 7)
}

/** The days of a month in weeks that begin on Sunday; null where a day is another month's. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`
  const before = new Date(`${first}T00:00:00Z`).getUTCDay()
  const days: (string | null)[] = Array.from({ length: before }, () => null)
  for (let day = first; day.startsWith(month); day = addDays(day, 1)) days.push(day)
  while (days.length % 7 !== 0) days.push(null)
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
}
