import { useState } from 'react'
import { request } from '../../../browser/api-client.ts'
import { downloadFile } from '../../../browser/api-files.ts'
import { useApiMutation } from '../../../browser/queries.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { WorkSection } from '../../../ui/work-page.tsx'
import { recheckAccess, useAdminQuery } from '../../office/browser/admin-query.ts'
import { DialogForm, unknownRefusal } from '../../office/parts/dialog-form.tsx'
import { FileButton } from '../../office/parts/file-button.tsx'
import { GivenText } from '../../office/parts/given-text.tsx'
import { refusalIn, textOf, useSubmission } from '../../office/parts/use-submission.ts'
import type { Person } from '../../accounts/people/people-schema.ts'
import { type PersonPageProps, personPath } from '../../accounts/people/person-page.ts'
import { deletionEffects } from '../../membership/vips/parts/vip-effects.ts'
import { AccessOfMember } from '../../membership/vips/vip-schema.ts'

const listInWords = (parts: readonly string[]): string => new Intl.ListFormat('en-GB').format(parts)

/** The member's legal requests to the operator: their data as a file, and the end of their account. */
export function PersonData({ person, onGone }: PersonPageProps) {
  const [isErasing, setIsErasing] = useState(false)
  const isKept = person.isSafetyOfficer && !person.isSelf
  return (
    <WorkSection title="Their data">
      <p>On their request: everything that the site keeps of them as a file, or the end of their account.</p>
      <div className="person-actions">
        <FileButton save={() => downloadFile(`${personPath(person.id)}/export`)}>Export their data</FileButton>
        {isKept ? null : (
          <button
            type="button"
            className="button button-tint accent-banned"
            aria-haspopup="dialog"
            onClick={() => setIsErasing(true)}
          >
            Delete the account
          </button>
        )}
      </div>
      {isKept ? <p>A safety officer deletes their account themselves, or gives up the mark first.</p> : null}
      {isErasing ? <EraseDialog person={person} onGone={onGone} onClose={() => setIsErasing(false)} /> : null}
    </WorkSection>
  )
}

/** Deletes the account of a member once its address was typed: no other account is meant by mistake. */
function EraseDialog({ person, onGone, onClose }: { person: Person; onGone: () => void; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const { data: access } = useAdminQuery(`${personPath(person.id)}/access`, AccessOfMember)
  const effects = deletionEffects(access)
  const losses = [
    ...(person.sessions.length > 0 ? ['its sessions'] : []),
    ...(person.note.text === '' ? [] : ['its note']),
    ...(access?.isVip === true ? ['its VIP access'] : []),
  ]
  const isMeant = (text: string): boolean => text.trim().toLowerCase() === person.email.toLowerCase()
  const erase = useApiMutation({
    mutationFn: (email: string) => request(personPath(person.id), MessageAnswer, { method: 'DELETE', body: { email } }),
    onError: recheckAccess,
  })
  const submission = useSubmission({
    check: (values) =>
      isMeant(textOf(values, 'email'))
        ? undefined
        : { field: 'email', message: 'This is not the address of the member' },
    async send(values) {
      try {
        await erase.mutateAsync(textOf(values, 'email'))
      } catch (error) {
        return refusalIn(error, 'An error occurred. Please try again.')
      }
      onGone()
      return undefined
    },
    unreachable: unknownRefusal,
  })
  return (
    <Dialog title="Delete the account" isBusy={submission.isSending} isDirty={typed !== ''} onClose={onClose}>
      <p>
        This deletes the account of <GivenText>{person.name}</GivenText> (<GivenText>{person.email}</GivenText>) at once
        and for good
        {losses.length === 0 ? '' : `, with ${listInWords(losses)}`}.
      </p>
      {effects.length === 0 ? null : <p>{effects.join(' ')}</p>}
      <DialogForm
        submission={submission}
        label="Delete the account"
        labelWhileSending="Deleting..."
        done={undefined}
        isReady={isMeant(typed)}
        isGrave
        onCancel={onClose}
      >
        <TextField
          label="Type their email address to confirm"
          name="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          readOnly={submission.isSending}
          problem={submission.errorOf('email')}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </DialogForm>
    </Dialog>
  )
}
