import { type ReactNode, useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { request } from '../../../browser/api-client.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { DialogForm, unknownRefusal } from '../../office/parts/dialog-form.tsx'
import { refusalIn, textOf, useSubmission } from '../../office/parts/use-submission.ts'

const confirmation = 'delete my account'
/** How long the last word stands (docs/spec/words.md#constants). */
const redirectMs = 2_000

/**
 * Deletes the account once its member has written that they mean it.
 * @param losses list items: what other features say is lost with it
 * @param notes paragraphs: what they say outlives it
 * @param onDeleted called at once, while the last word still stands
 * @param onLeave called when it is time to go
 */
export function DeleteAccountDialog({
  profile,
  losses,
  notes,
  clientKey,
  onDeleted,
  onLeave,
  onClose,
}: {
  profile: Pick<AccountForMember, 'email'>
  losses: ReactNode
  notes: ReactNode
  clientKey: string
  onDeleted: () => void
  onLeave: () => void
  onClose: () => void
}) {
  const { email } = profile
  const [typed, setTyped] = useState('')
  const [isDone, setIsDone] = useState(false)

  const remove = useApiMutation({
    mutationFn: () =>
      request(`/auth/delete-account/${encodeURIComponent(email)}`, MessageAnswer, { method: 'DELETE', clientKey }),
  })

  const submission = useSubmission({
    check: (values) =>
      isConfirmed(textOf(values, 'confirmation'))
        ? undefined
        : { field: 'confirmation', message: 'Please type the confirmation text correctly' },
    async send() {
      try {
        await remove.mutateAsync()
      } catch (error) {
        const detail = refusalIn(error, '').message
        return { message: 'Failed to delete account', ...(detail === '' ? {} : { detail }) }
      }
      setIsDone(true)
      onDeleted()
      // On whatever page they are by then: nothing of the account may stay in this browser.
      setTimeout(onLeave, redirectMs)
      return undefined
    },
    unreachable: unknownRefusal,
  })
  const { isSending, errorOf } = submission

  return (
    <Dialog title="Delete Account" isBusy={isSending || isDone} isDirty={typed !== ''} onClose={onClose}>
      <p className="dialog-lead">
        This deletes the account of <bdi>{email}</bdi> at once and for good. What is lost:
      </p>
      <ul className="dialog-losses">
        <li>your name, your address and your password</li>
        {losses}
        <li>your sessions: every device is signed out</li>
      </ul>
      {notes}
      <DialogForm
        submission={submission}
        label="Delete Account"
        labelWhileSending="Deleting..."
        done={isDone ? 'Account successfully deleted. Redirecting...' : undefined}
        isReady={isConfirmed(typed)}
        isGrave
        canCancel={false}
        onCancel={onClose}
      >
        <TextField
          label={`Type '${confirmation}' to confirm`}
          name="confirmation"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          readOnly={isSending || isDone}
          problem={errorOf('confirmation')}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            // A disabled button keeps Enter from the form, and with it the sentence that says why.
            if (event.key === 'Enter' && !isConfirmed(typed)) event.currentTarget.form?.requestSubmit()
          }}
        />
      </DialogForm>
    </Dialog>
  )
}

function isConfirmed(typed: string): boolean {
  return typed.trim().replaceAll(/\s+/gu, ' ').toLowerCase() === confirmation
}
