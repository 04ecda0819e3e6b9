import { useState } from 'react'
import { ActDialog } from '../../../ui/act-dialog.tsx'
import { PasswordField } from '../../../ui/text-field.tsx'
import { request } from '../../../browser/api-client.ts'
import { checkNewPassword } from '../user/registration.ts'
import { current } from '../../../browser/session-store.ts'
import { useApiForm } from '../../office/browser/api-form.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { PasswordChanged } from '../sign-in/password-changed-schema.ts'
import { useLater } from '../../../ui/use-later.ts'

/** How long the good news stands (docs/spec/words.md#constants). */
const closeMs = 2_000

/** Asks for a new password, twice. When it holds, all other sessions have ended. */
export function ChangePasswordDialog({
  profile: { email, isAdmin },
  onClose,
}: {
  profile: AccountForMember
  onClose: () => void
}) {
  const [done, setDone] = useState<string>()
  const later = useLater()
  const form = useApiForm({
    defaults: { password: '', confirmation: '' },
    check: ({ password, confirmation }) =>
      checkNewPassword(password, { isAdmin }) ??
      (password === confirmation ? undefined : { field: 'confirmation', message: 'Passwords do not match' }),
    async send({ password }) {
      const { message } = await request('/reset-password/account', PasswordChanged, {
        method: 'POST',
        renewsToken: true,
        body: { token: current().session?.token ?? '', password },
      })
      setDone(message)
      later(closeMs, onClose)
    },
    otherwise: 'Failed to change password',
    unreachable: 'An unknown error occurred',
  })
  return (
    <ActDialog
      title="Change Password"
      lead={
        <p className="dialog-lead">
          For <bdi>{email}</bdi>. You stay signed in here; every other session ends.
        </p>
      }
      form={form}
      label="Change Password"
      labelWhileSending="Changing..."
      done={done}
      onClose={onClose}
    >
      {/* Tells a password manager whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...form.field('password')}
        label="New Password"
        autoComplete="new-password"
        help={isAdmin ? 'At least 12 characters.' : 'At least 8 characters.'}
        required
      />
      <PasswordField {...form.field('confirmation')} label="Confirm Password" autoComplete="new-password" required />
    </ActDialog>
  )
}
