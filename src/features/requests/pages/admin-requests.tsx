import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { Link, useLocation, useNavigate } from 'react-router'
import { request } from '../../../browser/api-client.ts'
import { comingDayInWords, dayInWords } from '../../../browser/format-instant.ts'
import { guardedMeta, type TitledPage } from '../../../browser/page-title.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { LoadMore } from '../../../ui/load-more.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { WorkEmpty, WorkPage, WorkTools, WorkWaiting } from '../../../ui/work-page.tsx'
import { useAdminPages } from '../../office/browser/admin-query.ts'
import { ConfirmDialog } from '../../office/parts/confirm-dialog.tsx'
import { RetryButton } from '../../office/parts/retry-button.tsx'
import {
  maxChosen,
  RejectedRequests,
  RemovedRequests,
  RequestForAdmin,
  RequestsForAdmin,
  requestStatuses,
} from '../content-requests/request-schema.ts'
import { FulfilDialog } from '../parts/fulfil-dialog.tsx'
import { RequestActions } from '../parts/request-actions.tsx'
import { requestsPath, searchOfRequests, type WantedRequests } from '../parts/request-paths.ts'
import { GivenText } from '../../office/parts/given-text.tsx'
import '../parts/requests.css'

export const handle = { title: 'Content Requests' } satisfies TitledPage

export const meta = guardedMeta

const atOnce = 100
const failure = 'Failed to load recommendations. Please try again later.'

/** The answer is an array: a full one may have another behind it. */
const PartOfRequests = z.pipe(
  RequestsForAdmin,
  z.transform((requests) => ({
    requests,
    next: requests.length === atOnce ? (requests.at(-1)?.id ?? null) : null,
  })),
)

const statusWords = { pending: 'Pending', approved: 'Approved', rejected: 'Rejected' } as const

/** Requests of members for administrators. The status that is asked for stands in the address. */
export default function AdminRequestsRoute() {
  const search = new URLSearchParams(useLocation().search)
  const status = requestStatuses.find((one) => one === search.get('status'))
  const isOfNobody = search.get('author') === 'none'
  const navigate = useNavigate()
  return (
    <WorkPage
      title="Content Requests"
      lead="Requests of members. Link an approved request to the entry that fulfils it; everyone who voted is emailed once they can open it."
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
            void navigate({ search: searchOfRequests({ status: next, isOfNobody }) }, { preventScrollReset: true })
          }}
        />
        <Select
          name="author"
          label="Asked by"
          value={isOfNobody ? 'none' : ''}
          options={[
            { value: '', label: 'All members' },
            { value: 'none', label: 'Deleted accounts' },
          ]}
          onChange={(next) => {
            const wanted = { status: status ?? '', isOfNobody: next === 'none' }
            void navigate({ search: searchOfRequests(wanted) }, { preventScrollReset: true })
          }}
        />
      </WorkTools>
      <Requests key={`${status ?? ''} ${isOfNobody}`} wanted={{ status: status ?? '', isOfNobody }} />
    </WorkPage>
  )
}

function Requests({ wanted }: { wanted: WantedRequests }) {
  const search = searchOfRequests(wanted)
  const { pages, answeredAt, error, isFetching, hasMore, more, refetch, setPages } = useAdminPages(
    `${requestsPath}?limit=${atOnce}${search === '' ? '' : `&${search}`}`,
    PartOfRequests,
    { parameter: 'before' },
  )
  if (pages.length === 0) {
    return error === undefined ? (
      <WorkWaiting />
    ) : (
      <Notice tone="failed">
        <p>{failure}</p>
        <p>
          <RetryButton isFetching={isFetching} onRetry={more} />
        </p>
      </Notice>
    )
  }
  const requests = pages.flatMap((page) => page.requests)
  return (
    <>
      {requests.length === 0 ? (
        <WorkEmpty
          step={
            search === '' ? (
              <Link className="button" to="/requests">
                See where members ask
              </Link>
            ) : (
              <Link className="button" to={{ search: '' }}>
                Show all requests
              </Link>
            )
          }
        >
          No requests found.
        </WorkEmpty>
      ) : (
        <RequestsTable
          requests={requests}
          now={answeredAt}
          isBusy={isFetching}
          onChanged={(...changed) => {
            const byId = new Map(changed.map((one) => [one.id, one]))
            setPages((page) => ({ ...page, requests: page.requests.map((one) => byId.get(one.id) ?? one) }))
          }}
          onOvertaken={refetch}
        />
      )}
      <LoadMore hasMore={hasMore} isFetching={isFetching} error={error} failure={failure} onMore={more} />
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
  onChanged: (...changed: RequestForAdmin[]) => void
  /** Somebody else was first. */
  onOvertaken: () => void
}) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<'remove' | 'reject'>()
  const [told, setTold] = useState<string>()
  const toRemove = requests.filter(({ removedAt }) => removedAt === null).slice(0, maxChosen)
  const picked = toRemove.filter(({ id }) => chosen.has(id))
  const pending = picked.filter(({ status }) => status === 'pending')
  const [fulfilled, setFulfilled] = useState<RequestForAdmin>()
  const [removed, setRemoved] = useState<RequestForAdmin>()
  const [failure, setFailure] = useState<string>()
  const [takenDownId, setTakenDownId] = useState<string>()
  const takenDown = useRef<HTMLTableCellElement>(null)
  const isTakenDown =
    removed === undefined &&
    asked === undefined &&
    requests.some(({ id, removedAt }) => id === takenDownId && removedAt !== null)
  useEffect(() => {
    // The button that had the focus is gone.
    if (isTakenDown && document.activeElement === document.body) takenDown.current?.focus()
  }, [isTakenDown])
  return (
    <>
      {toRemove.length === 0 ? null : (
        <div className="inquiry-tools">
          <Checkbox
            name="all"
            label={`Select all ${toRemove.length.toLocaleString('en-US')} shown`}
            checked={picked.length === toRemove.length}
            onChange={({ currentTarget }) =>
              setChosen(new Set(currentTarget.checked ? toRemove.map(({ id }) => id) : []))
            }
          />
          <button
            type="button"
            className="button"
            aria-haspopup="dialog"
            disabled={picked.length === 0}
            onClick={() => setAsked('remove')}
          >
            {picked.length === 0 ? 'Take down selected' : `Take down ${requestsInWords(picked.length)}`}
          </button>
          <button
            type="button"
            className="button"
            aria-haspopup="dialog"
            disabled={pending.length === 0}
            onClick={() => setAsked('reject')}
          >
            {pending.length === 0 ? 'Reject selected' : `Reject ${requestsInWords(pending.length)}`}
          </button>
        </div>
      )}
      <Announced>{told === undefined ? null : <Notice tone="done">{told}</Notice>}</Announced>
      <Announced>{failure === undefined ? null : <Notice tone="failed">{failure}</Notice>}</Announced>
      <DataTable
        label="Requests"
        heads={['Title', 'Description', 'Votes', 'Status', 'Date', 'Actions']}
        figures={['Votes']}
        isBusy={isBusy}
      >
        {requests.map((one) => {
          const { id, title, description, author, votes, status, createdAt, item, removedAt } = one
          const isOff = status === 'rejected' || removedAt !== null
          return (
            <tr key={id} className={isOff ? 'is-off' : item === null ? undefined : 'is-good'}>
              <td {...(id === takenDownId ? { ref: takenDown, tabIndex: -1 } : {})}>
                <div className="inquiry-head">
                  {removedAt === null ? (
                    <Checkbox
                      name="chosen"
                      label={<span className="sr-only">{`Select ${title}`}</span>}
                      checked={chosen.has(id)}
                      onChange={({ currentTarget }) => {
                        const next = new Set(chosen)
                        if (currentTarget.checked) next.add(id)
                        else next.delete(id)
                        setChosen(next)
                      }}
                    />
                  ) : null}
                  <div>
                    <p dir="auto">{title}</p>
                    <p className="requests-author">
                      {'Asked by '}
                      {author === null ? (
                        'a deleted account'
                      ) : (
                        <Link className="text-link" to={`/admin/people/${author.id}`}>
                          <GivenText>{author.name}</GivenText>
                        </Link>
                      )}
                    </p>
                  </div>
                </div>
              </td>
              <td className="requests-words" dir="auto">
                {description}
              </td>
              <td className="data-figure">{votes.toLocaleString('en-US')}</td>
              <td className="requests-status">
                {removedAt === null ? null : 'Taken down, was '}
                {item === null ? (
                  inSentence(statusWords[status], removedAt)
                ) : (
                  <>
                    {inSentence('Fulfilled by ', removedAt)}
                    <Link className="text-link" to={item.path}>
                      {item.name}
                    </Link>
                    {item.opensAt === null ? null : ` ${comingDayInWords(item.opensAt, now)}`}
                  </>
                )}
              </td>
              <td>{dayInWords(createdAt)}</td>
              <td>
                {removedAt === null ? (
                  <RequestActions
                    wanted={one}
                    onLink={() => setFulfilled(one)}
                    onRemove={() => setRemoved(one)}
                    onChanged={onChanged}
                    onFailed={setFailure}
                    onOvertaken={onOvertaken}
                  />
                ) : null}
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
      {asked === 'remove' ? (
        <ConfirmDialog
          title={`Take down ${requestsInWords(picked.length)}`}
          label="Take them down"
          labelWhileSending="Taking them down..."
          isGrave
          otherwise="The requests could not be taken down."
          act={async () => {
            const answer = await request(`${requestsPath}/remove`, RemovedRequests, {
              method: 'POST',
              body: { ids: picked.map(({ id }) => id) },
            })
            onChanged(...answer.removed)
            setTold(
              `${requestsInWords(answer.removed.length)} ${answer.removed.length === 1 ? 'is' : 'are'} taken down.`,
            )
            setChosen(new Set())
            setTakenDownId(answer.removed[0]?.id)
            setAsked(undefined)
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>
            No member sees them any more, whoever asked for them included, and nobody is told of it. This cannot be
            undone.
          </p>
        </ConfirmDialog>
      ) : asked === 'reject' ? (
        <ConfirmDialog
          title={`Reject ${requestsInWords(pending.length)}`}
          label="Reject them"
          labelWhileSending="Rejecting them..."
          isGrave
          otherwise="The requests could not be rejected."
          act={async () => {
            const answer = await request(`${requestsPath}/reject`, RejectedRequests, {
              method: 'POST',
              body: { ids: pending.map(({ id }) => id) },
            })
            onChanged(...answer.rejected, ...answer.left)
            setTold(rejectedInWords(answer))
            setChosen(new Set())
            setAsked(undefined)
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>They take no more votes. Their authors see that they are rejected. This cannot be undone.</p>
        </ConfirmDialog>
      ) : null}
      {removed === undefined ? null : (
        <ConfirmDialog
          title="Take the request down"
          label="Take it down"
          labelWhileSending="Taking it down..."
          isGrave
          otherwise="The request could not be taken down."
          act={async () => {
            onChanged(await request(`${requestsPath}/${removed.id}/remove`, RequestForAdmin, { method: 'POST' }))
            setTakenDownId(removed.id)
            setRemoved(undefined)
          }}
          onClose={() => setRemoved(undefined)}
        >
          <p>
            No member sees <q dir="auto">{removed.title}</q> any more, whoever asked for it included, and nobody is told
            of it. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** '1 request', '12 requests' */
function requestsInWords(count: number): string {
  return count === 1 ? '1 request' : `${count.toLocaleString('en-US')} requests`
}

function rejectedInWords({ rejected, left }: RejectedRequests): string {
  const done = `${requestsInWords(rejected.length)} ${rejected.length === 1 ? 'is' : 'are'} rejected.`
  return left.length === 0 ? done : `${done} Somebody else has decided ${requestsInWords(left.length)} otherwise.`
}

/** The words stand alone, or within 'Taken down, was …'. */
function inSentence(words: string, removedAt: string | null): string {
  return removedAt === null ? words : words.toLowerCase()
}
