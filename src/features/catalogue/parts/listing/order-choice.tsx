import { Link } from 'react-router'
import { orderOf, writeFilters } from '../../search/listing-address.ts'
import type { ListingFilterState } from './use-listing-filters.ts'

/** The two orders of what matches a text, as links. */
export function OrderChoice({ filters: { requested }, pathname }: { filters: ListingFilterState; pathname: string }) {
  if (requested.search.trim() === '') return null
  const order = orderOf(requested)
  const link = (label: string, value: typeof order, sort: typeof requested.sort) => (
    <Link
      className="text-link"
      aria-current={order === value ? 'true' : undefined}
      to={{ pathname, search: writeFilters({ ...requested, sort, page: 1 }) }}
      preventScrollReset
    >
      {label}
    </Link>
  )
  return (
    <p className="listing-order" role="group" aria-label="Order">
      {link('Best match', 'bestMatch', '')}
      {link('Newest', 'mostRecent', 'mostRecent')}
    </p>
  )
}
