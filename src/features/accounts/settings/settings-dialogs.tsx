import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import { leaveForGood } from '../browser/leave-for-good.ts'
import type { AccountPageProps } from './account-page.ts'
import { ChangeEmailDialog } from './change-email-dialog.tsx'
import { ChangePasswordDialog } from './change-password-dialog.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

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
