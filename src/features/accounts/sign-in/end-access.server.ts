import { type RawBuilder, sql, type SqlBool, type Transaction } from 'kysely'
import type { AccountsTables } from '../../../db/tables/accounts.ts'
import { digestOf } from '../sessions/tokens.server.ts'

/** What stays open to whoever has just shown that the account is theirs. */
export interface KeptAccess {
  /** The id of their session. */
  session?: string
  /** The secrets of their browser, whose device stays known. */
  deviceSecrets?: readonly string[]
}

/**
 * Ends whatever opens an account beside its password: sessions, links to set a password, invitations too, and a change of the
 * address that is under way; its devices are forgotten. Whoever sets a password calls it in the same transaction, once the
 * account is locked.
 * @returns how many sessions and links ended
 */
export async function endAccess(
  trx: Transaction<AccountsTables>,
  whose: { userIds: readonly string[] } | 'everybody',
  { session, deviceSecrets = [] }: KeptAccess = {},
): Promise<{ sessions: number; links: number }> {
  const isTheirs: RawBuilder<SqlBool> =
    whose === 'everybody' ? sql`true` : sql`user_id = any(${[...whose.userIds]}::uuid[])`
  const sessions = trx.deleteFrom('sessions').where(isTheirs)
  const devices = trx.deleteFrom('known_devices').where(isTheirs)
  const ended = await (session === undefined ? sessions : sessions.where('id', '<>', session)).executeTakeFirst()
  const links = await trx.deleteFrom('password_resets').where(isTheirs).executeTakeFirst()
  await trx.deleteFrom('address_changes').where(isTheirs).execute()
  const kept = deviceSecrets.map(digestOf)
  await (kept.length === 0 ? devices : devices.where('secret_hash', 'not in', kept)).execute()
  return { sessions: Number(ended.numDeletedRows), links: Number(links.numDeletedRows) }
}
