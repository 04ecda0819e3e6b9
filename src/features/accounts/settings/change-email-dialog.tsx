import { useState } from 'react'
import { ActDialog } from '../../../ui/act-dialog.tsx'
import { EmailField } from '../../../ui/text-field.tsx'
import { request } from '../../../browser/api-client.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { useApiForm } from '../../office/browser/api-form.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { checkNewEmail } from '../user/registration.ts'

/**
 * Asks for another address. It changes once the link is used that goes there.
 * @param onStale called when the profile is known not to be true any more
 */
export function ChangeEmailDialog({
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
