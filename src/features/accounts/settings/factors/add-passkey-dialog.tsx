import { request } from '../../../../browser/api-client.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { FactorAdded, PasskeyOptions } from '../../factors/factor-schema.ts'
import { createPasskey } from '../../parts/factors/passkey-prompt.ts'
import { type FactorDialogProps, passkeysPath } from './open-factor.ts'
import { maxPasskeyNameLength, PasskeyName } from './passkey-name.ts'

export function AddPasskeyDialog({ proposed, onDone, onClose }: FactorDialogProps & { proposed: string }) {
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
