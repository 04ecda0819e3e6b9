import { useKeysetPages } from '../../../browser/keyset-pages.ts'
import { fetches, refetchAnswers, useApiQuery } from '../../../browser/queries.ts'
import { LoadMore } from '../../../ui/load-more.tsx'
import { useNoStrayClicks } from '../../../browser/stray-clicks.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { WorkEmpty, WorkSection } from '../../../ui/work-page.tsx'
import { RetryButton } from '../../../ui/retry-button.tsx'
import { OpenRequests, type RequestForMember, RequestsForMember } from '../content-requests/request-schema.ts'
import { RequestForm } from './request-form.tsx'
import { RequestList } from './request-list.tsx'
import { openPath, ownPath } from './request-paths.ts'
import { VoteButton } from './vote-button.tsx'

export function MembersRequests({ firstTitle, whose }: { firstTitle: string; whose: string }) {
  useNoStrayClicks()
  const refresh = (): void => refetchAnswers(ownPath, openPath)
  return (
    <>
      <WorkSection title="Ask for something">
        <RequestForm firstTitle={firstTitle} whose={whose} onChanged={refresh} />
      </WorkSection>
      <OwnRequests />
      <WorkSection title="What others ask for">
        <OpenRequestsList onChanged={refresh} />
      </WorkSection>
    </>
  )
}

function OpenRequestsList({ onChanged }: { onChanged: () => void }) {
  const { pages, error, isFetching, hasMore, more, setPages } = useKeysetPages(openPath, OpenRequests)
  if (pages.length === 0) return <Loading error={error} isFetching={isFetching} onRetry={more} />
  const requests = pages.flatMap((page) => page.requests)
  // The row changes where it stands: the list is put in order when it is opened again.
  const show = (changed: RequestForMember): void => {
    setPages((page) => ({
      ...page,
      requests: page.requests.map((one) => (one.id === changed.id ? changed : one)),
    }))
    if (changed.isOwn) onChanged()
  }
  return (
    <>
      {requests.length === 0 ? <WorkEmpty>No requests found.</WorkEmpty> : null}
      <RequestList requests={requests} renderAction={(wanted) => <VoteButton wanted={wanted} onChanged={show} />} />
      <LoadMore hasMore={hasMore} isFetching={isFetching} error={error} failure={failure} onMore={more} />
    </>
  )
}

const failure = 'Failed to load recommendations. Please try again later.'

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
      <p>{failure}</p>
      <p>
        <RetryButton isFetching={isFetching} onRetry={onRetry} />
      </p>
    </Notice>
  )
}
