import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { type ListChoice, ListPage } from '../../../../ui/list-page/list-page.tsx'
import { useAddressFilters } from '../../../../ui/list-page/use-address-filters.ts'
import { useAdminListQuery } from '../../../office/browser/admin-query.ts'
import { type VipUser, VipUsers } from '../vip-schema.ts'
import { type VipAction, VipActionDialog } from './vip-action-dialog.tsx'
import { type RequestedVipAction, VipTable } from './vip-table.tsx'
import './vip-list.css'

const limit = 50

export interface VipListDescription {
  title: string
  lead: string
  /** To the other list. */
  link: ReactNode
  /** The path of `GET path`. */
  path: string
  label: string
  /** The choice beside the search, which stands in the address under its name; the first value is empty. */
  choice: ListChoice
  dateHead: string
  actionsOf: (user: VipUser, now: number) => readonly VipAction[]
  empty: string
  /** The next step in an empty list without a search. */
  emptyStep: ReactNode
  failure: string
}

/** A list of VIPs for administrators. Search, choice and page stand in the address. */
export function VipListPage({ list }: { list: VipListDescription }) {
  const { title, lead, link, path, label, choice, dateHead, actionsOf, empty, emptyStep, failure } = list
  const filters = useAddressFilters()
  const { data, answeredAt, error, isFetching, refetch } = useAdminListQuery(
    `${path}?limit=${limit}&${filters.query('search', choice.name)}`,
    VipUsers,
  )
  const { part: users = [], total = 0 } = data ?? {}
  // Here and not in the table: the last word on an action outlives the row, and the table with it.
  const [asked, setAsked] = useState<RequestedVipAction>()
  const isDone = useRef(false)
  const shown = useRef<HTMLDivElement>(null)

  // The button that was pressed goes with the new list, and the dialog must be gone before anything else has the focus.
  useEffect(() => {
    if (asked !== undefined || !isDone.current) return
    isDone.current = false
    const table = shown.current?.querySelector<HTMLElement>('[role="region"]')
    ;(table ?? shown.current)?.focus()
  }, [asked])

  return (
    <div ref={shown} className="vip-list" tabIndex={-1}>
      <ListPage
        title={title}
        lead={lead}
        actions={link}
        filters={filters}
        search={{ label: 'Search by name or email', placeholder: 'Name or email' }}
        choices={[choice]}
        tools={
          <Button
            label={isFetching ? 'Loading...' : 'Refresh'}
            isBusy={isFetching}
            onClick={() => (isFetching ? undefined : refetch())}
          />
        }
        count={data === undefined ? '' : counted(total, 'user')}
        answer={{ isHere: data !== undefined, error, isFetching, onRetry: refetch }}
        failure={failure}
        shown={users.length}
        empty={empty}
        step={
          ['search', choice.name].some((name) => filters.get(name) !== '') ? (
            <ButtonLink label="Show all users" to={{ search: '' }} />
          ) : (
            emptyStep
          )
        }
        pager={{ filters, totalPages: Math.ceil(total / limit) }}
      >
        <VipTable
          label={label}
          users={users}
          dateHead={dateHead}
          actionsOf={(user) => actionsOf(user, answeredAt)}
          now={answeredAt}
          isBusy={isFetching}
          onAsk={setAsked}
        />
      </ListPage>
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
    </div>
  )
}
