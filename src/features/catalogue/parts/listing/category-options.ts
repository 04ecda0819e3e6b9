import type { SelectOption } from '../../../../ui/select.tsx'
import type { Facets } from '../../search/search-facets.server.ts'
import type { LoadedPage } from '../list/list-query.ts'

/**
 * The categories of a list as options, in order: all of them with their counts once the facets are here, until then those of the
 * rows. The selected one is always among them.
 */
export function categoryOptions(
  pages: readonly LoadedPage[],
  selected: string,
  facets: Facets | undefined,
): SelectOption[] {
  const counts = new Map(facets?.categories.map(({ name, count }) => [name, count]))
  const ofRows = facets === undefined ? pages.flatMap(({ rows }) => rows.map(({ category }) => category)) : []
  const names = new Set([...counts.keys(), ...ofRows, selected])
  names.delete('')
  return [...names]
    .sort((a, b) => a.localeCompare(b, 'en'))
    .map((name) => ({ value: name, label: withCount(name, counts.get(name)) }))
}

/** 'Literature (1,590)'; without a count the label alone. */
export function withCount(label: string, count: number | undefined): string {
  return count === undefined ? label : `${label} (${count.toLocaleString('en-US')})`
}
