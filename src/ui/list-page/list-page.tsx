import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../button.tsx'
import { LoadMore } from '../load-more.tsx'
import { Notice } from '../notice.tsx'
import { Pager } from '../pager.tsx'
import { Select } from '../select.tsx'
import { WorkAwaited } from '../work-awaited.tsx'
import { WorkEmpty, WorkPage, WorkTools } from '../work-page.tsx'
import { AddressSearch } from './address-search.tsx'
import type { AddressFilters } from './use-address-filters.ts'

/** A choice above a list, which stands in the address under its name; '' is the first value of most. */
export interface ListChoice {
  name: string
  label: string
  options: readonly { value: string; label: string }[]
  /** The value in force, where the address has none or nonsense. */
  value?: string
}

/** The state of an answer, however the list is fetched. */
export interface ListAnswer {
  isHere: boolean
  error: { message: string } | undefined
  isFetching: boolean
  onRetry: () => void
}

interface ListParts {
  answer: ListAnswer
  /** Said where no answer comes. */
  failure: string
  shown: number
  /** Said where there is nothing to show, and the next step. */
  empty: ReactNode
  step: ReactNode
  /** For a list with a known length. */
  pager?: { filters: AddressFilters; totalPages: number }
  /** For a list that goes on from its last row. */
  more?: { hasMore: boolean; onMore: () => void; failure?: string }
  children: ReactNode
}

/** A page that is one list: search, choices and counts above it, then the list in whichever state it is. */
export function ListPage({
  title,
  lead,
  actions,
  moreActions,
  filters,
  search,
  choices,
  tools,
  count,
  above,
  ...list
}: ListParts & {
  title: string
  lead: ReactNode
  actions?: ReactNode
  moreActions?: ReactNode
  filters: AddressFilters
  search?: { label: string; placeholder: string }
  choices?: readonly ListChoice[]
  /** Stands beside the choices. */
  tools?: ReactNode
  /** How much was found, in words; undefined while it is not known. */
  count?: string | undefined
  /** Stands between the tools and the list. */
  above?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shownBefore = useRef(list.shown)
  // The button that was pressed may go with the rows: the keyboard goes on from the name of the page.
  useEffect(() => {
    const isShorter = list.shown < shownBefore.current
    shownBefore.current = list.shown
    if (isShorter && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [list.shown])
  return (
    <WorkPage title={title} heading={heading} lead={lead} actions={actions} moreActions={moreActions}>
      <WorkTools
        search={search === undefined ? undefined : <AddressSearch {...search} />}
        isSet={choices?.some(({ name }) => filters.get(name) !== '') ?? false}
      >
        {choices?.map(({ value, ...choice }) => (
          <Select
            key={choice.name}
            {...choice}
            value={value ?? filters.get(choice.name)}
            onChange={(next) => filters.set(choice.name, next)}
          />
        ))}
        {tools}
        {count === undefined ? null : (
          <p className="work-aside" role="status">
            {list.answer.isFetching ? null : count}
          </p>
        )}
      </WorkTools>
      {above}
      <ListBody {...list} />
    </WorkPage>
  )
}

/** A list in one of its states: awaited, failed, empty, or there with the way on. */
export function ListBody({
  answer: { isHere, error, isFetching, onRetry },
  failure,
  shown,
  empty,
  step,
  pager,
  more,
  children,
}: ListParts) {
  if (!isHere) return <WorkAwaited failure={failure} query={{ error, isFetching, refetch: onRetry }} />
  const isBeyond = shown === 0 && pager !== undefined && pager.totalPages > 0
  return (
    <>
      {more !== undefined || error === undefined ? null : (
        <Notice tone="failed">
          <p>{failure}</p>
          {error.message === failure ? null : <p>{error.message}</p>}
        </Notice>
      )}
      {shown > 0 ? (
        children
      ) : isBeyond ? (
        <WorkEmpty step={<Button label="Go to the first page" onClick={() => pager.filters.setPage(1)} />}>
          This page is beyond the last one.
        </WorkEmpty>
      ) : (
        <WorkEmpty step={step}>{empty}</WorkEmpty>
      )}
      {pager === undefined ? null : (
        <Pager page={pager.filters.page} totalPages={pager.totalPages} onPage={pager.filters.setPage} />
      )}
      {more === undefined ? null : <LoadMore {...more} isFetching={isFetching} error={error} />}
    </>
  )
}
