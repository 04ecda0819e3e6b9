import type { AccountsTransaction } from '../app.ts'
import { foldEmail } from '../user/email.ts'
import { resumeBans } from '../user/kept-bans.server.ts'

export interface InvitedMember {
  id: string
  email: string
  name: string
  createdAt: Date
}

/**
 * Makes accounts without a password, and has each invited to set one. An address that has an account keeps it as it is.
 * @param importId the file that they come from: their invitations can be dropped by it
 * @returns the ids of those that were made
 */
export async function addInvitedMembers(
  trx: AccountsTransaction,
  members: readonly InvitedMember[],
  importId: string,
): Promise<ReadonlySet<string>> {
  if (members.length === 0) return new Set()
  const made = await trx
    .insertInto('users')
    .values(
      members.map(({ id, email, name, createdAt }) => ({
        id,
        email: email.trim(),
        email_folded: foldEmail(email),
        name: name.trim(),
        created_at: createdAt,
      })),
    )
    .onConflict((conflict) => conflict.column('email_folded').doNothing())
    .returning(['id', 'email'])
    .execute()
  if (made.length === 0) return new Set()
  await trx
    .insertInto('member_invitations')
    .values(made.map(({ id }) => ({ user_id: id, import_id: importId })))
    .execute()
  const ban = await trx.selectFrom('kept_bans').select('email_hash').limit(1).executeTakeFirst()
  if (ban !== undefined) for (const one of made) await resumeBans(trx, one)
  return new Set(made.map(({ id }) => id))
}

/**
 * Drops the invitations that wait of an import. The accounts stay.
 * @returns how many there were
 */
export async function dropInvitations(trx: AccountsTransaction, importId: string): Promise<number> {
  const dropped = await trx.deleteFrom('member_invitations').where('import_id', '=', importId).executeTakeFirst()
  return Number(dropped.numDeletedRows)
}
