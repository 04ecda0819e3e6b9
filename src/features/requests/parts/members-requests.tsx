import { useState } from 'react'
import { fetches, refetchAnswers, useApiQuery } from '../../../browser/queries.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { WorkSection } from '../../../ui/work-page.tsx'
import { RetryButton } from '../../accounts/parts/retry-button.tsx'
import { OpenRequests, type RequestForMember, RequestsForMember } from '../content-requests/request-schema.ts'
import { RequestForm } from './request-form.tsx'
import { RequestList } from './request-list.tsx'
import { openPath, ownPath } from './request-paths.ts'
import { VoteButton } from './vote-button.tsx'

/** What members do on the page of requests. */
export function MembersRequests({ firstTitle }: { firstTitle: string }) {
  /** The parts of the list that are shown, each by its beginning. */
  const [parts, setParts] = useState<readonly (string | undefined)[]>([undefined])
  const refresh = (): void => refetchAnswers(ownPath, ...parts.map(pathOfPart))
  return (
    <>
      <WorkSection title="Ask for something">
        <RequestForm firstTitle={firstTitle} onChanged={refresh} />
      </WorkSection>
      <OwnRequests />
      <WorkSection title="Open requests">
        {parts.map((after, place) => (
          <OpenPart
            key={after ?? ''}
            after={after}
            isLast={place === parts.length - 1}
            onMore={(next) => setParts((before) => [...before, next])}
            onChanged={refresh}
          />
        ))}
      </WorkSection>
    </>
  )
}

function pathOfPart(after: string | undefined): string {
  return after === undefined ? openPath : `${openPath}?${new URLSearchParams({ after }).toString()}`
}

function OpenPart({
  after,
  isLast,
  onMore,
  onChanged,
}: {
  after: string | undefined
  isLast: boolean
  onMore: (next: string) => void
  onChanged: () => void
}) {
  const { data, error, isFetching, refetch, setData } = useApiQuery(fetches(pathOfPart(after), OpenRequests))
  if (data === undefined) return <Loading error={error} isFetching={isFetching} onRetry={refetch} />
  const { requests, next } = data
  // The row changes where it stands: the list is put in order when it is opened again.
  const show = (changed: RequestForMember): void => {
    setData((before) =>
      before === undefined
        ? before
        : { ...before, requests: before.requests.map((one) => (one.id === changed.id ? changed : one)) },
    )
    if (changed.isOwn) onChanged()
  }
  return (
    <>
      {requests.length === 0 && after === undefined ? <p className="work-empty">No requests found.</p> : null}
      <RequestList requests={requests} renderAction={(wanted) => <VoteButton wanted={wanted} onChanged={show} />} />
      {isLast && next !== null ? (
        <p>
          <button type="button" className="button" onClick={() => onMore(next)}>
            Load more
          </button>
        </p>
      ) : null}
    </>
  )
}

const stateWords = { pending: 'Pending', approved: 'Approved', rejected: 'Rejected' } as const

function OwnRequests() {
  const { data, error, isFetching, refetch } = useApiQuery(fetches(ownPath, RequestsForMember))
  if (data === undefined) return <Loading error={error} isFetching={isFetching} onRetry={refetch} />
  if (data.requests.length === 0) return null
  return (
    <WorkSection title="Your requests">
      <RequestList
        requests={data.requests}
        renderAction={({ status, item }) => (
          <span className="badge">{item === null ? stateWords[status] : 'Fulfilled'}</span>
        )}
      />
    </WorkSection>
  )
}

function Loading({
  error,
  isFetching,
  onRetry,
}: {
  error: Error | undefined
  isFetching: boolean
  onRetry: () => void
}) {
  if (error === undefined) return <Spinner />
  return (
    <Notice tone="failed">
      <p>Failed to load recommendations. Please try again later.</p>
      <p>
        <RetryButton isFetching={isFetching} onRetry={onRetry} />
      </p>
    </Notice>
  )
}
