import type { ItemRow } from '../listing.ts'

export interface DayGroup {
  /** `YYYY-MM-DD` in the site's time zone; empty when the date is not one. */
  day: string
  rows: ItemRow[]
}

/** The rows in their order, cut where the day changes. */
export function groupByDay(rows: readonly ItemRow[]): DayGroup[] {
  const groups: DayGroup[] = []
  let last: DayGroup | undefined
  for (const row of rows) {
    if (last === undefined || last.day !== row.day) {
      last = { day: row.day, rows: [] }
      groups.push(last)
    }
    last.rows.push(row)
  }
  return groups
}

export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** The three words of a date heading, 'March 05, 2024'; undefined for what is not a calendar day. */
export function wordsOfDay(day: string): { month: string; day: string; year: string } | undefined {
  const [, year, month, date] = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(day) ?? []
  const name = monthNames[Number(month) - 1]
  if (year === undefined || name === undefined || date === undefined || Number(date) < 1 || Number(date) > 31)
    return undefined
  return { month: name, day: date, year: String(Number(year)) }
}

/** A day in the long English form of a detail page, 'March 5, 2024'. */
export function longDay(day: string): string {
  const words = wordsOfDay(day)
  return words === undefined ? 'Invalid Date' : `${words.month} ${Number(words.day)}, ${words.year}`
}
