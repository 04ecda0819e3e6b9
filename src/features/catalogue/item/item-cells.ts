import { addDays, dayOf, startOfDay } from '../../../platform/time/site-time.ts'
import type { Item, ItemColumn } from './item.ts'

/** An item as a row of a file holds it: `itemText` reads it back as it was. */
export type Cells = Record<ItemColumn, string | boolean | null>

export function cellsOf({ validUntil, ...item }: Item, timeZone: string): Cells {
  return {
    ...item,
    postDate: momentText(item.postDate, timeZone),
    validFrom: momentText(item.validFrom, timeZone),
    validTo: lastDayText(validUntil, timeZone),
  }
}

/** A day where the instant is its beginning, else the instant. */
function momentText(instant: number | null, timeZone: string): string | null {
  if (instant === null) return null
  const day = dayOf(instant, timeZone)
  return startOfDay(day, timeZone) === instant ? day : new Date(instant).toISOString()
}

/** The last day before an end that is the beginning of a day, else the instant of the end. */
export function lastDayText(end: number | null, timeZone: string): string | null {
  const text = momentText(end, timeZone)
  return text === null || text.includes('T') ? text : addDays(text, -1)
}
