import { useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { counted } from '../../../../platform/counted.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextArea, TextField } from '../../../../ui/text-field.tsx'
import { DialogForm } from '../../../accounts/parts/dialog-form.tsx'
import { networkRefusal, refusalIn, textOf, useSubmission } from '../../../accounts/parts/use-submission.ts'
import { KeptNotices, type NoticeInQueue } from '../../desk/desk-schema.ts'
import { grounds } from '../../notice/notice-kinds.ts'
import { decisionFields, type DecisionValues, problemsOf } from './decision-values.ts'
import { groundLabels } from './desk-words.ts'
import { noticesPath } from './notice-paths.ts'

/** Decides for several notices at once that their entries stay: one reason for all, a decision and a statement for each. */
export function KeepDialog({
  notices,
  onDone,
  onClose,
}: {
  notices: readonly Pick<NoticeInQueue, 'reference' | 'version'>[]
  onDone: (kept: KeptNotices) => void
  onClose: () => void
}) {
  const [isDirty, setIsDirty] = useState(false)
  const valuesOf = (form: FormData): DecisionValues => ({
    outcome: 'keep',
    ground: textOf(form, 'ground'),
    legalGround: textOf(form, 'legalGround').trim(),
    facts: textOf(form, 'facts').trim(),
    explanation: textOf(form, 'explanation').trim(),
  })
  const submission = useSubmission({
    check(form) {
      const problems = problemsOf(valuesOf(form), 'decision')
      const field = decisionFields.find((name) => problems[name] !== undefined)
      return field === undefined ? undefined : { message: problems[field] ?? '', field }
    },
    async send(form) {
      const { outcome: _keep, ...reasons } = valuesOf(form)
      try {
        onDone(
          await request(`${noticesPath}/keep`, KeptNotices, {
            method: 'POST',
            body: { notices: notices.map(({ reference, version }) => ({ reference, version })), ...reasons },
          }),
        )
        return undefined
      } catch (error) {
        return refusalIn(error, 'The notices could not be decided.')
      }
    },
    unreachable: networkRefusal,
  })
  const label = `Keep the entries of ${counted(notices.length, 'notice')}`
  return (
    <Dialog title={label} isBusy={submission.isSending} isDirty={isDirty} onClose={onClose}>
      <div className="dialog-part" onInput={() => setIsDirty(true)}>
        <DialogForm
          submission={submission}
          label={label}
          labelWhileSending="Deciding..."
          done={undefined}
          onCancel={onClose}
        >
          <p>
            Each notice gets its own decision and its own statement of reasons. Entries hidden only because of a notice
            come back. You cannot edit a decision afterwards, but a new one can replace it.
          </p>
          <SelectField
            name="ground"
            label="Ground"
            help="What you checked the entries against."
            defaultValue=""
            options={[
              { value: '', label: 'Choose' },
              ...grounds.map((value) => ({ value, label: groundLabels[value] })),
            ]}
            problem={submission.errorOf('ground')}
          />
          <TextField
            name="legalGround"
            label="The law or the term"
            autoComplete="off"
            problem={submission.errorOf('legalGround')}
          />
          <TextArea
            name="facts"
            label="Facts"
            help="What was reported and what you found. It stands in every statement of reasons."
            dir="auto"
            problem={submission.errorOf('facts')}
          />
          <TextArea
            name="explanation"
            label="Explanation"
            help="Why the entries stay."
            dir="auto"
            problem={submission.errorOf('explanation')}
          />
        </DialogForm>
      </div>
    </Dialog>
  )
}
