import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { callApi, sentenceOf } from '../call-api.ts'
import { daysInWords, daysLeft } from '../instant-words.ts'
import type { Profile } from '../session-store.ts'
import { DialogForm, unknownRefusal } from './dialog-form.tsx'
import { textOf, useSubmission } from './use-submission.ts'

const confirmation = 'delete my account'
/** How long the last word stands (PRODUCT.md, section 9). */
const redirectMs = 2_000

/**
 * Deletes the account once its member has written that he means it.
 * @param hasSubscription whether there may be a subscription that is paid for
 * @param onDeleted called at once, while the last word still stands
 * @param onLeave called when it is time to go
 */
export function DeleteAccountDialog({
  profile,
  hasSubscription,
  now,
  clientKey,
  onDeleted,
  onLeave,
  onClose,
}: {
  profile: Pick<Profile, 'email' | 'isVip' | 'vipExpirationDate'>
  hasSubscription: boolean
  now: number
  clientKey: string
  onDeleted: () => void
  onLeave: () => void
  onClose: () => void
}) {
  const { email, isVip, vipExpirationDate } = profile
  const [typed, setTyped] = useState('')
  const [isDone, setIsDone] = useState(false)

  const submission = useSubmission({
    check: (values) =>
      isConfirmed(textOf(values, 'confirmation'))
        ? undefined
        : { field: 'confirmation', message: 'Please type the confirmation text correctly' },
    async send() {
      const path = `/auth/delete-account/${encodeURIComponent(email)}`
      const reply = await callApi(path, { method: 'DELETE', clientKey })
      if (!reply.ok) {
        const detail = sentenceOf(reply)
        return { message: 'Failed to delete account', ...(detail === undefined ? {} : { detail }) }
      }
      setIsDone(true)
      onDeleted()
      // Whatever page he is on by then: nothing of the account may stay in this browser.
      setTimeout(onLeave, redirectMs)
      return undefined
    },
    unreachable: unknownRefusal,
  })
  const { isSending, problemOf } = submission

  return (
    <Dialog title="Delete Account" isBusy={isSending || isDone} isDirty={typed !== ''} onClose={onClose}>
      <p className="dialog-lead">
        This deletes the account of <bdi>{email}</bdi> at once and for good. What is lost:
      </p>
      <ul className="dialog-losses">
        <li>your name, your address and your password</li>
        {isVip && vipExpirationDate !== null ? (
          <li>{`your VIP membership, and what is left of it: ${daysInWords(daysLeft(vipExpirationDate, now))}`}</li>
        ) : null}
        {hasSubscription ? <li>a paid subscription: it is cancelled at once, and you are not charged again</li> : null}
        <li>your sessions: every device is signed out</li>
      </ul>
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
          problem={problemOf('confirmation')}
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
