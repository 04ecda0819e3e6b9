import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { type ApiError, request } from '../../../browser/api-client.ts'
import { comingDayInWords, dayInWords } from '../../../browser/format-instant.ts'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { WorkPage, WorkTools, WorkWaiting } from '../../../ui/work-page.tsx'
import { recheckAccess, useAdminQuery } from '../../accounts/browser/admin-query.ts'
import { RetryButton } from '../../accounts/parts/retry-button.tsx'
import { RequestForAdmin, RequestsForAdmin, requestStatuses } from '../content-requests/request-schema.ts'
import { FulfilDialog } from '../parts/fulfil-dialog.tsx'
import { requestsPath } from '../parts/request-paths.ts'
import '../parts/requests.css'

export const handle = { title: 'Content Requests' } satisfies TitledPage

export const meta = guardedMeta

const atOnce = 100
const statusWords = { pending: 'Pending', approved: 'Approved', rejected: 'Rejected' } as const

/** Requests of members for administrators. The status that is asked for stands in the address. */
export default function AdminRequestsRoute() {
  const asked = new URLSearchParams(useLocation().search).get('status')
  const status = requestStatuses.find((one) => one === asked)
  const navigate = useNavigate()
  /** The parts of the list that are shown, each by what it comes after. */
  const [parts, setParts] = useState<readonly (string | undefined)[]>([undefined])
  return (
    <WorkPage
      title="Content Requests"
      lead="What members ask for. An approved request is linked to the entry that fulfils it: then those who voted are told by mail, each once they can open it."
    >
      <WorkTools>
        <Select
          name="status"
          label="Status"
          value={status ?? ''}
          options={[
            { value: '', label: 'All requests' },
            ...requestStatuses.map((one) => ({ value: one, label: statusWords[one] })),
          ]}
          onChange={(next) => {
            setParts([undefined])
            void navigate({ search: next === '' ? '' : `status=${next}` }, { preventScrollReset: true })
          }}
        />
      </WorkTools>
      {parts.map((before, place) => (
        <Part
          key={`${status ?? ''} ${before ?? ''}`}
          status={status}
          before={before}
          isLast={place === parts.length - 1}
          onMore={(last) => setParts((shown) => [...shown, last])}
        />
      ))}
    </WorkPage>
  )
}

function Part({
  status,
  before,
  isLast,
  onMore,
}: {
  status: RequestForAdmin['status'] | undefined
  before: string | undefined
  isLast: boolean
  onMore: (last: string) => void
}) {
  const search = new URLSearchParams({
    limit: String(atOnce),
    ...(status === undefined ? {} : { status }),
    ...(before === undefined ? {} : { before }),
  })
  const { data, answeredAt, error, isFetching, refetch, setData } = useAdminQuery(
    `${requestsPath}?${search.toString()}`,
    RequestsForAdmin,
  )
  if (data === undefined) {
    return error === undefined ? (
      <WorkWaiting />
    ) : (
      <Notice tone="failed">
        <p>Failed to load recommendations. Please try again later.</p>
        <p>
          <RetryButton isFetching={isFetching} onRetry={refetch} />
        </p>
      </Notice>
    )
  }
  const last = data.length === atOnce ? data.at(-1) : undefined
  return (
    <>
      {data.length === 0 && before === undefined ? <p className="work-empty">No requests found.</p> : null}
      {data.length === 0 ? null : (
        <RequestsTable
          requests={data}
          now={answeredAt}
          isBusy={isFetching}
          onChanged={(changed) => setData((shown) => shown?.map((one) => (one.id === changed.id ? changed : one)))}
          onOvertaken={refetch}
        />
      )}
      {isLast && last !== undefined ? (
        <p>
          <button type="button" className="button" onClick={() => onMore(last.id)}>
            Load more
          </button>
        </p>
      ) : null}
    </>
  )
}

function RequestsTable({
  requests,
  now,
  isBusy,
  onChanged,
  onOvertaken,
}: {
  requests: readonly RequestForAdmin[]
  now: number
  isBusy: boolean
  onChanged: (changed: RequestForAdmin) => void
  /** Somebody else was first. */
  onOvertaken: () => void
}) {
  const [fulfilled, setFulfilled] = useState<RequestForAdmin>()
  const decide = useApiMutation<RequestForAdmin, { id: string; verb: 'approve' | 'reject' }>({
    mutationFn: ({ id, verb }) => request(`${requestsPath}/${id}/${verb}`, RequestForAdmin, { method: 'POST' }),
    onSuccess: onChanged,
    onError: (error: ApiError) => {
      recheckAccess(error)
      if (error.status === 409) onOvertaken()
    },
  })
  return (
    <>
      <Announced>{decide.error === null ? null : <Notice tone="failed">{decide.error.message}</Notice>}</Announced>
      <DataTable
        label="Requests"
        heads={['Title', 'Description', 'Votes', 'Status', 'Date', 'Actions']}
        isBusy={isBusy}
      >
        {requests.map((one) => {
          const { id, title, description, votes, status, createdAt, item } = one
          const isPending = status === 'pending'
          const isUnderWay = decide.isPending && decide.variables.id === id
          return (
            <tr key={id} className={status === 'rejected' ? 'is-off' : item === null ? undefined : 'is-good'}>
              <td dir="auto">{title}</td>
              <td className="requests-words" dir="auto">
                {description}
              </td>
              <td className="data-figure">{votes.toLocaleString('en-US')}</td>
              <td>
                {item === null ? (
                  statusWords[status]
                ) : (
                  <>
                    {'Fulfilled by '}
                    <Link className="text-link" to={item.path}>
                      {item.name}
                    </Link>
                    {item.opensAt === null ? null : ` ${comingDayInWords(item.opensAt, now)}`}
                  </>
                )}
              </td>
              <td>{dayInWords(createdAt)}</td>
              <td>
                <div className="data-actions">
                  {(['approve', 'reject'] as const).map((verb) => (
                    <button
                      key={verb}
                      type="button"
                      className="button"
                      disabled={!isPending}
                      aria-disabled={isUnderWay}
                      onClick={() => {
                        if (!decide.isPending) decide.mutate({ id, verb })
                      }}
                    >
                      {verb === 'approve' ? 'Approve' : 'Reject'}
                      <span className="sr-only">{`: ${title}`}</span>
                    </button>
                  ))}
                  {status === 'approved' ? (
                    <button type="button" className="button" onClick={() => setFulfilled(one)}>
                      {item === null ? 'Link to an entry' : 'Change the entry'}
                      <span className="sr-only">{`: ${title}`}</span>
                    </button>
                  ) : null}
                </div>
              </td>
            </tr>
          )
        })}
      </DataTable>
      {fulfilled === undefined ? null : (
        <FulfilDialog
          wanted={fulfilled}
          onFulfilled={(changed) => {
            setFulfilled(undefined)
            onChanged(changed)
          }}
          onClose={() => setFulfilled(undefined)}
        />
      )}
    </>
  )
}
