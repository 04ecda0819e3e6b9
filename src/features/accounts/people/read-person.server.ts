import type { AccountsApp } from '../app.ts'
import { appPasswordsOf } from '../app-passwords/app-passwords.server.ts'
import { countFactors } from '../factors/list-factors.server.ts'
import { devicesOf } from '../devices/list-devices.server.ts'
import { feedTokenOf } from '../feed-tokens/feed-tokens.server.ts'
import { sessionsOf } from '../sessions/list-sessions.server.ts'
import { hasRole, requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { findPerson } from './find-person.server.ts'
import { readSignIn } from './read-sign-in.server.ts'
import { readMemberNote } from './member-note.server.ts'
import type { Person } from './people-schema.ts'

/**
 * The account of a member, for administrators.
 * @throws {AppError} `member.unknown`, 404
 */
export async function readPerson(
  app: Pick<AccountsApp, 'db' | 'clock' | 'limits' | 'jobs' | 'config' | 'audit' | 'people' | 'mail'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<Person> {
  const caller = requireMember(viewer)
  const person = await findPerson(app, { id })
  const [sessions, devices, appPasswords, privateFeed, factors, note, invitation] = await Promise.all([
    sessionsOf(app, { memberId: person.id, currentId: caller.sessionId }),
    devicesOf(app, { memberId: person.id }),
    appPasswordsOf(app, { memberId: person.id }),
    feedTokenOf(app, { memberId: person.id }),
    countFactors(app, { memberId: person.id }),
    readMemberNote(app.db, person.id),
    app.db.selectFrom('member_invitations').select('user_id').where('user_id', '=', person.id).executeTakeFirst(),
  ])
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    createdAt: person.created_at.toISOString(),
    lastSeenAt: person.last_seen_at?.toISOString() ?? null,
    isAdmin: person.is_admin,
    isSafetyOfficer: person.is_safety_officer,
    hasPassword: person.hasPassword,
    isEmailConfirmed: person.email_confirmed_at !== null,
    passwordChangedAt: person.password_changed_at?.toISOString() ?? null,
    isInvitationWaiting: invitation !== undefined,
    isSelf: person.id === caller.id,
    canChangeMark: hasRole(viewer, 'safety-officer') && person.is_safety_officer === (person.id === caller.id),
    note,
    sessions,
    devices,
    appPasswords,
    privateFeed: privateFeed ?? null,
    factors,
    signIn: await readSignIn(app, viewer, person, devices),
  }
}
