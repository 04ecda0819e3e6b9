import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { request } from '../../../browser/api-client.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { DialogForm, unknownRefusal } from '../../office/parts/dialog-form.tsx'
import { refusalIn, textOf, useSubmission } from '../../office/parts/use-submission.ts'
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
  const [isDirty, setIsDirty] = useState(false)
  const [done, setDone] = useState<string>()

  const change = useApiMutation({
    mutationFn: (wanted: string) =>
      request('/auth/address', MessageAnswer, { method: 'POST', body: { email: wanted } }),
  })

  const submission = useSubmission({
    check: (values) => checkNewEmail(textOf(values, 'email'), { present: email }),
    async send(values) {
      try {
        const { message } = await change.mutateAsync(textOf(values, 'email').trim())
        setDone(message)
      } catch (error) {
        return refusalIn(error, 'Failed to change the address')
      }
      onStale()
      return undefined
    },
    unreachable: unknownRefusal,
  })
  const { isSending, errorOf } = submission

  return (
    <Dialog title="Change Email Address" isBusy={isSending} isDirty={isDirty && done === undefined} onClose={onClose}>
      <p className="dialog-lead">
        Your address is <bdi>{email}</bdi>. We send a link to the new one; the address changes once you use it. We tell
        the present one as well.
      </p>
      <DialogForm
        submission={submission}
        label="Send Link"
        labelWhileSending="Sending..."
        done={done}
        onInput={() => setIsDirty(true)}
        onCancel={onClose}
      >
        <TextField
          label="New Email Address"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          problem={errorOf('email')}
        />
      </DialogForm>
    </Dialog>
  )
}
