import { Select } from '../../../../ui/select.tsx'
import { decadeName } from '../../item/decade.ts'
import { languageName } from '../../item/languages.ts'
import type { Facets } from '../../search/search-facets.server.ts'
import { withCount } from '../listing/category-options.ts'
import type { ListingFilterState } from '../listing/use-listing-filters.ts'

const menus = [
  { name: 'language', list: 'languages', label: 'Language', none: 'Any language', inWords: languageName },
  { name: 'format', list: 'formats', label: 'Format', none: 'Any format', inWords: (format: string) => format },
  { name: 'decade', list: 'decades', label: 'Decade of the work', none: 'Any decade', inWords: decadeName },
] as const

type ValueFilter = (typeof menus)[number]['name']

/** A menu of each kind of value that an entry of the list has, with counts. Each chosen value is a property: what is typed draws nothing anew. */
export function ValueMenus({
  facets,
  change,
  ...shown
}: {
  facets: Facets | undefined
  change: ListingFilterState['change']
} & Readonly<Record<ValueFilter, string>>) {
  const offered = menus.filter(({ name, list }) => shown[name] !== '' || (facets?.[list].length ?? 0) > 0)
  if (facets === undefined) return <p role="status">Loading...</p>
  if (offered.length === 0) return <p>These entries name no language, format or year.</p>
  const fields = offered.map(({ name, list, label, none, inWords }) => {
    const chosen = shown[name]
    const options = facets[list].map((each) => ({
      value: each.name,
      label: withCount(inWords(each.name), each.count),
    }))
    const isListed = options.some(({ value }) => value === chosen)
    if (chosen !== '' && !isListed) options.unshift({ value: chosen, label: inWords(chosen) })
    return (
      <label key={name} className="more-filters-menu">
        <span aria-hidden="true">{label}</span>
        <Select
          name={name}
          label={label}
          value={chosen}
          options={[{ value: '', label: none }, ...options]}
          onChange={(value) => change({ [name]: value })}
        />
      </label>
    )
  })
  return (
    <>
      {fields}
      <button
        type="button"
        className="button button-solid filters-done"
        popoverTarget="more-filters"
        popoverTargetAction="hide"
      >
        Done
      </button>
    </>
  )
}
