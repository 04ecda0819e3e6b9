import type { Region } from '../item/content-type.ts'
import { decadeName } from '../item/decade.ts'
import { languageName } from '../item/languages.ts'
import type { ListingFilters } from '../item/listing.ts'
import { dateFilters, valueFilters } from './listing-address.ts'
import { monthNames } from './month-names.ts'

interface ActiveFilter {
  label: string
  without: Partial<Omit<ListingFilters, 'page'>>
}

export const regionNames: Record<Region, string> = { asian: 'Asian', western: 'Western' }

/** Said of a whole value, where it does not say by itself what it is. */
const valueLabels: Partial<Record<(typeof valueFilters)[number], (value: string) => string>> = {
  language: languageName,
  decade: decadeName,
  series: (value) => `Series: ${value}`,
  tag: (value) => `Tag: ${value}`,
}

export function activeFilters(filters: ListingFilters): ActiveFilter[] {
  const { dateFilter, month, category, region, sort } = filters
  const search = filters.search.trim()
  const labels: [name: string, label: string | undefined][] = [
    ['search', search && `“${search}”`],
    ['dateFilter', dateFilter && dateFilters.find(({ value }) => value === dateFilter)?.label],
    ['month', month && monthNames[Number(month) - 1]],
    ['category', category],
    ['region', region && regionNames[region]],
    ...valueFilters.map((name): [string, string] => {
      const value = filters[name]
      return [name, value && (valueLabels[name]?.(value) ?? value)]
    }),
    ['sort', sort === 'oldest' ? 'Oldest first' : ''],
  ]
  return labels.flatMap(([name, label]) => (label ? [{ label, without: { [name]: '' } }] : []))
}

/**
 * The title of a list as its address asks for it (docs/spec/pages.md#titles).
 * @param name of the list without filters
 */
export function listTitle(name: string, filters: ListingFilters): string {
  const labels = activeFilters(filters).map(({ label }) => label)
  return [...labels, name, ...(filters.page > 1 ? [`Page ${filters.page}`] : [])].join(' · ')
}
