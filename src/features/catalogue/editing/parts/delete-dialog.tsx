import { ApiError, noAnswer } from '../../../../browser/api-client.ts'
import { requestAsAdmin } from '../../../office/browser/request-as-admin.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { endpointOf, sectionOf } from '../content-sections.ts'
import { type ContentRow, ItemForAdmin } from '../content-schema.ts'

/** Asks before an entry is deleted. It is as good as deleted where somebody else was first. */
export function DeleteDialog({
  row: { id, name, contentType },
  onDeleted,
  onClose,
}: {
  row: ContentRow
  onDeleted: () => void
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      title="Delete this entry"
      label="Delete"
      labelWhileSending="Deleting..."
      isGrave
      otherwise="Failed to delete content. Please try again."
      saysBoth
      act={async () => {
        const path = `${endpointOf(sectionOf(contentType))}/${id}`
        await requestAsAdmin(path, noAnswer, { method: 'DELETE' }).catch(async (error: unknown) => {
          if (!isNotFound(error) || !(await isDeleted(id))) throw error
        })
        onDeleted()
      }}
      onClose={onClose}
    >
      <p>Are you sure you want to delete this content?</p>
      <p>
        <bdi>{name}</bdi>
      </p>
    </ConfirmDialog>
  )
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether somebody else was first. An entry that was moved to another section is not found in its own either. */
async function isDeleted(id: string): Promise<boolean> {
  try {
    await requestAsAdmin(`/api/items/${id}`, ItemForAdmin)
    return false
  } catch (error) {
    if (isNotFound(error)) return true
    throw error
  }
}
