import { useState } from 'react'
import { request } from '../../../browser/api-client.ts'
import { downloadFile } from '../../../browser/api-files.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { ActDialog } from '../../../ui/act-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { WorkSection } from '../../../ui/work-page.tsx'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import { useApiForm } from '../../office/browser/api-form.ts'
import { FileButton } from '../../office/parts/file-button.tsx'
import { UserText } from '../../office/parts/user-text.tsx'
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
      <div className="button-row">
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
  const { data: access } = useAdminQuery(`${personPath(person.id)}/access`, AccessOfMember)
  const effects = deletionEffects(access)
  const losses = [
    ...(person.sessions.length > 0 ? ['its sessions'] : []),
    ...(person.note.text === '' ? [] : ['its note']),
    ...(access?.isVip === true ? ['its VIP access'] : []),
  ]
  const isMeant = (text: string): boolean => text.trim().toLowerCase() === person.email.toLowerCase()
  const form = useApiForm({
    defaults: { email: '' },
    check: ({ email }) =>
      isMeant(email) ? undefined : { field: 'email', message: 'This is not the address of the member' },
    async send(body) {
      await request(personPath(person.id), MessageAnswer, { method: 'DELETE', body })
      onGone()
    },
    otherwise: 'An error occurred. Please try again.',
    unreachable: 'An unknown error occurred',
  })
  return (
    <ActDialog
      title="Delete the account"
      lead={
        <>
          <p>
            This deletes the account of <UserText>{person.name}</UserText> (<UserText>{person.email}</UserText>) at once
            and for good
            {losses.length === 0 ? '' : `, with ${listInWords(losses)}`}.
          </p>
          {effects.length === 0 ? null : <p>{effects.join(' ')}</p>}
        </>
      }
      form={form}
      label="Delete the account"
      labelWhileSending="Deleting..."
      isReady={isMeant(form.values.email)}
      isGrave
      onClose={onClose}
    >
      <TextField
        {...form.field('email')}
        label="Type their email address to confirm"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        readOnly={form.isSending}
      />
    </ActDialog>
  )
}
