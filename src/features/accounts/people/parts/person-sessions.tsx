import { UserText } from '../../../office/parts/user-text.tsx'
import { type PersonPageProps, personPath } from '../person-page.ts'
import { RevokeAllSection } from './revoke-all-section.tsx'

/** The devices where a member is signed in. */
export function PersonSessions({ person, now, onChanged }: PersonPageProps) {
  return (
    <RevokeAllSection
      title="Sessions"
      path={`${personPath(person.id)}/sessions`}
      heads={['Device', 'Signed in', 'Last seen']}
      rows={person.sessions.map((session) => ({
        ...session,
        device: session.isCurrent ? `${session.device} (this device)` : session.device,
        lastAt: session.lastSeenAt,
      }))}
      none="Not signed in anywhere."
      hasMore={person.appPasswords.length > 0}
      label="Sign out everywhere"
      labelWhileSending="Signing out..."
      now={now}
      onChanged={onChanged}
    >
      Every device of <UserText>{person.name}</UserText> (<UserText>{person.email}</UserText>) is signed out at once
      {person.isSelf ? ', also this one' : ''}. Their app passwords end too, so that no reading program stays in. Their
      password and their private feed stay as they are.
    </RevokeAllSection>
  )
}
