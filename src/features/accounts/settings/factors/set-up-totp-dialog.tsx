import { request } from '../../../../browser/api-client.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { useMedia } from '../../../../ui/use-media.ts'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { FactorAdded, type TotpSetup } from '../../factors/factor-schema.ts'
import { checkCode, CodeField } from '../../parts/factors/code-field.tsx'
import { CopyButton } from './copy-button.tsx'
import { type FactorDialogProps, totpPath } from './open-factor.ts'
import { QrCode } from './qr-code.tsx'
import './factors.css'

/** Hands a secret over to an authenticator app, and has it shown by a code that the app has it. */
export function SetUpTotpDialog({ setup: { secret, uri }, onDone, onClose }: FactorDialogProps & { setup: TotpSetup }) {
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
