import { useState } from 'react'
import * as z from 'zod/mini'
import { ApiError, request } from '../../../../browser/api-client.ts'
import { counted } from '../../../../platform/counted.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { writtenText } from '../../../office/browser/form-rules.ts'
import { NoticeForDesk, type NoticeInQueue } from '../../desk/desk-schema.ts'
import { assigneeInWords, type DoneToMany } from './desk-words.ts'
import { noticePath } from './notice-paths.ts'

const nobody = 'nobody'
const Chosen = z.object({ to: writtenText('Please choose who works on them.') })

/** Gives several notices to one administrator, one after the other: who was faster with one of them keeps it. */
export function AssignDialog({
  notices,
  onDone,
  onClose,
}: {
  /** At least one; whoever can work on one can work on all. */
  notices: readonly Pick<NoticeInQueue, 'reference' | 'assignee'>[]
  onDone: (done: DoneToMany) => void
  onClose: () => void
}) {
  const [sent, setSent] = useState(0)
  const query = useAdminQuery(noticePath(notices[0]?.reference ?? ''), NoticeForDesk, { keepsPrevious: true })
  const title = `Assign ${counted(notices.length, 'notice')}`
  const form = useApiForm({
    defaults: { to: '' },
    schema: Chosen,
    async send({ to }) {
      const results = []
      for (const [place, notice] of notices.entries()) {
        setSent(place)
        results.push({ reference: notice.reference, reason: await assign(notice, to === nobody ? null : to) })
      }
      onDone({ verb: 'assigned', results })
    },
    otherwise: 'The notices could not be assigned.',
  })
  if (query.data === undefined) {
    return (
      <Dialog title={title} onClose={onClose}>
        <WorkAwaited failure="The administrators could not be loaded" query={query} />
        <div className="dialog-actions">
          <Button label="Cancel" onClick={onClose} />
        </div>
      </Dialog>
    )
  }
  return (
    <ActDialog
      title={title}
      form={form}
      label="Assign"
      labelWhileSending={sent === 0 ? 'Assigning...' : `Assigned ${sent} of ${notices.length}...`}
      asksBeforeClosing={false}
      onClose={onClose}
    >
      <SelectField
        {...form.field('to')}
        label="Assign to"
        help="Decisions and deadlines stay as they are."
        options={[
          { value: '', label: 'Choose' },
          ...query.data.assignable.map((one) => ({ value: one.id, label: assigneeInWords(one) })),
          { value: nobody, label: 'Nobody' },
        ]}
      />
    </ActDialog>
  )
}

/** @returns why it stays with whom it was; null where it is done */
async function assign(
  { reference, assignee }: Pick<NoticeInQueue, 'reference' | 'assignee'>,
  to: string | null,
): Promise<string | null> {
  try {
    const body = { to, was: assignee?.id ?? null }
    await request(noticePath(reference, 'assign'), NoticeForDesk, { method: 'POST', body })
    return null
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 409, 422].includes(error.status ?? 0)) throw error
    return error.message
  }
}
