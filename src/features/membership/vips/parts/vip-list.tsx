import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { counted } from '../../../../platform/counted.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { Pager } from '../../../../ui/pager.tsx'
import { StatePage } from '../../../../ui/state-page.tsx'
import { WorkEmpty, WorkTools, WorkWaiting } from '../../../../ui/work-page.tsx'
import { useAdminListQuery } from '../../../office/browser/admin-query.ts'
import { AddressSearch } from '../../../office/parts/address-search.tsx'
import { RetryButton } from '../../../office/parts/retry-button.tsx'
import type { AddressFilters } from '../../../office/parts/use-address-filters.ts'
import { type VipUser, VipUsers } from '../vip-schema.ts'
import { type VipAction, VipActionDialog } from './vip-action-dialog.tsx'
import { type RequestedVipAction, VipTable } from './vip-table.tsx'
import './vip-list.css'

const limit = 50

/** A page of one of the two lists of VIPs, with its search above it. */
export function VipList({
  path,
  label,
  filters,
  names,
  tools,
  dateHead,
  actionsOf,
  empty,
  emptyStep,
  failure,
}: {
  path: string
  label: string
  filters: AddressFilters
  /** The parameters that stand in the address and are asked for. */
  names: readonly string[]
  /** Stands beside the search. */
  tools: ReactNode
  dateHead: string
  actionsOf: (user: VipUser, now: number) => readonly VipAction[]
  /** Said of an empty list. */
  empty: string
  /** The next step in an empty list without a search. */
  emptyStep: ReactNode
  /** Said when the list cannot be loaded. */
  failure: string
}) {
  const query = new URLSearchParams({ page: String(filters.page), limit: String(limit) })
  for (const name of names) if (filters.get(name) !== '') query.set(name, filters.get(name))
  const { data, answeredAt, error, isFetching, refetch } = useAdminListQuery(`${path}?${query.toString()}`, VipUsers)
  const total = data?.total ?? 0
  // Here and not in the table: the last word on an action outlives the row, and the table with it.
  const [asked, setAsked] = useState<RequestedVipAction>()
  const isDone = useRef(false)
  const list = useRef<HTMLDivElement>(null)

  // The button that was pressed goes with the new list, and the dialog must be gone before anything else has the focus.
  useEffect(() => {
    if (asked !== undefined || !isDone.current) return
    isDone.current = false
    const table = list.current?.querySelector<HTMLElement>('[role="region"]')
    ;(table ?? list.current)?.focus()
  }, [asked])

  return (
    <>
      <WorkTools
        search={<AddressSearch label="Search by name or email" placeholder="Name or email" />}
        isSet={names.some((name) => name !== 'search' && filters.get(name) !== '')}
      >
        {tools}
        <button
          type="button"
          className="button"
          aria-disabled={isFetching}
          onClick={() => (isFetching ? undefined : refetch())}
        >
          {isFetching ? 'Loading...' : 'Refresh'}
        </button>
        <p className="work-aside" role="status">
          {data === undefined || isFetching ? null : counted(total, 'user')}
        </p>
      </WorkTools>
      {data === undefined ? (
        error === undefined ? (
          <WorkWaiting />
        ) : (
          <StatePage
            drawing="blot"
            title={failure}
            level={2}
            steps={<RetryButton isFetching={isFetching} onRetry={refetch} />}
          >
            {error.message === failure ? null : <p>{error.message}</p>}
          </StatePage>
        )
      ) : (
        <div ref={list} className="vip-list" tabIndex={-1}>
          {error === undefined ? null : (
            <Notice tone="failed">
              <p>{failure}</p>
              <p>{error.message}</p>
            </Notice>
          )}
          {data.part.length === 0 ? (
            <WorkEmpty
              step={
                total > 0 ? (
                  <button type="button" className="button" onClick={() => filters.setPage(1)}>
                    Go to the first page
                  </button>
                ) : names.some((name) => filters.get(name) !== '') ? (
                  <Link className="button" to={{ search: '' }}>
                    Show all users
                  </Link>
                ) : (
                  emptyStep
                )
              }
            >
              {total > 0 ? 'This page is beyond the last one.' : empty}
            </WorkEmpty>
          ) : (
            <VipTable
              label={label}
              users={data.part}
              dateHead={dateHead}
              actionsOf={(user) => actionsOf(user, answeredAt)}
              now={answeredAt}
              isBusy={isFetching}
              onAsk={setAsked}
            />
          )}
          <Pager page={filters.page} totalPages={Math.ceil(total / limit)} onPage={filters.setPage} />
        </div>
      )}
      {asked === undefined ? null : (
        <VipActionDialog
          action={asked.action}
          user={asked.user}
          onDone={() => {
            isDone.current = true
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
