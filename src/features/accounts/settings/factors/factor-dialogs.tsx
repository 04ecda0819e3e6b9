import { ApiError, noAnswer, request } from '../../../../browser/api-client.ts'
import { RecoveryCodes } from '../../factors/factor-schema.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { type FactorDialogProps, type OpenFactor, passkeysPath, recoveryCodesPath, totpPath } from './open-factor.ts'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx'
import { SetUpTotpDialog } from './set-up-totp-dialog.tsx'

/** The dialogs of two-step sign-in, which are loaded when the first of them is opened. */
export function FactorDialog({ open, email, ...ends }: FactorDialogProps & { open: OpenFactor; email: string }) {
  switch (open.name) {
    case 'add-passkey':
      return <AddPasskeyDialog proposed={open.proposed} {...ends} />
    case 'rename-passkey':
      return <RenamePasskeyDialog passkey={open.passkey} {...ends} />
    case 'set-up-totp':
      return <SetUpTotpDialog setup={open.setup} {...ends} />
    case 'codes':
      return <RecoveryCodesDialog codes={open.codes} isFirst={open.isFirst} email={email} onClose={ends.onClose} />
    case 'remove-passkey':
      return (
        <ConfirmDialog
          title="Remove passkey"
          label="Remove"
          labelWhileSending="Removing..."
          isGrave
          otherwise="The passkey could not be removed. Please try again."
          act={async () => {
            await remove(`${passkeysPath}/${open.passkey.id}`)
            ends.onDone(open.isLast ? isOff : `The passkey “${open.passkey.name}” was removed.`)
          }}
          onClose={ends.onClose}
        >
          <p>
            You will no longer be able to sign in with “<bdi>{open.passkey.name}</bdi>”. It stays on your device until
            you delete it there.
          </p>
          {open.isLast ? <LastFactor /> : null}
        </ConfirmDialog>
      )
    case 'remove-totp':
      return (
        <ConfirmDialog
          title="Remove authenticator app"
          label="Remove"
          labelWhileSending="Removing..."
          isGrave
          otherwise="The authenticator app could not be removed. Please try again."
          act={async () => {
            await remove(totpPath)
            ends.onDone(open.isLast ? isOff : 'The authenticator app was removed.')
          }}
          onClose={ends.onClose}
        >
          <p>You will no longer be able to sign in with the codes of your app.</p>
          {open.isLast ? <LastFactor /> : null}
        </ConfirmDialog>
      )
    case 'renew-codes':
      return (
        <ConfirmDialog
          title="Make new recovery codes"
          label="Make new codes"
          labelWhileSending="Making..."
          otherwise="New codes could not be made. Please try again."
          act={async () => {
            const { codes } = await request(recoveryCodesPath, RecoveryCodes, { method: 'POST' })
            ends.onDone('You have ten new recovery codes.', { codes, isFirst: false })
          }}
          onClose={ends.onClose}
        >
          <p>You get ten new codes. Your old codes will stop working.</p>
        </ConfirmDialog>
      )
  }
}

const isOff = 'Two-step sign-in is off: your password alone signs you in.'

function LastFactor() {
  return (
    <p>
      It is your last one. <strong>Two-step sign-in will be off</strong>, and your recovery codes will stop working:
      your password alone will sign you in.
    </p>
  )
}

async function remove(path: string): Promise<void> {
  try {
    await request(path, noAnswer, { method: 'DELETE' })
  } catch (error) {
    // A missing factor is as good as removed.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
}
