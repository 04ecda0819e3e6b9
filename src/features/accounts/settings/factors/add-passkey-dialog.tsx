import { useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { FactorAdded, PasskeyOptions } from '../../factors/factor-schema.ts'
import { DialogForm } from '../../../office/parts/dialog-form.tsx'
import { createPasskey } from '../../parts/factors/passkey-prompt.ts'
import { networkRefusal, refusalIn, textOf, useSubmission } from '../../../office/parts/use-submission.ts'
import { type FactorDialogProps, passkeysPath } from './open-factor.ts'
import { checkPasskeyName, maxPasskeyNameLength } from './passkey-name.ts'

/** Asks for a name, then has the browser make a passkey. */
export function AddPasskeyDialog({ proposed, onDone, onClose }: FactorDialogProps & { proposed: string }) {
  const [isDirty, setIsDirty] = useState(false)
  const submission = useSubmission({
    check: (values) => checkPasskeyName(textOf(values, 'name')),
    async send(values) {
      const name = textOf(values, 'name').trim()
      try {
        const { options } = await request(`${passkeysPath}/options`, PasskeyOptions, { method: 'POST' })
        const prompted = await createPasskey(options)
        if ('problem' in prompted) return { message: prompted.problem }
        const { recoveryCodes } = await request(passkeysPath, FactorAdded, {
          method: 'POST',
          body: { name, response: prompted.response },
        })
        onDone(
          `The passkey “${name}” was added.`,
          recoveryCodes === null ? undefined : { codes: recoveryCodes, isFirst: true },
        )
        return undefined
      } catch (error) {
        return refusalIn(error, 'The passkey could not be added. Please try again.')
      }
    },
    unreachable: networkRefusal,
  })
  return (
    <Dialog title="Add a passkey" isBusy={submission.isSending} isDirty={isDirty} onClose={onClose}>
      <p className="dialog-lead">
        A passkey stays on this device, in your password manager, or on a security key. Your browser asks where, and for
        your fingerprint, your face or a PIN.
      </p>
      <DialogForm
        submission={submission}
        label="Add passkey"
        labelWhileSending="Waiting for your browser..."
        done={undefined}
        onInput={() => setIsDirty(true)}
        onCancel={onClose}
      >
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          required
          maxLength={maxPasskeyNameLength}
          defaultValue={proposed}
          help="So that you can tell your passkeys apart, for example “Work laptop”."
          problem={submission.errorOf('name')}
        />
      </DialogForm>
    </Dialog>
  )
}
