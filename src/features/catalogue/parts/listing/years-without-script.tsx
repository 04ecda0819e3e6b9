import type { ListingFilters } from '../../item/listing.ts'
import { sortOfTime, writeFilters } from '../../search/listing-address.ts'

/** A mistyped date is not to put a link for each year since then on every page. */
const maxYears = 60

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
  const count = Math.min(Math.max(0, year - firstYear) + 1, maxYears)
  return (
    <ol>
      {Array.from({ length: count }, (_, ago) => String(year - ago)).map((at) => (
        <li key={at}>
          <a href={writeFilters({ ...filters, sort, at })}>{at}</a>
        </li>
      ))}
    </ol>
  )
}
