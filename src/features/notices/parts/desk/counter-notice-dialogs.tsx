import * as z from 'zod/mini'
import { TextArea } from '../../../../ui/text-field.tsx'
import { AnswerArea } from '../../../office/answers/parts/answer-area.tsx'
import { writtenText } from '../../../office/browser/form-rules.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { maxDecisionText, type NoticeForDesk } from '../../desk/desk-schema.ts'
import { changeCase } from './case-calls.ts'
import { CaseDialog, type DialogOfCase } from './case-dialog.tsx'

interface DialogOfCounterNotice extends DialogOfCase {
  counterNotice: NoticeForDesk['counterNotices'][number]
}

const maxNote = 2_000

const Reasons = z.object({ reasons: writtenText('Write why you refuse it.', maxDecisionText) })
const Action = z.object({ note: writtenText('Write which court action it is and how you know about it.', maxNote) })

export function AcceptDialog({ desk, counterNotice: { id, name, entries }, onClose }: DialogOfCounterNotice) {
  return (
    <ConfirmDialog
      title="Accept this counter-notice?"
      label="Accept and forward"
      labelWhileSending="Accepting..."
      otherwise="The counter-notice could not be accepted."
      act={async () => {
        await changeCase(desk, `counter-notices/${id}/accept`)
        desk.onDone('The counter-notice was accepted and forwarded to the sender.')
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        Accept it if <bdi>{name}</bdi> published {entries.length === 1 ? 'the entry' : 'the entries'} that it names. We
        forward it, with their name and contact details, to the sender of the notice. Its entries are restored ten
        business days after the counter-notice arrived, unless a court action is reported.
      </p>
      {desk.notice.sender.email === null ? (
        <p>The sender gave no email address: pass the counter-notice on to them yourself, by telephone or by post.</p>
      ) : null}
    </ConfirmDialog>
  )
}

export function RefuseDialog({ counterNotice: { id, email }, ...dialog }: DialogOfCounterNotice) {
  return (
    <CaseDialog
      {...dialog}
      verb={`counter-notices/${id}/refuse`}
      title="Refuse this counter-notice"
      label="Refuse"
      labelWhileSending="Refusing..."
      defaults={{ reasons: '' }}
      schema={Reasons}
      done="The counter-notice was refused."
    >
      {(form) => (
        <>
          <p>{`Nothing is forwarded or restored. We email your reasons to ${email}.`}</p>
          <AnswerArea
            form={form}
            name="reasons"
            label="Reasons"
            help="For example: they did not publish the entry, or no address leads to it."
          />
        </>
      )}
    </CaseDialog>
  )
}

export function ActionDialog({ counterNotice: { id }, ...dialog }: DialogOfCounterNotice) {
  return (
    <CaseDialog
      {...dialog}
      verb={`counter-notices/${id}/action`}
      title="Note a court action"
      label="Record it"
      labelWhileSending="Noting..."
      defaults={{ note: '' }}
      schema={Action}
      done="The court action was noted. Nothing is restored automatically."
    >
      {(form) => (
        <>
          <p>Its entries then stay off the site until a new decision.</p>
          <TextArea
            {...form.field('note')}
            label="Note"
            help="The court, the case number, and when and how you were told."
            dir="auto"
          />
        </>
      )}
    </CaseDialog>
  )
}
