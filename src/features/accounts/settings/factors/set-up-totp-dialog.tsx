import { useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useMedia } from '../../../../ui/use-media.ts'
import { FactorAdded, type TotpSetup } from '../../factors/factor-schema.ts'
import { DialogForm } from '../../../office/parts/dialog-form.tsx'
import { checkCode, CodeField } from '../../parts/factors/code-field.tsx'
import { networkRefusal, refusalIn, textOf, useSubmission } from '../../../office/parts/use-submission.ts'
import { CopyButton } from './copy-button.tsx'
import { type FactorDialogProps, totpPath } from './open-factor.ts'
import { QrCode } from './qr-code.tsx'
import './factors.css'

/** Hands a secret over to an authenticator app, and has it shown by a code that the app has it. */
export function SetUpTotpDialog({ setup: { secret, uri }, onDone, onClose }: FactorDialogProps & { setup: TotpSetup }) {
  const [isDirty, setIsDirty] = useState(false)
  /** The app is probably on this device, which cannot scan what it shows itself. */
  const isTouch = useMedia('(pointer: coarse)')
  const submission = useSubmission({
    check: (values) => checkCode('totp', textOf(values, 'code')),
    async send(values) {
      try {
        const { recoveryCodes } = await request(`${totpPath}/confirm`, FactorAdded, {
          method: 'POST',
          body: { code: textOf(values, 'code').trim() },
        })
        onDone(
          'The authenticator app is set up.',
          recoveryCodes === null ? undefined : { codes: recoveryCodes, isFirst: true },
        )
        return undefined
      } catch (error) {
        return refusalIn(error, 'The app could not be set up. Please try again.')
      }
    },
    unreachable: networkRefusal,
  })
  return (
    <Dialog title="Set up an authenticator app" isBusy={submission.isSending} isDirty={isDirty} onClose={onClose}>
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
      <DialogForm
        submission={submission}
        label="Set up"
        labelWhileSending="Checking..."
        done={undefined}
        onInput={() => setIsDirty(true)}
        onCancel={onClose}
      >
        {/* Not with a finger: the keyboard would cover the code. */}
        <CodeField kind="totp" takesFocus={!isTouch} problem={submission.errorOf('code')} />
      </DialogForm>
    </Dialog>
  )
}

/** Four letters at a time are read and typed without losing the place. */
function groupsOf(secret: string): string[] {
  return secret.match(/.{1,4}/gu) ?? []
}
