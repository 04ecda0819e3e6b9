import { request } from '../../../../browser/api-client.ts'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'
import type { Person } from '../people-schema.ts'
import { personPath } from '../person-page.ts'

/** Asks once more, and helps a member to sign in. */
export function HelpDialog({
  act,
  person,
  onDone,
  onClose,
}: {
  act: 'unlock' | 'link'
  person: Pick<Person, 'id' | 'name' | 'email' | 'hasPassword'>
  onDone: (message: string) => void
  onClose: () => void
}) {
  const who = (
    <>
      <UserText>{person.name}</UserText> (<UserText>{person.email}</UserText>)
    </>
  )
  return (
    <ConfirmDialog
      title={act === 'unlock' ? 'Unlock sign-in' : person.hasPassword ? 'Send a reset link' : 'Send the invitation'}
      label={act === 'unlock' ? 'Unlock' : 'Send'}
      labelWhileSending={act === 'unlock' ? 'Unlocking...' : 'Sending...'}
      otherwise="An error occurred. Please try again."
      act={async () => {
        const path = `${personPath(person.id)}/${act === 'unlock' ? 'unlock' : 'reset-link'}`
        onDone((await request(path, MessageAnswer, { method: 'POST' })).message)
      }}
      onClose={onClose}
    >
      {act === 'unlock' ? (
        <p>
          {who} can try their password again at once, on every device. A wait after wrong codes stays. The wrong tries
          may have been somebody else's: be sure that it is they who ask.
        </p>
      ) : (
        <p>
          {who} gets an email with a link to set a {person.hasPassword ? 'new ' : ''}password.
          {person.hasPassword ? ' Their present password works until they use it.' : ''} Another one can be sent after
          10 minutes.
        </p>
      )}
    </ConfirmDialog>
  )
}
