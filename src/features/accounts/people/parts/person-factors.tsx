import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { request } from '../../../../browser/api-client.ts'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { counted } from '../../../../platform/counted.ts'
import { Command } from '../../../../ui/command.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'
import type { Person } from '../people-schema.ts'
import { type PersonPageProps, personPath } from '../person-page.ts'
import { signInInWords } from '../sign-in-in-words.ts'

/** A member's second factor, and the help after its loss. */
export function PersonFactors({ person, onChanged }: PersonPageProps) {
  const { factors, isAdmin, isSelf } = person
  const [isAsking, setIsAsking] = useState(false)
  const [done, setDone] = useState<string>()
  const hasFactor = factors.passkeys > 0 || factors.totp
  return (
    <WorkSection title="Two-step sign-in">
      <p>{hasFactor ? factorsInWords(factors) : 'Off. Their password alone signs them in.'}</p>
      {hasFactor && isAdmin ? (
        <p>
          {isSelf ? (
            'You change yours under Security and data on your account page.'
          ) : (
            <>
              An administrator's is removed on the server:{' '}
              <Command line={`npm run daybook -- account remove-factors ${person.email}`} />
            </>
          )}
        </p>
      ) : null}
      {/* Where this is the next step, it stands under 'Sign-in'. */}
      {hasFactor && !isAdmin && signInInWords(person).help !== 'remove-factors' ? (
        <div className="button-row">
          <Button label="Remove two-step sign-in" aria-haspopup="dialog" onClick={() => setIsAsking(true)} />
        </div>
      ) : null}
      <Announced>{done === undefined ? null : <Notice tone="done">{done}</Notice>}</Announced>
      {isAsking ? (
        <RemoveFactorsDialog
          person={person}
          onDone={(message) => {
            setIsAsking(false)
            setDone(message)
            onChanged()
          }}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </WorkSection>
  )
}

/** Asks once more, and removes a member's second factor. */
export function RemoveFactorsDialog({
  person,
  onDone,
  onClose,
}: {
  person: Person
  onDone: (message: string) => void
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      title="Remove two-step sign-in"
      label="Remove two-step sign-in"
      labelWhileSending="Removing..."
      isGrave
      otherwise="An error occurred. Please try again."
      act={async () => {
        const { message } = await request(`${personPath(person.id)}/factors`, MessageAnswer, { method: 'DELETE' })
        onDone(message)
      }}
      onClose={onClose}
    >
      <p>
        This is for a member who has lost their passkeys, app and codes. Make sure that it is really{' '}
        <UserText>{person.name}</UserText> (<UserText>{person.email}</UserText>) who asks.
      </p>
      <p>
        Their passkeys, app and recovery codes stop working, they are signed out everywhere, and they get an email.
        Until they set it up again, their password alone signs them in.
      </p>
    </ConfirmDialog>
  )
}

function factorsInWords({ passkeys, totp, recoveryCodesLeft }: Person['factors']): string {
  const ways = [
    ...(passkeys === 0 ? [] : [counted(passkeys, 'passkey')]),
    ...(totp ? [passkeys === 0 ? 'An authenticator app' : 'an authenticator app'] : []),
  ].join(' and ')
  return `${ways}. ${counted(recoveryCodesLeft, 'recovery code')} ${recoveryCodesLeft === 1 ? 'is' : 'are'} left.`
}
