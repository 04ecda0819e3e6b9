import { useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { FactorsForMember, type PasskeyForMember } from '../../factors/factor-schema.ts'
import { DialogForm } from '../../../office/parts/dialog-form.tsx'
import { networkRefusal, refusalIn, textOf, useSubmission } from '../../../office/parts/use-submission.ts'
import { type FactorDialogProps, passkeysPath } from './open-factor.ts'
import { checkPasskeyName, maxPasskeyNameLength } from './passkey-name.ts'

/** Gives a passkey another name. */
export function RenamePasskeyDialog({ passkey, onDone, onClose }: FactorDialogProps & { passkey: PasskeyForMember }) {
  const [isDirty, setIsDirty] = useState(false)
  const submission = useSubmission({
    check: (values) => checkPasskeyName(textOf(values, 'name')),
    async send(values) {
      const name = textOf(values, 'name').trim()
      try {
        await request(`${passkeysPath}/${passkey.id}`, FactorsForMember, { method: 'PUT', body: { name } })
      } catch (error) {
        return refusalIn(error, 'The passkey could not be renamed. Please try again.')
      }
      onDone(`The passkey was renamed “${name}”.`)
      return undefined
    },
    unreachable: networkRefusal,
  })
  return (
    <Dialog title="Rename passkey" isBusy={submission.isSending} isDirty={isDirty} onClose={onClose}>
      <DialogForm
        submission={submission}
        label="Rename"
        labelWhileSending="Renaming..."
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
          defaultValue={passkey.name}
          problem={submission.errorOf('name')}
        />
      </DialogForm>
    </Dialog>
  )
}
