import { addDays } from '../../../../platform/time/site-time.ts'
import type { ItemRow } from '../../item/listing.ts'

const maxNew = 5
const newForDays = 30

/**
 * How many of the first rows of a list are marked as new (docs/spec/search.md#new): on the first page, newest first and
 * without a search text, the first five entered in the last 30 days.
 * @param query the query part of the list's address, as `writeFilters` writes it
 * @param today `YYYY-MM-DD` in the site's time zone
 */
export function countNew(query: string, rows: readonly Pick<ItemRow, 'day'>[], today: string): number {
  const requested = new URLSearchParams(query)
  if (['search', 'sort', 'page'].some((name) => requested.has(name))) return 0
  const since = addDays(today, -newForDays)
  // In their order the older ones follow.
  return rows.slice(0, maxNew).filter(({ day }) => day >= since).length
}
