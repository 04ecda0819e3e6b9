import { createHmac } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { AccountsTables } from '../../../db/tables/accounts.ts'
import type { AccountsApp } from '../app.ts'
import { foldEmail } from './email.ts'
import { ensureInstallationSecret, readInstallationSecret } from './installation-secret.server.ts'

/*
 * A ban that ended with its account would end by deleting the account and registering again. So it stays with a keyed
 * hash of the address: the table alone neither tells whose it is, nor lets anybody try addresses.
 */

/** The bans of a person. */
export interface Bans {
  /** An administrator has disabled the membership. */
  vipDisabled: boolean
  /** A payment was disputed, and no administrator has looked at it yet. */
  purchasesBlocked: boolean
}

const secretName = 'kept-bans'

/**
 * Keeps the bans of an account that is being deleted, until somebody has an account with that address again.
 * @param trx the transaction that deletes the account
 * @returns whether there was anything to keep
 */
export async function keepBans(trx: Transaction<AccountsTables>, email: string, bans: Bans): Promise<boolean> {
  const { vipDisabled, purchasesBlocked } = bans
  if (!vipDisabled && !purchasesBlocked) return false
  const hash = hashWith(await ensureInstallationSecret(trx, secretName), email)
  await trx
    .insertInto('kept_bans')
    .values({ email_hash: hash, vip_disabled: vipDisabled, purchases_blocked: purchasesBlocked })
    .onConflict((conflict) =>
      conflict.column('email_hash').doUpdateSet({
        vip_disabled: sql<boolean>`kept_bans.vip_disabled or excluded.vip_disabled`,
        purchases_blocked: sql<boolean>`kept_bans.purchases_blocked or excluded.purchases_blocked`,
      }),
    )
    .execute()
  return true
}

/**
 * Lays what is kept of its address on a new account, where it ends like any other ban; nothing is kept of it any more.
 * @param trx the transaction that makes the account, which holds its address by then
 */
export async function resumeBans(
  trx: Transaction<AccountsTables>,
  { id, email }: { id: string; email: string },
): Promise<void> {
  const kept = await deleteKept(trx, email)
  if (kept === undefined) return
  const { vip_disabled, purchases_blocked } = kept
  await trx.updateTable('users').set({ vip_disabled, purchases_blocked }).where('id', '=', id).execute()
}

/**
 * Deletes the bans kept of an address that nobody has an account with.
 * @returns whether there was anything
 */
export async function liftKeptBans({ db }: Pick<AccountsApp, 'db'>, { email }: { email: string }): Promise<boolean> {
  return (await deleteKept(db, email)) !== undefined
}

async function deleteKept(db: Queryable<AccountsTables>, email: string) {
  const hash = await hashOf(db, email)
  if (hash === undefined) return undefined
  return db
    .deleteFrom('kept_bans')
    .where('email_hash', '=', hash)
    .returning(['vip_disabled', 'purchases_blocked'])
    .executeTakeFirst()
}

/** @returns undefined before the first ban was kept */
async function hashOf(db: Queryable<AccountsTables>, email: string): Promise<Buffer | undefined> {
  const secret = await readInstallationSecret(db, secretName)
  return secret === undefined ? undefined : hashWith(secret, email)
}

function hashWith(secret: Buffer, email: string): Buffer {
  return createHmac('sha256', secret).update(foldEmail(email)).digest()
}
