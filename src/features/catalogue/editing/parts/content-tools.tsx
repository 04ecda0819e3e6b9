import { Button } from '../../../../ui/button.tsx'
import { AddressSearch } from '../../../../ui/list-page/address-search.tsx'
import { optionsOf, Select } from '../../../../ui/select.tsx'
import { WorkTools } from '../../../../ui/work-page.tsx'
import { longestName } from '../../item/longest-name.ts'
import { contentTabs, type ListedStatus } from '../content-sections.ts'
import { type ContentFilters, isFiltered } from './content-filters.ts'
import { SavedFilterAct, SavedFilterButtons, useSavedFilters } from './saved-filters.tsx'
import { listedStatusNames, tabNames } from './content-words.ts'

export function ContentTools({
  filters,
  categories,
  onChange,
}: {
  filters: ContentFilters
  categories: readonly string[]
  onChange: (filters: ContentFilters) => void
}) {
  const known = useSavedFilters(filters)
  return (
    <>
      <div className="segments content-tabs" role="group" aria-label="Section">
        {contentTabs.map((section) => (
          <button
            key={section}
            type="button"
            aria-pressed={filters.section === section}
            onClick={() => onChange({ ...filters, section })}
          >
            {tabNames[section]}
          </button>
        ))}
      </div>
      <SavedFilterButtons {...known} onChange={onChange} />
      <WorkTools
        isSet={filters.category !== '' || filters.status !== ''}
        search={<AddressSearch label="Search by name" placeholder="Search by name..." maxLength={longestName} />}
      >
        <Select
          name="category"
          label="Category"
          value={filters.category}
          options={optionsOf(categories, 'All Categories')}
          onChange={(category) => onChange({ ...filters, category })}
        />
        <Select
          name="status"
          label="Status"
          value={filters.status}
          options={optionsOf(listedStatusNames, 'All statuses')}
          onChange={(status) => onChange({ ...filters, status: status as ListedStatus | '' })}
        />
        {isFiltered(filters) ? (
          <Button
            look="quiet"
            label="Clear Filters"
            onClick={() => onChange({ ...filters, search: '', category: '', status: '' })}
          />
        ) : null}
        <SavedFilterAct {...known} filters={filters} />
      </WorkTools>
    </>
  )
}
