import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { Icon } from '../../../../ui/icon.tsx'
import { isPlainClick } from '../../../../ui/is-plain-click.ts'
import type { ListingFilters } from '../../item/listing.ts'
import { activeFilters } from '../../search/filters-in-words.ts'
import { noFilters, writeFilters } from '../../search/listing-address.ts'
import type { ListingFilterState } from './use-listing-filters.ts'

export function ActiveFilters({ filters, pathname }: { filters: ListingFilterState; pathname: string }) {
  const { shown, change } = filters
  const active = activeFilters(shown)
  if (active.length === 0) return null

  const drop = (without: Partial<Omit<ListingFilters, 'page'>>) => (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    change(without)
    // A removed element cannot keep the focus; the focus goes to the list that has changed.
    document.querySelector<HTMLElement>('#entries')?.focus({ preventScroll: true })
  }

  return (
    <div className="chips" role="group" aria-label="Active filters">
      {active.map(({ label, without }) => (
        <Link
          key={Object.keys(without).join()}
          className="chip"
          to={{ pathname, search: writeFilters({ ...shown, ...without, at: '', page: 1 }) }}
          onClick={drop(without)}
          preventScrollReset
        >
          <span>
            <span className="sr-only">Remove filter </span>
            {label}
          </span>
          <Icon name="close" size={16} />
        </Link>
      ))}
      <Link className="text-link" to={pathname} onClick={drop(noFilters)} preventScrollReset>
        Clear all
      </Link>
    </div>
  )
}
