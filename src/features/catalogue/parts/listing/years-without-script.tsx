import type { ListingFilters } from '../../item/listing.ts'
import { sortOfTime, writeFilters } from '../../search/listing-address.ts'

/** The years of a list, the newest first, in place of those that a script counts: each leads to its place in the list. */
export function YearsWithoutScript({
  firstYear,
  today,
  filters,
}: {
  firstYear: number
  today: string
  filters: ListingFilters
}) {
  const year = Number(today.slice(0, 4))
  const sort = sortOfTime(filters)
  return (
    <ol>
      {Array.from({ length: Math.max(0, year - firstYear) + 1 }, (_, ago) => String(year - ago).padStart(4, '0')).map(
        (at) => (
          <li key={at}>
            <a href={writeFilters({ ...filters, sort, at })}>{at}</a>
          </li>
        ),
      )}
    </ol>
  )
}
