import * as z from 'zod/mini'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { FieldErrorText, TextField } from '../../../../ui/text-field.tsx'
import { AnswerArea } from '../../../office/answers/parts/answer-area.tsx'
import { writtenText } from '../../../office/browser/form-rules.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { maxDecisionText, type ReportedAddress } from '../../desk/desk-schema.ts'
import { kindLabels, noticeKinds } from '../../notice/notice-kinds.ts'
import { changeCase } from './case-calls.ts'
import { CaseDialog, type DialogOfCase } from './case-dialog.tsx'
import { elementInWords } from './desk-words.ts'

const Question = z.object({
  missing: z.array(z.string()).check(z.minLength(1, 'Choose what is missing.')),
  message: writtenText('Write what you need.', maxDecisionText),
})
const Kind = z.object({ kind: writtenText('Choose the kind.') })
const Entry = z.object({ add: writtenText('Write the address of its page.') })
const Original = z.object({
  of: z
    .string()
    .check(
      z.trim(),
      z.toUpperCase(),
      z.regex(/^N-[0-9A-Z]{4}-[0-9A-Z]{4}$/, 'Write the reference of the other notice, such as N-4GT7-0KQ2.'),
    ),
})

export function AskDialog(dialog: DialogOfCase) {
  const { kind, elements, sender } = dialog.desk.notice
  return (
    <CaseDialog
      {...dialog}
      verb="ask"
      title="Ask for information"
      label="Ask"
      labelWhileSending="Asking..."
      defaults={{ missing: elements.filter(({ isGiven }) => !isGiven).map(({ name }) => name), message: '' }}
      schema={Question}
      done="The sender was asked."
    >
      {(form) => {
        const { problem, ...box } = form.field('missing')
        return (
          <>
            <p>
              {sender.email === null
                ? "They gave no email address. They can only read this on their notice's private page."
                : `We email it to ${sender.email}, and show it on the private page of their notice.`}
            </p>
            <fieldset className="desk-boxes" aria-describedby="ask-problem">
              <legend>What is missing</legend>
              {elements.map(({ name, label }) => (
                <Checkbox key={name} {...box} value={name} label={elementInWords(kind, name, label)} />
              ))}
              <FieldErrorText id="ask-problem" problem={problem} />
            </fieldset>
            <AnswerArea
              form={form}
              name="message"
              label="Message"
              help="What they need to send, in words they understand."
            />
          </>
        )
      }}
    </CaseDialog>
  )
}

export function KindDialog(dialog: DialogOfCase) {
  const others = noticeKinds.filter((kind) => kind !== dialog.desk.notice.kind)
  return (
    <CaseDialog
      {...dialog}
      verb="kind"
      title="Change kind"
      label="Change kind"
      labelWhileSending="Changing..."
      defaults={{ kind: '' }}
      schema={Kind}
      done="The kind was changed, and its deadlines with it."
    >
      {(form) => (
        <>
          <p>
            The deadlines change to those of the new kind. They count from when the notice arrived; for a child at risk,
            from now; for an incomplete copyright notice, from when it is complete.
          </p>
          <SelectField
            {...form.field('kind')}
            label="Kind"
            help="A notice about a child at risk hides its entries right away, and only safety officers see it from then on."
            options={[
              { value: '', label: 'Choose' },
              ...others.map((kind) => ({ value: kind, label: kindLabels[kind] })),
            ]}
          />
        </>
      )}
    </CaseDialog>
  )
}

export function AttachDialog(dialog: DialogOfCase) {
  return (
    <CaseDialog
      {...dialog}
      verb="entries"
      title="Attach an entry"
      label="Attach"
      labelWhileSending="Attaching..."
      defaults={{ add: '' }}
      schema={Entry}
      done="The entry was attached."
    >
      {(form) => (
        <>
          <p>Every decision on this notice then applies to that entry too.</p>
          <TextField
            {...form.field('add')}
            label="Address of its page"
            help="Such as /western/letters-from-a-lighthouse."
            autoComplete="off"
            spellCheck={false}
          />
        </>
      )}
    </CaseDialog>
  )
}

export function DuplicateDialog(dialog: DialogOfCase) {
  return (
    <CaseDialog
      {...dialog}
      verb="duplicate"
      title="Mark as duplicate"
      label="Mark as duplicate"
      labelWhileSending="Marking..."
      defaults={{ of: '' }}
      schema={Original}
      done="The notice was marked as a duplicate."
    >
      {(form) => (
        <>
          <p>
            Its deadlines end, and it is decided together with the other notice, which takes over its addresses and
            keeps hidden what it has hidden. The other notice must be of the same or a more serious kind. It must be
            open, or its decision must cover everything that this one names.
          </p>
          <TextField
            {...form.field('of')}
            label="Reference of the other notice"
            placeholder="N-XXXX-XXXX"
            autoComplete="off"
            spellCheck={false}
          />
        </>
      )}
    </CaseDialog>
  )
}

export function DetachDialog({ desk, address, onClose }: DialogOfCase & { address: ReportedAddress }) {
  const name = (address.asItIs ?? address.asReported)?.name ?? address.url
  return (
    <ConfirmDialog
      title="Detach this entry?"
      label="Detach"
      labelWhileSending="Detaching..."
      otherwise="The entry could not be detached."
      act={async () => {
        await changeCase(desk, 'entries', { remove: address.id })
        desk.onDone('The entry was detached.')
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        Decisions on this notice no longer apply to <bdi>{name}</bdi>. If it was hidden only because of this notice, it
        comes back.
      </p>
    </ConfirmDialog>
  )
}

export function CloseDialog({ desk, onClose }: DialogOfCase) {
  return (
    <ConfirmDialog
      title="Close this notice?"
      label="Close"
      labelWhileSending="Closing..."
      otherwise="The notice could not be closed."
      act={async () => {
        await changeCase(desk, 'close')
        desk.onDone('The notice was closed.')
        onClose()
      }}
      onClose={onClose}
    >
      <p>Nobody is notified. The decision stays in force, and an appeal opens the notice again.</p>
    </ConfirmDialog>
  )
}
