import { type FormEvent, useEffect, useRef } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { SearchField } from '../../../../ui/search-field.tsx'
import { Select } from '../../../../ui/select.tsx'
import type { FreePage } from '../../item/content-type.ts'
import type { ListingFilters } from '../../item/listing.ts'
import { longestName } from '../../item/longest-name.ts'
import { monthNames } from '../list/by-day.ts'
import { dateFilters, isRegional } from '../../search/listing-address.ts'
import type { ListingFilterState } from './use-listing-filters.ts'
import './listing-toolbar.css'

const months = [
  { value: '', label: 'All Months' },
  ...monthNames.map((label, index) => ({ value: String(index + 1).padStart(2, '0'), label })),
]

const sorts = [
  { value: 'mostRecent', label: 'Most recent' },
  { value: 'oldest', label: 'Oldest' },
]

/**
 * All filters of a listing in one form, which works as it stands: without a script each button sends it. On narrow
 * screens all but the search box are folded into a sheet, a popover of the same elements.
 */
export function ListingToolbar({
  section,
  filters,
  categories,
  resultLabel,
  hasShortcuts,
}: {
  section: FreePage
  filters: ListingFilterState
  categories: string[]
  /** '7,330 entries', for the button that leads back from the sheet. */
  resultLabel: string
  hasShortcuts: boolean
}) {
  const { shown, change, setComposing } = filters
  const search = useRef<HTMLInputElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const set = countSet(shown)

  useEffect(() => {
    if (!hasShortcuts) return undefined
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      search.current?.focus()
      search.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [hasShortcuts])

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
        {...(isRegional(section) && shown.dateFilter !== '' ? { name: 'dateFilter', value: shown.dateFilter } : {})}
      >
        Apply
      </button>
      <SearchField
        name="search"
        label="Search by name"
        placeholder="Search by name..."
        value={shown.search}
        maxLength={longestName}
        inputRef={search}
        shortcut={hasShortcuts ? '/' : undefined}
        onChange={(value) => change({ search: value })}
        onCompose={setComposing}
      />
      <button type="button" className="button toolbar-open" popoverTarget="filters" aria-haspopup="dialog">
        <Icon name="filters" />
        Filters
        {set === 0 ? null : <span className="toolbar-set">{set}</span>}
      </button>
      <div
        ref={sheet}
        id="filters"
        popover="auto"
        className="filters"
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
        {isRegional(section) ? (
          <div className="segments" role="group" aria-label="Date">
            {dateFilters.map(({ value, label }) => (
              <button
                key={value}
                type="submit"
                name="dateFilter"
                value={value}
                aria-pressed={shown.dateFilter === value}
              >
                {label}
              </button>
            ))}
          </div>
        ) : null}
        <Select
          name="month"
          label="Month"
          value={shown.month}
          options={months}
          onChange={(month) => change({ month })}
        />
        {isRegional(section) ? (
          <Select
            name="category"
            label="Category"
            value={shown.category}
            options={[
              { value: '', label: 'All Categories' },
              ...categories.map((category) => ({ value: category, label: category })),
            ]}
            onChange={(category) => change({ category })}
          />
        ) : (
          <Select
            name="sort"
            label="Order"
            value={shown.sort}
            options={sorts}
            onChange={(sort) => change({ sort: sort === 'oldest' ? 'oldest' : 'mostRecent' })}
          />
        )}
        <button
          type="button"
          className="button button-solid filters-done"
          popoverTarget="filters"
          popoverTargetAction="hide"
        >
          {`Show ${resultLabel}`}
        </button>
      </div>
    </form>
  )
}

function isOpen(sheet: HTMLElement): boolean {
  return sheet.matches(':popover-open')
}

/** How many filters besides the text are set: the number on the button of the sheet. */
function countSet(filters: ListingFilters): number {
  return [filters.dateFilter !== '', filters.month !== '', filters.category !== '', filters.sort === 'oldest'].filter(
    Boolean,
  ).length
}

/** Whether a key belongs to a field and not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, option, dialog *'))
  )
}
