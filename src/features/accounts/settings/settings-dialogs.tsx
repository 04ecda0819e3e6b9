import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import type { AccountPageProps } from './account-page.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { clearSession, current } from '../../../browser/session-store.ts'
import { ActDialog } from '../../../ui/act-dialog.tsx'
import { EmailField, PasswordField } from '../../../ui/text-field.tsx'
import { request } from '../../../browser/api-client.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { useApiForm } from '../../office/browser/api-form.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { checkNewEmail, checkNewPassword } from '../user/registration.ts'
import { PasswordChanged } from '../sign-in/password-changed-schema.ts'
import { useLater } from '../../../ui/use-later.ts'

type DialogName = 'password' | 'email' | 'delete'

interface SettingsDialogs {
  open: (dialog: DialogName) => void
}

const Context = createContext<SettingsDialogs>({ open: () => {} })

export function useSettingsDialogs(): SettingsDialogs {
  return use(Context)
}

export function SettingsDialogsProvider({
  profile,
  deletion,
  onStale,
  onDeleted,
  children,
}: AccountPageProps<unknown> & { children: ReactNode }) {
  const [dialog, setDialog] = useState<DialogName>()
  const dialogs = useMemo(() => ({ open: setDialog }), [])
  const close = (): void => setDialog(undefined)
  return (
    <Context value={dialogs}>
      {children}
      {dialog === 'password' ? <ChangePasswordDialog profile={profile} onClose={close} /> : null}
      {dialog === 'email' ? <ChangeEmailDialog profile={profile} onStale={onStale} onClose={close} /> : null}
      {dialog === 'delete' ? (
        <DeleteAccountDialog
          profile={profile}
          losses={deletion.losses}
          notes={deletion.notes}
          onDeleted={onDeleted}
          onLeave={leaveForGood}
          onClose={close}
        />
      ) : null}
    </Context>
  )
}

/** After an account was deleted: nothing stays in this browser, and a new page begins as for a stranger. */
function leaveForGood(): void {
  clearSession()
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      window[name].clear()
    } catch {
      // Storage that could not be written needs no clearing.
    }
  }
  window.location.replace('/')
}

/**
 * Asks for another address. It changes once the link is used that goes there.
 * @param onStale called when the profile is known not to be true any more
 */
function ChangeEmailDialog({
  profile: { email },
  onStale,
  onClose,
}: {
  profile: Pick<AccountForMember, 'email'>
  onStale: () => void
  onClose: () => void
}) {
  const [done, setDone] = useState<string>()
  const form = useApiForm({
    defaults: { email: '' },
    check: (typed) => checkNewEmail(typed.email, { present: email }),
    async send(typed) {
      const body = { email: typed.email.trim() }
      const { message } = await request('/auth/address', MessageAnswer, { method: 'POST', body })
      setDone(message)
      onStale()
    },
    otherwise: 'Failed to change the address',
    unreachable: 'An unknown error occurred',
  })
  return (
    <ActDialog
      title="Change Email Address"
      lead={
        <p className="dialog-lead">
          Your address is <bdi>{email}</bdi>. We send a link to the new one; the address changes once you use it. We
          tell the present one as well.
        </p>
      }
      form={form}
      label="Send Link"
      labelWhileSending="Sending..."
      done={done}
      onClose={onClose}
    >
      <EmailField {...form.field('email')} label="New Email Address" />
    </ActDialog>
  )
}

/** How long the good news stands (docs/spec/words.md#constants). */
const closeMs = 2_000

/** Asks for a new password, twice. When it holds, all other sessions have ended. */
function ChangePasswordDialog({
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
