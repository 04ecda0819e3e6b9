import type { AccountsApp } from '../app.ts'
import { readAuditEvents } from '../../office/audit/read-audit-log.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { readUnlockedAt } from '../sign-in/sign-in.server.ts'
import { readSignInLocks, type SignInLock } from '../sign-in/sign-in-limits.server.ts'
import { readLastEmail } from '../sent-emails/sent-emails.server.ts'
import type { KnownDevice } from '../devices/device-schema.ts'
import { type SignInOfPerson, signInTries } from './people-schema.ts'

const shownTries = 4

export async function readSignIn(
  app: Pick<AccountsApp, 'db' | 'clock' | 'limits' | 'jobs' | 'config' | 'audit' | 'people' | 'mail'>,
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
      // A link has the id of its email.
      .leftJoin('sent_emails', 'sent_emails.id', 'password_resets.id')
      .select(['issued_at', 'expires_at', 'fate', 'answer', 'at'])
      .where('password_resets.user_id', '=', id)
      .orderBy('issued_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return {
    ...untilOf(locks.strangers),
    lockedDevices: devices
      .map(({ id: device, device: words }) => ({ device: words, ...untilOf(locks.devices.get(device)) }))
      .filter(({ lockedUntil, factorLockedUntil }) => lockedUntil !== null || factorLockedUntil !== null),
    lacksFactor: person.is_admin && app.config.requiresAdminSecondFactor && !person.has_second_factor,
    confirmedAt: person.email_confirmed_at?.toISOString() ?? null,
    tries: events
      .flatMap(({ action, words, at: recordedAt, details: { times, lastAt } }) => {
        // Refused ones are recorded minutes later.
        const at = typeof lastAt === 'string' ? lastAt : recordedAt
        return isTry(action) ? [{ action, words, at, times: typeof times === 'number' ? times : 1 }] : []
      })
      .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
      .slice(0, shownTries),
    unsentEmail:
      unsent === undefined
        ? null
        : {
            words: app.mail.titleOf(unsent.kind),
            state: unsent.state,
            since: unsent.since.toISOString(),
            reason: unsent.reason,
          },
    lastEmail,
    emailStop,
    link:
      link === undefined
        ? null
        : {
            writtenAt: link.issued_at.toISOString(),
            endsAt: link.expires_at.toISOString(),
            email:
              link.fate === null || link.at === null
                ? null
                : { fate: link.fate, answer: link.answer, at: link.at.toISOString() },
          },
  }
}

function untilOf(lock: SignInLock | undefined): Pick<SignInOfPerson, 'lockedUntil' | 'factorLockedUntil'> {
  return {
    lockedUntil: lock?.passwords?.toISOString() ?? null,
    factorLockedUntil: lock?.factors?.toISOString() ?? null,
  }
}

function isTry(action: string): action is (typeof signInTries)[number] {
  return (signInTries as readonly string[]).includes(action)
}
