import { setTimeout as pause } from 'node:timers/promises'
import type { RoleSource, Viewer } from '../../office/viewer/viewer.ts'
import type { AccountsApp } from '../app.ts'
import { digestOf } from '../sessions/tokens.server.ts'
import { recordUse } from '../sessions/record-seen.server.ts'
import { composeMember, selectMember } from '../sessions/view-member.server.ts'
import { foldEmail } from '../user/email.ts'
import { countWrongAppPassword } from './app-password-limits.server.ts'
import { asMade } from './app-passwords.server.ts'

/** About as long as the hash of a wrong password takes at a sign-in. */
const wrongTakesMs = 150

/** No password that was made is longer, with blanks. */
const longestTyped = 200

/**
 * The member with this address and app password. An unknown address, a wrong password, one that has ended and that of the account
 * itself meet the same query and wait the same time. A digest is enough to compare: sign-ins keep their hashes.
 * @param sources of all features, in the order of the row
 * @returns undefined for a wrong one
 * @throws {AppError} `limit.exceeded`, 429, for a wrong one after ten
 */
export async function recogniseAppPassword<
  A extends Pick<AccountsApp, 'db' | 'clock' | 'config' | 'limits' | 'diskSpace'>,
>(
  app: A,
  { email, password, address }: { email: string; password: string; address: string },
  sources: readonly RoleSource<A>[],
): Promise<Viewer | undefined> {
  const emailFolded = foldEmail(email.slice(0, longestTyped * 2))
  const row = await selectMember(app, sources)
    .innerJoin('app_passwords', 'app_passwords.user_id', 'users.id')
    .select(['app_passwords.id as app_password_id', 'last_used_at'])
    .where('secret_hash', '=', digestOf(asMade(password.slice(0, longestTyped))))
    .where('email_folded', '=', emailFolded)
    .executeTakeFirst()
  if (row === undefined) {
    await countWrongAppPassword(app, { emailFolded, address })
    await pause(wrongTakesMs)
    return undefined
  }
  await recordUse(app, row.last_used_at, (at) =>
    app.db.updateTable('app_passwords').set({ last_used_at: at }).where('id', '=', row.app_password_id).execute(),
  )
  return composeMember(app, row, sources)
}
