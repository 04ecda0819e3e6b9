import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { PasswordField } from '../../../ui/text-field.tsx'
import { request } from '../../../browser/api-client.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { checkNewPassword } from '../user/registration.ts'
import { current } from '../../../browser/session-store.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { DialogForm, unknownRefusal } from '../../office/parts/dialog-form.tsx'
import { PasswordChanged } from '../sign-in/password-changed-schema.ts'
import { useLater } from '../../../ui/use-later.ts'
import { refusalIn, textOf, useSubmission } from '../../office/parts/use-submission.ts'

/** How long the good news stands (docs/spec/words.md#constants). */
const closeMs = 2_000

/** Asks for a new password, twice. When it holds, all other sessions have ended. */
export function ChangePasswordDialog({
  profile: { email, isAdmin },
  clientKey,
  onClose,
}: {
  profile: AccountForMember
  clientKey: string
  onClose: () => void
}) {
  const [isDirty, setIsDirty] = useState(false)
  const [done, setDone] = useState<string>()
  const later = useLater()

  const change = useApiMutation({
    mutationFn: (password: string) =>
      request('/reset-password/account', PasswordChanged, {
        method: 'POST',
        clientKey,
        renewsToken: true,
        body: { token: current().session?.token ?? '', password },
      }),
  })

  const submission = useSubmission({
    check(values) {
      const password = textOf(values, 'password')
      const problem = checkNewPassword(password, { isAdmin })
      if (problem !== undefined) return problem
      return password === textOf(values, 'confirmation')
        ? undefined
        : { field: 'confirmation', message: 'Passwords do not match' }
    },
    async send(values) {
      try {
        const { message } = await change.mutateAsync(textOf(values, 'password'))
        setDone(message)
      } catch (error) {
        return refusalIn(error, 'Failed to change password')
      }
      later(closeMs, onClose)
      return undefined
    },
    unreachable: unknownRefusal,
  })
  const { isSending, errorOf } = submission

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
          help={isAdmin ? 'At least 12 characters.' : 'At least 8 characters.'}
          required
          problem={errorOf('password')}
        />
        <PasswordField
          label="Confirm Password"
          name="confirmation"
          autoComplete="new-password"
          required
          problem={errorOf('confirmation')}
        />
      </DialogForm>
    </Dialog>
  )
}
