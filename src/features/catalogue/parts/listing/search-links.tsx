import { Link } from 'react-router'
import type { ListingFilters } from '../../item/listing.ts'
import { orderOf, writeFilters } from '../../search/listing-address.ts'
import type { LoadedPage } from '../list/list-query.ts'

interface SearchLinksProps {
  filters: ListingFilters
  pathname: string
  last: LoadedPage
}

function SearchLink({
  filters,
  pathname,
  changed,
  isCurrent,
  children,
}: Omit<SearchLinksProps, 'last'> & { changed: Partial<ListingFilters>; isCurrent?: boolean; children: string }) {
  return (
    <Link
      className="text-link"
      aria-current={isCurrent}
      to={{ pathname, search: writeFilters({ ...filters, ...changed, at: '', page: 1 }) }}
      preventScrollReset
    >
      {children}
    </Link>
  )
}

/** Other texts, where nothing matches this one. */
export function DidYouMean({ last: { didYouMean }, ...to }: SearchLinksProps) {
  return didYouMean === undefined ? null : (
    <p className="did-you-mean">
      Did you mean
      {didYouMean.map(({ text, count }) => (
        <span key={text}>
          <SearchLink {...to} changed={{ search: text }}>
            {text}
          </SearchLink>
          <small>{count.toLocaleString('en-US')}</small>
        </span>
      ))}
    </p>
  )
}

/** The two orders of what matches a text, where a list without one has its month. */
export function OrderLinks({ last: { total }, ...to }: SearchLinksProps) {
  const order = orderOf(to.filters)
  return total === 0 ? null : (
    <p className="folio listing-order" role="group" aria-label="Order">
      <SearchLink {...to} changed={{ sort: '' }} isCurrent={order === 'bestMatch'}>
        Best match
      </SearchLink>
      <SearchLink {...to} changed={{ sort: 'mostRecent' }} isCurrent={order === 'mostRecent'}>
        Newest
      </SearchLink>
    </p>
  )
}
