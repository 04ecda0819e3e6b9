import { type ReactNode, useState } from 'react'
import { dropDraft, saveDraft, readDraft } from '../../../../browser/saved-draft.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { FieldErrorText, TextArea, TextField } from '../../../../ui/text-field.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { DialogForm } from '../../../office/parts/dialog-form.tsx'
import {
  networkRefusal,
  type Refusal,
  refusalIn,
  type Submission,
  textOf,
  useSubmission,
} from '../../../office/parts/use-submission.ts'
import { maxDecisionText, type NoticeForDesk, type ReportedAddress } from '../../desk/desk-schema.ts'
import { kindLabels, noticeKinds } from '../../notice/notice-kinds.ts'
import { type CaseOnDesk, changeCase, happenedSince, seenOf } from './case-calls.ts'
import { elementInWords, waitsSentence } from './desk-words.ts'
import { Meanwhile } from './meanwhile.tsx'

interface DialogOfCase {
  desk: CaseOnDesk
  onClose: () => void
}

/** The text of a dialog, saved before a reload. */
type SavedFields = Partial<Record<string, readonly string[]>>

/**
 * A dialog about a notice. Its text survives a reload, and another person's change, which it shows.
 * @param done what the page says once it is done
 */
function CaseDialog({
  desk,
  verb,
  title,
  label,
  labelWhileSending,
  done,
  check,
  bodyOf,
  onClose,
  children,
}: DialogOfCase & {
  verb: string
  title: string
  label: string
  labelWhileSending: string
  done: string
  check: (values: FormData) => Refusal | undefined
  bodyOf: (values: FormData) => Record<string, unknown>
  children: (submission: Submission, saved: SavedFields) => ReactNode
}) {
  const { notice, whose } = desk
  const draft = `notice ${notice.reference} ${verb}`
  const [saved] = useState(() => readSaved(readDraft(whose, draft)))
  const [seen] = useState(() => seenOf(notice))
  const [isDirty, setIsDirty] = useState(saved !== undefined)
  const happened = happenedSince(notice, seen)
  const close = (): void => {
    dropDraft(whose, draft)
    onClose()
  }
  const submission = useSubmission({
    check,
    async send(values) {
      try {
        const changed = await changeCase(desk, verb, bodyOf(values))
        desk.onDone(doneSentence(changed, done))
        close()
        return undefined
      } catch (error) {
        return refusalIn(error, 'That could not be done.')
      }
    },
    unreachable: networkRefusal,
  })
  return (
    <Dialog title={title} isBusy={submission.isSending} isDirty={isDirty} onClose={close}>
      <div
        className="dialog-part"
        onInput={({ target }) => {
          const { form } = target as HTMLInputElement
          if (form === null) return
          setIsDirty(true)
          saveDraft(whose, draft, fieldsOf(new FormData(form)))
        }}
      >
        <DialogForm
          submission={submission}
          label={label}
          labelWhileSending={labelWhileSending}
          done={undefined}
          onCancel={close}
        >
          {children(submission, saved ?? {})}
          {happened === undefined ? null : (
            <Notice tone="calm">
              <p>This notice has changed meanwhile.</p>
              <Meanwhile status={notice.status} happened={happened} />
            </Notice>
          )}
        </DialogForm>
      </div>
    </Dialog>
  )
}

/** The sentence after a change: the first of two safety officers has changed nothing yet. */
function doneSentence(changed: NoticeForDesk | undefined, done: string): string {
  return changed?.waitsForSecond === true ? waitsSentence : done
}

function fieldsOf(values: FormData): Record<string, string[]> {
  const fields: Record<string, string[]> = {}
  for (const name of new Set(values.keys()))
    fields[name] = values.getAll(name).filter((value): value is string => typeof value === 'string')
  return fields
}

function readSaved(content: unknown): SavedFields | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const isValid = Object.values(content).every(
    (values) => Array.isArray(values) && values.every((value) => typeof value === 'string'),
  )
  return isValid ? content : undefined
}

/** Why a text is not taken; undefined where it is. */
function refusalOfText(field: string, text: string, max: number, ifEmpty: string): Refusal | undefined {
  if (text === '') return { message: ifEmpty, field }
  return [...text].length > max
    ? { message: `Shorten this to ${max.toLocaleString('en-US')} characters or fewer.`, field }
    : undefined
}

const maxNote = 2_000

/** Asks the sender for what is missing. */
export function AskDialog({ desk, onClose }: DialogOfCase) {
  const { kind, elements, sender } = desk.notice
  return (
    <CaseDialog
      desk={desk}
      verb="ask"
      title="Ask for information"
      label="Ask"
      labelWhileSending="Asking..."
      done="The sender was asked."
      check={(values) => {
        if (values.getAll('missing').length === 0) return { message: 'Choose what is missing.', field: 'missing' }
        return refusalOfText('message', textOf(values, 'message').trim(), maxDecisionText, 'Write what you need.')
      }}
      bodyOf={(values) => ({ missing: values.getAll('missing'), message: textOf(values, 'message').trim() })}
      onClose={onClose}
    >
      {(submission, saved) => (
        <>
          <p>
            {sender.email === null
              ? 'They gave no email address. They can only read this on the private page of their notice.'
              : `We email it to ${sender.email}, and show it on the private page of their notice.`}
          </p>
          <fieldset className="desk-boxes" aria-describedby="ask-problem">
            <legend>What is missing</legend>
            {elements.map(({ name, label, isGiven }) => (
              <Checkbox
                key={name}
                name="missing"
                value={name}
                label={elementInWords(kind, name, label)}
                defaultChecked={saved['message'] === undefined ? !isGiven : saved['missing']?.includes(name) === true}
              />
            ))}
            <FieldErrorText id="ask-problem" problem={submission.errorOf('missing')} />
          </fieldset>
          <TextArea
            name="message"
            label="Message"
            help="What they need to send, in words they understand."
            dir="auto"
            defaultValue={saved['message']?.[0] ?? ''}
            problem={submission.errorOf('message')}
          />
        </>
      )}
    </CaseDialog>
  )
}

/** It is about something else than its sender thought. */
export function KindDialog({ desk, onClose }: DialogOfCase) {
  const others = noticeKinds.filter((kind) => kind !== desk.notice.kind)
  return (
    <CaseDialog
      desk={desk}
      verb="kind"
      title="Change kind"
      label="Change kind"
      labelWhileSending="Changing..."
      done="The kind was changed, and its deadlines with it."
      check={(values) => (textOf(values, 'kind') === '' ? { message: 'Choose the kind.', field: 'kind' } : undefined)}
      bodyOf={(values) => ({ kind: textOf(values, 'kind') })}
      onClose={onClose}
    >
      {(submission, saved) => (
        <>
          <p>
            The deadlines change to those of the new kind. They count from when the notice arrived; for a child at risk,
            from now; for an incomplete copyright notice, from when it is complete.
          </p>
          <SelectField
            name="kind"
            label="Kind"
            help="A notice about a child at risk hides its entries right away, and only safety officers see it from then on."
            defaultValue={saved['kind']?.[0] ?? ''}
            options={[
              { value: '', label: 'Choose' },
              ...others.map((kind) => ({ value: kind, label: kindLabels[kind] })),
            ]}
            problem={submission.errorOf('kind')}
          />
        </>
      )}
    </CaseDialog>
  )
}

/** An entry that the notice is about, and that its addresses have not led to. */
export function AttachDialog({ desk, onClose }: DialogOfCase) {
  return (
    <CaseDialog
      desk={desk}
      verb="entries"
      title="Attach an entry"
      label="Attach"
      labelWhileSending="Attaching..."
      done="The entry was attached."
      check={(values) =>
        textOf(values, 'add').trim() === '' ? { message: 'Write the address of its page.', field: 'add' } : undefined
      }
      bodyOf={(values) => ({ add: textOf(values, 'add').trim() })}
      onClose={onClose}
    >
      {(submission, saved) => (
        <>
          <p>Every decision on this notice then applies to that entry too.</p>
          <TextField
            name="add"
            label="Address of its page"
            help="Such as /western/letters-from-a-lighthouse."
            autoComplete="off"
            spellCheck={false}
            defaultValue={saved['add']?.[0] ?? ''}
            problem={submission.errorOf('add')}
          />
        </>
      )}
    </CaseDialog>
  )
}

/** It repeats another notice. */
export function DuplicateDialog({ desk, onClose }: DialogOfCase) {
  return (
    <CaseDialog
      desk={desk}
      verb="duplicate"
      title="Mark as duplicate"
      label="Mark as duplicate"
      labelWhileSending="Marking..."
      done="The notice was marked as a duplicate."
      check={(values) =>
        /^N-[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(referenceIn(values))
          ? undefined
          : { message: 'Write the reference of the other notice, such as N-4GT7-0KQ2.', field: 'of' }
      }
      bodyOf={(values) => ({ of: referenceIn(values) })}
      onClose={onClose}
    >
      {(submission, saved) => (
        <>
          <p>
            Its deadlines end, and it is decided together with the other notice, which takes over its addresses and
            keeps hidden what it has hidden. The other notice must be of the same or a more serious kind. It must be
            open, or its decision must cover everything that this one names.
          </p>
          <TextField
            name="of"
            label="Reference of the other notice"
            placeholder="N-XXXX-XXXX"
            autoComplete="off"
            spellCheck={false}
            defaultValue={saved['of']?.[0] ?? ''}
            problem={submission.errorOf('of')}
          />
        </>
      )}
    </CaseDialog>
  )
}

function referenceIn(values: FormData): string {
  return textOf(values, 'of').trim().toUpperCase()
}

/** A counter-notice of a notice of which somebody works on this page. */
interface DialogOfCounterNotice extends DialogOfCase {
  counterNotice: NoticeForDesk['counterNotices'][number]
}

/** Only this forwards a counter-notice, and has what it names come back. */
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

/** It is not forwarded, and whoever sent it reads why. */
export function RefuseDialog({ desk, counterNotice: { id, email }, onClose }: DialogOfCounterNotice) {
  return (
    <CaseDialog
      desk={desk}
      verb={`counter-notices/${id}/refuse`}
      title="Refuse this counter-notice"
      label="Refuse"
      labelWhileSending="Refusing..."
      done="The counter-notice was refused."
      check={(values) =>
        refusalOfText('reasons', textOf(values, 'reasons').trim(), maxDecisionText, 'Write why you refuse it.')
      }
      bodyOf={(values) => ({ reasons: textOf(values, 'reasons').trim() })}
      onClose={onClose}
    >
      {(submission, saved) => (
        <>
          <p>{`Nothing is forwarded or restored. We email your reasons to ${email}.`}</p>
          <TextArea
            name="reasons"
            label="Reasons"
            help="For example: they did not publish the entry, or no address leads to it."
            dir="auto"
            defaultValue={saved['reasons']?.[0] ?? ''}
            problem={submission.errorOf('reasons')}
          />
        </>
      )}
    </CaseDialog>
  )
}

/** Somebody went to court against what would be given back. */
export function ActionDialog({ desk, counterNotice: { id }, onClose }: DialogOfCounterNotice) {
  return (
    <CaseDialog
      desk={desk}
      verb={`counter-notices/${id}/action`}
      title="Note a court action"
      label="Note it"
      labelWhileSending="Noting..."
      done="The court action was noted. Nothing is restored automatically."
      check={(values) =>
        refusalOfText(
          'note',
          textOf(values, 'note').trim(),
          maxNote,
          'Write which court action it is and how you know about it.',
        )
      }
      bodyOf={(values) => ({ note: textOf(values, 'note').trim() })}
      onClose={onClose}
    >
      {(submission, saved) => (
        <>
          <p>Its entries then stay off the site until a new decision.</p>
          <TextArea
            name="note"
            label="Note"
            help="The court, the case number, and when and how you were told."
            dir="auto"
            defaultValue={saved['note']?.[0] ?? ''}
            problem={submission.errorOf('note')}
          />
        </>
      )}
    </CaseDialog>
  )
}

/** An address that the notice is not about after all. */
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

/** Nothing is to be done any more. */
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
