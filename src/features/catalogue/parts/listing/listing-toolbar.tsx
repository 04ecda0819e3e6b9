import { type ComponentProps, type FormEvent, type ReactNode, useRef, type MouseEvent } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { SearchField } from '../../../../ui/search-field.tsx'
import { optionsOf, Select, type SelectOption } from '../../../../ui/select.tsx'
import { longestName } from '../../item/longest-name.ts'
import { monthNames } from '../../search/month-names.ts'
import { dateFilters, noFilters, orderOf, valueFilters, writeFilters } from '../../search/listing-address.ts'
import type { Shelf, ShelfFilter } from '../../shelves/shelf.ts'
import { regionNames, activeFilters } from '../../search/filters-in-words.ts'
import type { ListingFilterState } from './use-listing-filters.ts'
import './listing-toolbar.css'
import { Link } from 'react-router'
import { isPlainClick } from '../../../../ui/is-plain-click.ts'
import type { ListingFilters } from '../../item/listing.ts'

const months = [
  { value: '', label: 'All Months' },
  ...monthNames.map((label, index) => ({ value: String(index + 1).padStart(2, '0'), label })),
]

const bestMatch = { value: 'bestMatch', label: 'Best match' }
const sorts = [
  { value: 'mostRecent', label: 'Most recent' },
  { value: 'oldest', label: 'Oldest' },
]

const regionOptions = optionsOf(regionNames, 'All')

/**
 * All filters of a listing in one form, which works as it stands: without a script each button sends it. On narrow
 * screens all but the search box are folded into a sheet, a popover of the same elements.
 */
export function ListingToolbar({
  shelf,
  filters,
  categories,
  more,
  resultLabel,
  hasShortcuts,
}: {
  shelf: Shelf
  filters: ListingFilterState
  categories: readonly SelectOption[]
  more: ReactNode
  /** '7,330 entries', for the button that leads back from the sheet. */
  resultLabel: string
  hasShortcuts: boolean
}) {
  const { shown, change, setComposing } = filters
  const search = useRef<HTMLInputElement>(null)
  const set = [...shelf.filters, ...valueFilters].filter((name) => shown[name] !== noFilters[name]).length

  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    if (!(submitter instanceof HTMLButtonElement) || !submitter.ariaPressed) return
    const dateFilter = dateFilters.find(({ value }) => value === submitter.value)
    if (dateFilter !== undefined) change({ dateFilter: dateFilter.value })
  }

  return (
    <form className="toolbar" role="search" aria-label="Entries" method="get" onSubmit={onSubmit}>
      {/* The first button is the one that Enter presses: it sends the date that is already chosen. */}
      <button
        type="submit"
        className="button without-script toolbar-apply"
        {...(shown.dateFilter !== '' ? { name: 'dateFilter', value: shown.dateFilter } : {})}
      >
        Apply
      </button>
      <SearchField
        name="search"
        label="Search by name"
        placeholder={shelf.placeholder}
        value={shown.search}
        maxLength={longestName}
        inputRef={search}
        shortcut={hasShortcuts ? '/' : undefined}
        onChange={(value) => change({ search: value })}
        onCompose={setComposing}
      />
      <button type="button" className="button toolbar-open" popoverTarget="filters" aria-haspopup="dialog">
        <Icon name="filters" />
        <span className="toolbar-word">Filters</span>
        {set === 0 ? null : <span className="toolbar-set">{set}</span>}
      </button>
      <button
        type="button"
        className="button toolbar-open toolbar-time"
        popoverTarget="time"
        aria-haspopup="dialog"
        aria-label="Time"
      >
        <Icon name="clock" />
      </button>
      <FilterSheet {...{ shelf, filters, categories, more, resultLabel }} />
    </form>
  )
}

function FilterSheet({
  shelf,
  filters: { shown, change },
  categories,
  more,
  resultLabel,
}: Omit<ComponentProps<typeof ListingToolbar>, 'hasShortcuts'>) {
  const menu = (name: ShelfFilter, label: string, options: readonly SelectOption[]): ReactNode => (
    <Select
      key={name}
      name={name}
      label={label}
      value={shown[name]}
      options={options}
      onChange={(value) => change({ [name]: value })}
    />
  )

  const controls: Record<ShelfFilter, ReactNode> = {
    dateFilter: (
      <div key="dateFilter" className="segments" role="group" aria-label="Date">
        {dateFilters.map(({ value, label }) => (
          <button key={value} type="submit" name="dateFilter" value={value} aria-pressed={shown.dateFilter === value}>
            {label}
          </button>
        ))}
      </div>
    ),
    month: menu('month', 'Month', months),
    category: menu('category', 'Category', [{ value: '', label: 'All Categories' }, ...categories]),
    sort: (
      <Select
        key="sort"
        name="sort"
        label="Order"
        value={orderOf(shown)}
        options={shown.search.trim() === '' ? sorts : [bestMatch, ...sorts]}
        onChange={(value) => change({ sort: value === 'bestMatch' ? '' : (value as 'mostRecent' | 'oldest') })}
      />
    ),
    region: menu('region', 'Region', regionOptions),
  }

  return (
    <div
      id="filters"
      popover="auto"
      className="sheet filters"
      role="group"
      aria-label="Filters"
      onBlur={(event) => {
        const next = event.relatedTarget
        if (next !== null && !event.currentTarget.contains(next) && isOpen(event.currentTarget)) {
          event.currentTarget.hidePopover()
        }
      }}
    >
      <p className="filters-title" aria-hidden="true">
        Filters
      </p>
      {shelf.filters.map((name) => controls[name])}
      {/* Without a script the form sends them again. */}
      {valueFilters.map((name) =>
        shown[name] === '' ? null : <input key={name} type="hidden" name={name} value={shown[name]} />,
      )}
      <button type="button" className="button more-filters-open" popoverTarget="more-filters" aria-haspopup="dialog">
        More
      </button>
      <div id="more-filters" popover="auto" className="sheet more-filters" role="group" aria-label="More filters">
        {more}
      </div>
      <button
        type="button"
        className="button button-solid filters-done"
        popoverTarget="filters"
        popoverTargetAction="hide"
      >
        {`Show ${resultLabel}`}
      </button>
    </div>
  )
}

function isOpen(sheet: HTMLElement): boolean {
  return sheet.matches(':popover-open')
}

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
