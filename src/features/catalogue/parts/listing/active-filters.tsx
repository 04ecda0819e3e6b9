import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { Icon } from '../../../../ui/icon.tsx'
import type { Region } from '../../item/content-type.ts'
import { decadeName } from '../../item/decade.ts'
import { languageName } from '../../item/languages.ts'
import type { ListingFilters } from '../../item/listing.ts'
import { monthNames } from '../list/by-day.ts'
import { dateFilters, noFilters, valueFilters, writeFilters } from '../../search/listing-address.ts'
import type { ListingFilterState } from './use-listing-filters.ts'

interface ActiveFilter {
  label: string
  without: Partial<Omit<ListingFilters, 'page'>>
}

export const regionNames: Record<Region, string> = { asian: 'Asian', western: 'Western' }

/** Said of a whole value: a creator's name says by itself what it is. */
const valueLabels: Record<(typeof valueFilters)[number], (value: string) => string> = {
  language: languageName,
  format: (value) => value,
  decade: decadeName,
  creator: (value) => value,
  series: (value) => `Series: ${value}`,
  tag: (value) => `Tag: ${value}`,
}

export function activeFilters(filters: ListingFilters): ActiveFilter[] {
  const active: ActiveFilter[] = []
  const search = filters.search.trim()
  if (search !== '') active.push({ label: `“${search}”`, without: { search: '' } })
  if (filters.dateFilter !== '') {
    const label = dateFilters.find(({ value }) => value === filters.dateFilter)?.label ?? ''
    active.push({ label, without: { dateFilter: '' } })
  }
  if (filters.month !== '') active.push({ label: monthNames[Number(filters.month) - 1] ?? '', without: { month: '' } })
  if (filters.category !== '') active.push({ label: filters.category, without: { category: '' } })
  if (filters.region !== '') active.push({ label: regionNames[filters.region], without: { region: '' } })
  for (const name of valueFilters)
    if (filters[name] !== '') active.push({ label: valueLabels[name](filters[name]), without: { [name]: '' } })
  if (filters.sort === 'oldest') active.push({ label: 'Oldest first', without: { sort: '' } })
  return active
}

/**
 * The title of a list as its address asks for it (docs/spec/pages.md#titles).
 * @param name of the list without filters
 */
export function listTitle(name: string, filters: ListingFilters): string {
  const labels = activeFilters(filters).map(({ label }) => label)
  return [...labels, name, ...(filters.page > 1 ? [`Page ${filters.page}`] : [])].join(' · ')
}

/** The filters in force as chips, each a link to the list without it. */
export function ActiveFilters({ filters, pathname }: { filters: ListingFilterState; pathname: string }) {
  const { shown, change } = filters
  const active = activeFilters(shown)
  if (active.length === 0) return null

  const drop = (without: Partial<Omit<ListingFilters, 'page'>>) => (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
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
