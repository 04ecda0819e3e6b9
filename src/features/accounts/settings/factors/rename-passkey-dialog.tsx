import { request } from '../../../../browser/api-client.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { FactorsForMember, type PasskeyForMember } from '../../factors/factor-schema.ts'
import { type FactorDialogProps, passkeysPath } from './open-factor.ts'
import { maxPasskeyNameLength, PasskeyName } from './passkey-name.ts'

export function RenamePasskeyDialog({ passkey, onDone, onClose }: FactorDialogProps & { passkey: PasskeyForMember }) {
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
