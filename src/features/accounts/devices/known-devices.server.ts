import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'
import type { AccountsDatabase } from '../app.ts'
import { digestOf } from '../sessions/tokens.server.ts'

/** How long a device is known after somebody last signed in there (docs/spec/accounts.md#known-devices). */
export const knownForMs = 365 * 86_400_000

const maxDevices = 20

/** Whether a row of `known_devices` holds one of these secrets, and is still known. */
export function isKnownBy(secrets: readonly string[], now: number): RawBuilder<SqlBool> {
  // No digest is empty.
  const digests = secrets.length === 0 ? [Buffer.alloc(0)] : secrets.map(digestOf)
  return sql<SqlBool>`(known_devices.secret_hash in (${sql.join(digests.map((digest) => sql`${digest}::bytea`))})
    and known_devices.last_used_at > ${new Date(now - knownForMs)}::timestamptz)`
}

/**
 * The caller's device, if it is known for the account of this address. Only the holder of a secret learns anything:
 * query and time are the same for all others. Without a secret there is no query.
 * @returns its id
 */
export async function findKnownDevice(
  db: Kysely<AccountsDatabase>,
  { emailFolded, secrets, now }: { emailFolded: string; secrets: readonly string[]; now: number },
): Promise<string | undefined> {
  if (secrets.length === 0) return undefined
  const found = await db
    .selectFrom('known_devices')
    .select('id')
    .where('user_id', 'in', (users) => users.selectFrom('users').select('id').where('email_folded', '=', emailFolded))
    .where(isKnownBy(secrets, now))
    .executeTakeFirst()
  return found?.id
}

/**
 * The last used devices of an account stay known: otherwise a program that signs in without a cookie fills the table.
 */
export async function forgetUnusedDevices(db: Kysely<AccountsDatabase>, userId: string): Promise<void> {
  await sql`
    delete from known_devices where id in (
      select id from known_devices where user_id = ${userId}
       order by last_used_at desc, id desc offset ${maxDevices} for update skip locked)`.execute(db)
}

/**
 * Forgets the devices of an account: the next sign-in on each is reported by email.
 * @param except the secrets of the browser whose device stays; none, and all are forgotten
 * @returns how many there were
 */
export async function forgetDevices(
  db: Kysely<AccountsDatabase>,
  { userId, except = [] }: { userId: string; except?: readonly string[] },
): Promise<number> {
  const forget = db.deleteFrom('known_devices').where('user_id', '=', userId)
  const others = except.length === 0 ? forget : forget.where('secret_hash', 'not in', except.map(digestOf))
  return Number((await others.executeTakeFirst()).numDeletedRows)
}
