import { type ReactNode, useState } from 'react'
import { ActDialog } from '../../../ui/act-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { request } from '../../../browser/api-client.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { useApiForm } from '../../office/browser/api-form.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'

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
  onDeleted,
  onLeave,
  onClose,
}: {
  profile: Pick<AccountForMember, 'email'>
  losses: ReactNode
  notes: ReactNode
  onDeleted: () => void
  onLeave: () => void
  onClose: () => void
}) {
  const { email } = profile
  const [isDone, setIsDone] = useState(false)
  const form = useApiForm({
    defaults: { confirmation: '' },
    check: (typed) =>
      isConfirmed(typed.confirmation)
        ? undefined
        : { field: 'confirmation', message: 'Please type the confirmation text correctly' },
    async send() {
      await request(`/auth/delete-account/${encodeURIComponent(email)}`, MessageAnswer, { method: 'DELETE' })
      setIsDone(true)
      onDeleted()
      // On whatever page they are by then: nothing of the account may stay in this browser.
      setTimeout(onLeave, redirectMs)
    },
    otherwise: 'Failed to delete account',
    saysBoth: true,
    unreachable: 'An unknown error occurred',
  })
  const isReady = isConfirmed(form.values.confirmation)
  return (
    <ActDialog
      title="Delete Account"
      lead={
        <>
          <p className="dialog-lead">
            This deletes the account of <bdi>{email}</bdi> at once and for good. What is lost:
          </p>
          <ul className="dialog-losses">
            <li>your name, your address and your password</li>
            {losses}
            <li>your sessions: every device is signed out</li>
          </ul>
          {notes}
        </>
      }
      form={form}
      label="Delete Account"
      labelWhileSending="Deleting..."
      done={isDone ? 'Account successfully deleted. Redirecting...' : undefined}
      isReady={isReady}
      isGrave
      canClose={false}
      onClose={onClose}
    >
      <TextField
        {...form.field('confirmation')}
        label={`Type '${confirmation}' to confirm`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        readOnly={form.isSending || isDone}
        onKeyDown={(event) => {
          // A disabled button keeps Enter from the form, and with it the sentence that says why.
          if (event.key === 'Enter' && !isReady) event.currentTarget.form?.requestSubmit()
        }}
      />
    </ActDialog>
  )
}

function isConfirmed(typed: string): boolean {
  return typed.trim().replaceAll(/\s+/gu, ' ').toLowerCase() === confirmation
}
