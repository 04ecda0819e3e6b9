import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ListingFilters } from '../../item/listing.ts'
import { orderOf, writeFilters } from '../../search/listing-address.ts'
import type { LoadedPage } from '../list/list-query.ts'

/** The two orders of what matches a text, and other texts where nothing does. */
export function SearchLinks({
  filters,
  pathname,
  last: { total, didYouMean },
}: {
  filters: ListingFilters
  pathname: string
  last: LoadedPage
}) {
  const order = orderOf(filters)
  const link = (changed: Partial<ListingFilters>, label: string, isCurrent?: boolean): ReactNode => (
    <Link
      className="text-link"
      aria-current={isCurrent}
      to={{ pathname, search: writeFilters({ ...filters, ...changed, page: 1 }) }}
      preventScrollReset
    >
      {label}
    </Link>
  )
  return (
    <>
      {didYouMean === undefined ? null : (
        <p className="did-you-mean">
          Did you mean
          {didYouMean.map(({ text, count }) => (
            <span key={text}>
              {link({ search: text }, text)}
              <small>{count.toLocaleString('en-US')}</small>
            </span>
          ))}
        </p>
      )}
      {total > 1 ? (
        <p className="listing-order" role="group" aria-label="Order">
          {link({ sort: '' }, 'Best match', order === 'bestMatch')}
          {link({ sort: 'mostRecent' }, 'Newest', order === 'mostRecent')}
        </p>
      ) : null}
    </>
  )
}
