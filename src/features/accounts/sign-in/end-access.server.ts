import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { AccountsTransaction } from '../app.ts'
import { digestOf } from '../sessions/tokens.server.ts'

/** The access that stays for the member who has just proved the account theirs. */
export interface RemainingAccess {
  session?: string
  /** The secrets of their browser, whose device stays known. */
  deviceSecrets?: readonly string[]
}

/**
 * Ends all access beside the password: sessions, app passwords, links to set a password, invitations, the private feed, and a
 * pending change of the address; its devices are forgotten. A change of the password calls it in the same transaction, once the account is
 * locked.
 * @returns how many sessions and links ended
 */
export async function endAccess(
  trx: AccountsTransaction,
  whose: { userIds: readonly string[] } | 'everybody',
  { session, deviceSecrets = [] }: RemainingAccess = {},
): Promise<{ sessions: number; links: number }> {
  const isTheirs: RawBuilder<SqlBool> =
    whose === 'everybody' ? sql`true` : sql`user_id = any(${[...whose.userIds]}::uuid[])`
  const sessions = trx.deleteFrom('sessions').where(isTheirs)
  const devices = trx.deleteFrom('known_devices').where(isTheirs)
  const ended = await (session === undefined ? sessions : sessions.where('id', '<>', session)).executeTakeFirst()
  const links = await trx.deleteFrom('password_resets').where(isTheirs).executeTakeFirst()
  await trx.deleteFrom('address_changes').where(isTheirs).execute()
  await trx.deleteFrom('feed_tokens').where(isTheirs).execute()
  await trx.deleteFrom('app_passwords').where(isTheirs).execute()
  const except = deviceSecrets.map(digestOf)
  await (except.length === 0 ? devices : devices.where('secret_hash', 'not in', except)).execute()
  return { sessions: Number(ended.numDeletedRows), links: Number(links.numDeletedRows) }
}
