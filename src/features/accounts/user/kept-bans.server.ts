import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { domainToUnicode } from 'node:url'
import type { Queryable } from '../../../db/queryable.ts'
import type { AccountsApp, AccountsDatabase, AccountsTransaction } from '../app.ts'
import { foldEmail } from './email.ts'
import { ensureInstallationSecret, readInstallationSecret } from './installation-secret.server.ts'

/*
 * A ban that ended with its account would end by deleting the account and registering again. So it stays with a keyed
 * hash of the address: the table alone neither tells whose it is, nor lets anybody try addresses.
 */

export interface Bans {
  vipDisabled: boolean
  /** A payment was disputed, and no administrator has looked at it yet. */
  purchasesBlocked: boolean
}

const secretName = 'kept-bans'

/**
 * Keeps the bans of an account that is being deleted, until somebody has an account with that address again.
 * @param trx the transaction that deletes the account
 * @param former the hashes of the addresses that it had before (`formerAddressesOf`): none of them is free of the bans
 * @returns whether there was anything to keep
 */
export async function keepBans(
  trx: AccountsTransaction,
  email: string,
  bans: Bans,
  former: readonly Uint8Array[] = [],
): Promise<boolean> {
  const { vipDisabled, purchasesBlocked } = bans
  if (!vipDisabled && !purchasesBlocked) return false
  const hash = hashWith(await ensureInstallationSecret(trx, secretName), foldEmail(email))
  const hashes = [hash, ...former.filter((one) => !hash.equals(one))]
  await trx
    .insertInto('kept_bans')
    .values(hashes.map((one) => ({ email_hash: one, vip_disabled: vipDisabled, purchases_blocked: purchasesBlocked })))
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
 * Lays on an account what is kept of its address, where it ends like any other ban, and what lies on accounts that had this
 * address before; nothing is kept of it any more.
 * @param trx the transaction that gives the account this address, which it holds by then
 */
export async function resumeBans(
  trx: AccountsTransaction,
  { id, email }: { id: string; email: string },
): Promise<void> {
  const found = [...(await deleteKept(trx, email)), ...(await bansOfFormerHolders(trx, { id, email }))]
  const isDisabled = found.some(({ vip_disabled }) => vip_disabled)
  const isBlocked = found.some(({ purchases_blocked }) => purchases_blocked)
  if (!isDisabled && !isBlocked) return
  await trx
    .updateTable('users')
    .set({
      ...(isDisabled ? { vip_disabled: true } : {}),
      ...(isBlocked ? { purchases_blocked: true } : {}),
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes the bans kept of an address that nobody has an account with.
 * @returns whether there was anything
 */
export async function liftKeptBans({ db }: Pick<AccountsApp, 'db'>, { email }: { email: string }): Promise<boolean> {
  return (await deleteKept(db, email)).length > 0
}

/** Notes the address that an account has until now, so that bans stay with it when the account takes another one. */
export async function recordFormerAddress(
  trx: AccountsTransaction,
  { id, email, now }: { id: string; email: string; now: Date },
): Promise<void> {
  const hash = hashWith(await ensureInstallationSecret(trx, secretName), foldEmail(email))
  await trx
    .insertInto('former_addresses')
    .values({ user_id: id, email_hash: hash, replaced_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'email_hash']).doNothing())
    .execute()
}

/** The hashes of the addresses that an account had before, for `keepBans`. */
export async function formerAddressesOf(trx: AccountsTransaction, id: string): Promise<Uint8Array[]> {
  const rows = await trx.selectFrom('former_addresses').select('email_hash').where('user_id', '=', id).execute()
  return rows.map(({ email_hash: hash }) => hash)
}

/** The living accounts, but for this one, that had its address before: what they may not buy, it may not either. */
export async function formerHoldersOf(
  db: Queryable<AccountsDatabase>,
  { id, email }: { id: string; email: string },
): Promise<string[]> {
  const hashes = await hashesOf(db, email)
  if (hashes.length === 0) return []
  const rows = await db
    .selectFrom('former_addresses')
    .select('user_id')
    .where('email_hash', 'in', hashes)
    .where('user_id', '<>', id)
    .execute()
  return rows.map(({ user_id: holder }) => holder)
}

async function bansOfFormerHolders(trx: AccountsTransaction, account: { id: string; email: string }) {
  const holders = await formerHoldersOf(trx, account)
  if (holders.length === 0) return []
  return trx.selectFrom('users').select(['vip_disabled', 'purchases_blocked']).where('id', 'in', holders).execute()
}

async function deleteKept(db: Queryable<AccountsDatabase>, email: string) {
  const hashes = await hashesOf(db, email)
  if (hashes.length === 0) return []
  return db
    .deleteFrom('kept_bans')
    .where('email_hash', 'in', hashes)
    .returning(['vip_disabled', 'purchases_blocked'])
    .execute()
}

/**
 * The hashes of an address: as it is folded, and, where its domain is in another script, as it was folded before domains
 * became A-labels: of what was hashed then, the address cannot be read.
 * @returns nothing before the first hash was kept
 */
async function hashesOf(db: Queryable<AccountsDatabase>, email: string): Promise<Buffer[]> {
  const secret = await readInstallationSecret(db, secretName)
  if (secret === undefined) return []
  const folded = foldEmail(email)
  const at = folded.lastIndexOf('@') + 1
  const written = folded.slice(0, at) + domainToUnicode(folded.slice(at))
  return [...new Set([folded, written])].map((text) => hashWith(secret, text))
}

function hashWith(secret: Buffer, folded: string): Buffer {
  return createHmac('sha256', secret).update(folded).digest()
}
