import { request } from '../../../browser/api-client.ts'
import { ConfirmDialog } from '../../office/parts/confirm-dialog.tsx'
import { RequestForAdmin } from '../content-requests/request-schema.ts'
import { requestsPath } from './request-paths.ts'

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
