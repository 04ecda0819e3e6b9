import { sql } from 'kysely'
import type { AccountsApp } from '../app.ts'
import { knownForMs } from '../devices/known-devices.server.ts'
import { challengeValidForMs } from '../factors/challenges.server.ts'
import { setupValidForMs } from '../factors/totp.server.ts'
import { loggedForMs } from '../sent-emails/email-fates.server.ts'
import { lifetimeOf } from '../sessions/session-lifetimes.ts'
import { linkValidForMs } from '../user/address-times.ts'

/**
 * Deletes the sessions, links, changes of addresses and challenges that are over, authenticator apps that nobody has
 * confirmed, old devices, and the log of old emails. They count no longer; this keeps the tables small.
 */
export async function deleteExpired(app: Pick<AccountsApp, 'db' | 'clock'>): Promise<void> {
  const now = new Date(app.clock.now())
  await app.db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  // An administrator's may have begun as a member's, who is remembered for longer.
  const { absoluteMs, idleMs } = lifetimeOf({ isRemembered: false, isAdmin: true })
  await app.db
    .deleteFrom('sessions')
    .where('user_id', 'in', (users) => users.selectFrom('users').select('id').where('is_admin', '=', true))
    .where(({ or, eb }) =>
      or([
        eb('created_at', '<=', new Date(now.getTime() - absoluteMs)),
        eb('last_seen_at', '<=', new Date(now.getTime() - idleMs)),
      ]),
    )
    .execute()
  await app.db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
  const before = (ms: number): Date => new Date(now.getTime() - ms)
  await app.db.deleteFrom('address_links').where('expires_at', '<=', now).execute()
  await app.db.deleteFrom('address_changes').where('requested_at', '<=', before(linkValidForMs.change)).execute()
  await app.db.deleteFrom('known_devices').where('last_used_at', '<=', before(knownForMs)).execute()
  await app.db.deleteFrom('factor_challenges').where('made_at', '<=', before(challengeValidForMs)).execute()
  await app.db.deleteFrom('totp_setups').where('made_at', '<=', before(setupValidForMs)).execute()
  await app.db.deleteFrom('sent_emails').where('at', '<=', before(loggedForMs)).execute()
  await app.db
    .deleteFrom('notified_sign_ins')
    .where('recorded_at', '<=', sql<Date>`now() - interval '1 day'`)
    .execute()
}
