import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { PasswordField } from '../../../ui/text-field.tsx'
import { callApi, sentenceOf } from '../call-api.ts'
import { checkNewPassword } from '../registration.ts'
import { current } from '../session-store.ts'
import { DialogForm, unknownRefusal } from './dialog-form.tsx'
import { useLater } from './use-later.ts'
import { refusalOf, textOf, useSubmission } from './use-submission.ts'

/** How long the good news stands (PRODUCT.md, section 9). */
const closeMs = 2_000

/**
 * Asks for a new password, twice.
 * @param onChanged called when it holds, and all other sessions have ended
 */
export function ChangePasswordDialog({
  email,
  clientKey,
  onChanged,
  onClose,
}: {
  email: string
  clientKey: string
  onChanged: () => void
  onClose: () => void
}) {
  const [isDirty, setIsDirty] = useState(false)
  const [done, setDone] = useState<string>()
  const later = useLater()

  const submission = useSubmission({
    check(values) {
      const password = textOf(values, 'password')
      const problem = checkNewPassword(password)
      if (problem !== undefined) return problem
      return password === textOf(values, 'confirmation')
        ? undefined
        : { field: 'confirmation', message: 'Passwords do not match' }
    },
    async send(values) {
      const token = current().session?.token ?? ''
      const body = { token, password: textOf(values, 'password') }
      const reply = await callApi('/reset-password/account', { method: 'POST', clientKey, body })
      if (!reply.ok) return refusalOf(reply, 'Failed to change password')
      setDone(sentenceOf(reply) ?? 'Password changed successfully!')
      onChanged()
      later(closeMs, onClose)
      return undefined
    },
    unreachable: unknownRefusal,
  })
  const { isSending, problemOf } = submission

  return (
    <Dialog title="Change Password" isBusy={isSending} isDirty={isDirty && done === undefined} onClose={onClose}>
      <p className="dialog-lead">
        For <bdi>{email}</bdi>. You stay signed in here; every other session ends.
      </p>
      <DialogForm
        submission={submission}
        label="Change Password"
        labelWhileSending="Changing..."
        done={done}
        onInput={() => setIsDirty(true)}
        onCancel={onClose}
      >
        {/* Tells a password manager whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="New Password"
          name="password"
          autoComplete="new-password"
          help="At least 8 characters."
          required
          problem={problemOf('password')}
        />
        <PasswordField
          label="Confirm Password"
          name="confirmation"
          autoComplete="new-password"
          required
          problem={problemOf('confirmation')}
        />
      </DialogForm>
    </Dialog>
  )
}
