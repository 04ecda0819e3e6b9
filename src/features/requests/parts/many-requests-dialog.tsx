import { request } from '../../../browser/api-client.ts'
import { ConfirmDialog } from '../../office/parts/confirm-dialog.tsx'
import { RejectedRequests, RemovedRequests, RequestForAdmin } from '../content-requests/request-schema.ts'
import { requestsPath } from './request-paths.ts'

/**
 * Takes several requests down, or rejects them.
 * @param onDone takes what was done in words, the requests as they are now, and the first that was taken down
 */
export function ManyRequestsDialog({
  act,
  requests,
  onDone,
  onClose,
}: {
  act: 'remove' | 'reject'
  requests: readonly RequestForAdmin[]
  onDone: (sentence: string, changed: readonly RequestForAdmin[], takenDown?: string) => void
  onClose: () => void
}) {
  const call = { method: 'POST', body: { ids: requests.map(({ id }) => id) } } as const
  if (act === 'remove') {
    return (
      <ConfirmDialog
        title={`Take down ${requestsInWords(requests.length)}`}
        label="Take them down"
        labelWhileSending="Taking them down..."
        isGrave
        otherwise="The requests could not be taken down."
        act={async () => {
          const { removed } = await request(`${requestsPath}/remove`, RemovedRequests, call)
          const sentence = `${requestsInWords(removed.length)} ${removed.length === 1 ? 'is' : 'are'} taken down.`
          onDone(sentence, removed, removed[0]?.id)
        }}
        onClose={onClose}
      >
        <p>Members no longer see them, not even those who asked for them, and nobody is told. This cannot be undone.</p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Reject ${requestsInWords(requests.length)}`}
      label="Reject them"
      labelWhileSending="Rejecting them..."
      isGrave
      otherwise="The requests could not be rejected."
      act={async () => {
        const answer = await request(`${requestsPath}/reject`, RejectedRequests, call)
        onDone(rejectedInWords(answer), [...answer.rejected, ...answer.left])
      }}
      onClose={onClose}
    >
      <p>They take no more votes. Their authors see that they are rejected. This cannot be undone.</p>
    </ConfirmDialog>
  )
}

/** '1 request', '12 requests' */
export function requestsInWords(count: number): string {
  return count === 1 ? '1 request' : `${count.toLocaleString('en-US')} requests`
}

function rejectedInWords({ rejected, left }: RejectedRequests): string {
  const done = `${requestsInWords(rejected.length)} ${rejected.length === 1 ? 'is' : 'are'} rejected.`
  return left.length === 0
    ? done
    : `${done} Somebody else has already decided ${requestsInWords(left.length)} differently.`
}

export function RemoveDialog({
  wanted,
  onRemoved,
  onClose,
}: {
  wanted: RequestForAdmin
  onRemoved: (changed: RequestForAdmin) => void
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      title="Take the request down"
      label="Take it down"
      labelWhileSending="Taking it down..."
      isGrave
      otherwise="The request could not be taken down."
      act={async () =>
        onRemoved(await request(`${requestsPath}/${wanted.id}/remove`, RequestForAdmin, { method: 'POST' }))
      }
      onClose={onClose}
    >
      <p>
        Members no longer see <q dir="auto">{wanted.title}</q>, not even the one who asked for it, and nobody is told.
        This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
