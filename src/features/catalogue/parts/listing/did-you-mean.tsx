import { Link } from 'react-router'
import type { ListingFilters, ListingPage } from '../../item/listing.ts'
import { writeFilters } from '../../search/listing-address.ts'

/** Other texts that find something, in place of one that nothing matched. */
export function DidYouMean({
  suggestions,
  requested,
  pathname,
}: {
  suggestions: ListingPage['didYouMean'] | undefined
  requested: ListingFilters
  pathname: string
}) {
  if (suggestions === undefined || suggestions.length === 0) return null
  return (
    <p className="did-you-mean" role="status">
      Did you mean
      {suggestions.map(({ text, count }) => (
        <span key={text}>
          <Link
            className="text-link"
            to={{ pathname, search: writeFilters({ ...requested, search: text, page: 1 }) }}
            preventScrollReset
          >
            {text}
          </Link>
          <small>{count.toLocaleString('en-US')}</small>
        </span>
      ))}
    </p>
  )
}
