import { ApiError, noAnswer, request } from '../../../../browser/api-client.ts'
import {
  RecoveryCodes,
  FactorsForMember,
  type PasskeyForMember,
  FactorAdded,
  PasskeyOptions,
  type TotpSetup,
} from '../../factors/factor-schema.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { type FactorDialogProps, type OpenFactor, passkeysPath, recoveryCodesPath, totpPath } from './open-factor.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { maxPasskeyNameLength, PasskeyName } from './passkey-name.ts'
import { createPasskey } from '../../parts/factors/passkey-prompt.ts'
import { useMedia } from '../../../../ui/use-media.ts'
import { checkCode, CodeField } from '../../parts/factors/code-field.tsx'
import { CopyButton } from './copy-button.tsx'
import { QrCode } from './qr-code.tsx'
import './factors.css'
import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { saveFile } from '../../../../browser/save-file.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Icon } from '../../../../ui/icon.tsx'

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

function RenamePasskeyDialog({ passkey, onDone, onClose }: FactorDialogProps & { passkey: PasskeyForMember }) {
  const form = useApiForm({
    defaults: { name: passkey.name },
    schema: PasskeyName,
    async send(body) {
      await request(`${passkeysPath}/${passkey.id}`, FactorsForMember, { method: 'PUT', body })
      onDone(`The passkey was renamed “${body.name}”.`)
    },
    otherwise: 'The passkey could not be renamed. Please try again.',
  })
  return (
    <ActDialog title="Rename passkey" form={form} label="Rename" labelWhileSending="Renaming..." onClose={onClose}>
      <TextField {...form.field('name')} label="Name" autoComplete="off" required maxLength={maxPasskeyNameLength} />
    </ActDialog>
  )
}

function AddPasskeyDialog({ proposed, onDone, onClose }: FactorDialogProps & { proposed: string }) {
  const form = useApiForm({
    defaults: { name: proposed },
    schema: PasskeyName,
    async send({ name }, refuse) {
      const { options } = await request(`${passkeysPath}/options`, PasskeyOptions, { method: 'POST' })
      const prompted = await createPasskey(options)
      if ('problem' in prompted) {
        refuse({ message: prompted.problem })
        return
      }
      const { recoveryCodes } = await request(passkeysPath, FactorAdded, {
        method: 'POST',
        body: { name, response: prompted.response },
      })
      onDone(
        `The passkey “${name}” was added.`,
        recoveryCodes === null ? undefined : { codes: recoveryCodes, isFirst: true },
      )
    },
    otherwise: 'The passkey could not be added. Please try again.',
  })
  return (
    <ActDialog
      title="Add a passkey"
      lead={
        <p className="dialog-lead">
          A passkey stays on this device, in your password manager, or on a security key. Your browser asks where, and
          for your fingerprint, your face or a PIN.
        </p>
      }
      form={form}
      label="Add passkey"
      labelWhileSending="Waiting for your browser..."
      onClose={onClose}
    >
      <TextField
        {...form.field('name')}
        label="Name"
        autoComplete="off"
        required
        maxLength={maxPasskeyNameLength}
        help="So that you can tell your passkeys apart, for example “Work laptop”."
      />
    </ActDialog>
  )
}

/** Hands a secret over to an authenticator app, and has it shown by a code that the app has it. */
function SetUpTotpDialog({ setup: { secret, uri }, onDone, onClose }: FactorDialogProps & { setup: TotpSetup }) {
  /** The app is probably on this device, which cannot scan what it shows itself. */
  const isTouch = useMedia('(pointer: coarse)')
  const form = useApiForm({
    defaults: { code: '' },
    check: ({ code }) => checkCode('totp', code),
    async send({ code }) {
      const { recoveryCodes } = await request(`${totpPath}/confirm`, FactorAdded, {
        method: 'POST',
        body: { code: code.trim() },
      })
      onDone(
        'The authenticator app is set up.',
        recoveryCodes === null ? undefined : { codes: recoveryCodes, isFirst: true },
      )
    },
    otherwise: 'The app could not be set up. Please try again.',
  })
  return (
    <ActDialog
      title="Set up an authenticator app"
      lead={
        <>
          <p className="dialog-lead">
            {isTouch
              ? 'Open this in your app, or scan it with another device. Then type the code that the app shows.'
              : 'Scan this with the app on your phone, then type the code that the app shows.'}
          </p>
          <div className="totp-secret">
            {isTouch ? (
              <p className="totp-same-device">
                <a className="button" href={uri}>
                  Open in your app
                </a>
              </p>
            ) : null}
            <QrCode text={uri} label="QR code for your authenticator app; the key below says the same" />
            <p>Or type this key into the app:</p>
            <p className="totp-key">
              <code>{groupsOf(secret).join(' ')}</code>
              <CopyButton text={secret} label="Copy key" />
            </p>
          </div>
        </>
      }
      form={form}
      label="Set up"
      labelWhileSending="Checking..."
      onClose={onClose}
    >
      {/* Not with a finger: the keyboard would cover the code. */}
      <CodeField {...form.field('code')} kind="totp" takesFocus={!isTouch} />
    </ActDialog>
  )
}

/** Four letters at a time are read and typed without losing the place. */
function groupsOf(secret: string): string[] {
  return secret.match(/.{1,4}/gu) ?? []
}

const question = {
  title: 'Close without saving the codes?',
  sentence: "They can't be shown again. You would have to make new ones.",
  stay: 'Back to the codes',
  leave: 'Close without saving',
}

/** Shows recovery codes, once: who has neither downloaded nor copied them is asked before it closes. */
function RecoveryCodesDialog({
  codes,
  isFirst,
  email,
  onClose,
}: {
  codes: readonly string[]
  /** They came with the first factor. */
  isFirst: boolean
  email: string
  onClose: () => void
}) {
  const [saved, setSaved] = useState<string>()
  const [isCopied, setIsCopied] = useState(false)
  const save = (): void => {
    const name = `recovery-codes-${window.location.hostname}.txt`
    saveFile(name, new Blob([codesAsFile(codes, email)], { type: 'text/plain;charset=utf-8' }))
    setSaved(name)
  }
  return (
    <Dialog
      title="Your recovery codes"
      isDirty={saved === undefined && !isCopied}
      question={question}
      onClose={onClose}
    >
      <p className="dialog-lead">
        {isFirst ? 'Two-step sign-in is on. ' : 'The codes from before do not work any more. '}
        If you lose your passkey or your app, each of these codes signs you in once. They are shown only now: keep them
        somewhere you can reach without this device.
      </p>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="recovery-steps">
        <button type="button" className="button" onClick={save}>
          <Icon name="download" />
          Download
        </button>
        <CopyButton text={codes.join('\n')} label="Copy" onCopied={() => setIsCopied(true)} />
        <span role="status" className="soft-label copy-outcome">
          {saved === undefined ? null : `Saved as ${saved}.`}
        </span>
      </div>
      <div className="dialog-actions">
        <Button look="solid" label="I have saved them" onClick={onClose} />
      </div>
    </Dialog>
  )
}

function codesAsFile(codes: readonly string[], email: string): string {
  return [
    `Recovery codes of ${window.location.origin}`,
    `Account: ${email}`,
    `Made on ${new Date().toISOString().slice(0, 10)}. Each code works once.`,
    '',
    ...codes,
    '',
  ].join('\n')
}
