import { addDays } from '../../../../platform/time/site-time.ts'
import type { ItemRow } from '../../item/listing.ts'
import type { RowLook } from '../../shelves/shelf.ts'

const maxNew = 5
const newForDays = 30

/**
 * How many of the first rows of a list are marked as new (docs/spec/search.md#new): on the first page, newest first and
 * without a search text, the first five entered in the last 30 days. Without any, and without filters, a shelf may mark
 * its newest five.
 * @param query the query part of the list's address, as `writeFilters` writes it
 * @param today `YYYY-MM-DD` in the site's time zone
 */
export function countNew(
  query: string,
  rows: readonly Pick<ItemRow, 'day'>[],
  today: string,
  { marksNewestAtLeast = false }: Pick<RowLook, 'marksNewestAtLeast'> = {},
): number {
  const requested = new URLSearchParams(query)
  // A place in the list is none of its filters.
  requested.delete('at')
  if (['search', 'sort', 'page'].some((name) => requested.has(name))) return 0
  const since = addDays(today, -newForDays)
  // In their order the older ones follow.
  const first = rows.slice(0, maxNew)
  const count = first.filter(({ day }) => day >= since).length
  return count === 0 && marksNewestAtLeast && requested.size === 0 ? first.length : count
}
