import type { AccountsApp } from '../app.ts'
import { readAuditEvents } from '../../office/audit/read-audit-log.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { readUnlockedAt } from '../sign-in/sign-in.server.ts'
import { readSignInLocks } from '../sign-in/sign-in-limits.server.ts'
import { readLastEmail } from '../sent-emails/sent-emails.server.ts'
import type { KnownDevice } from '../devices/device-schema.ts'
import { type SignInOfPerson, signInTries } from './people-schema.ts'

const shownTries = 4

/** All that decides whether a member can sign in, and how it went lately. */
export async function readSignIn(
  app: Pick<AccountsApp, 'db' | 'clock' | 'limits' | 'jobs' | 'config' | 'audit' | 'people'>,
  viewer: Viewer,
  person: {
    id: string
    email: string
    email_folded: string
    is_admin: boolean
    email_confirmed_at: Date | null
    has_second_factor: boolean
  },
  devices: readonly KnownDevice[],
): Promise<SignInOfPerson> {
  const { id, email, email_folded: emailFolded } = person
  const [locks, { events }, unsent, { lastEmail, emailStop }, link] = await Promise.all([
    readUnlockedAt(app, emailFolded).then((unlockedAt) =>
      readSignInLocks(app, { emailFolded, devices: devices.map((device) => device.id), unlockedAt }),
    ),
    readAuditEvents(app, viewer, { person: id, group: 'sign-ins', limit: 30 }),
    app.jobs.desk.findEmail({ id, emails: [...new Set([email, emailFolded])], kinds: 'accounts.' }),
    readLastEmail(app, { userId: id, emailFolded }),
    app.db
      .selectFrom('password_resets')
      .select(['issued_at', 'expires_at'])
      .where('user_id', '=', id)
      .orderBy('issued_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return {
    lockedUntil: locks.strangers?.toISOString() ?? null,
    factorLockedUntil: locks.factors?.toISOString() ?? null,
    lockedDevices: devices.flatMap(({ id: device, device: words }) => {
      const until = locks.devices.get(device)
      return until === undefined ? [] : [{ device: words, until: until.toISOString() }]
    }),
    lacksFactor: person.is_admin && app.config.requiresAdminSecondFactor && !person.has_second_factor,
    confirmedAt: person.email_confirmed_at?.toISOString() ?? null,
    tries: events
      .flatMap(({ action, words, at, details: { times } }) =>
        isTry(action) ? [{ action, words, at, times: typeof times === 'number' ? times : 1 }] : [],
      )
      .slice(0, shownTries),
    unsentEmail:
      unsent === undefined
        ? null
        : {
            kind: unsent.kind.slice('accounts.'.length).replaceAll('-', ' '),
            state: unsent.state,
            since: unsent.since.toISOString(),
            reason: unsent.reason,
          },
    lastEmail,
    emailStop,
    link:
      link === undefined ? null : { writtenAt: link.issued_at.toISOString(), endsAt: link.expires_at.toISOString() },
  }
}

function isTry(action: string): action is (typeof signInTries)[number] {
  return (signInTries as readonly string[]).includes(action)
}
