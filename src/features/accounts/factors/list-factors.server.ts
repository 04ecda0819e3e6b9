import type { Kysely } from 'kysely'
import type { AccountsDatabase, AccountsApp } from '../app.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { FactorsForMember, FactorsOfMember, FactorsForAdmin } from './factor-schema.ts'
import { relyingPartyOf } from './relying-party.ts'

/** The caller's second factor, the passkey that was added first before the others. */
export async function listFactors(
  app: Pick<AccountsApp, 'db' | 'config'>,
  viewer: Viewer,
  { siteUrl }: { siteUrl: string },
): Promise<FactorsForMember> {
  const member = requireMember(viewer)
  return {
    ...(await factorsOf(app.db, member.id)),
    isRequired: member.isAdmin && app.config.requiresAdminSecondFactor,
    passkeysPossible: relyingPartyOf(siteUrl) !== undefined,
  }
}

/** The same in the file of the caller's data: names and dates, no secrets. */
export async function exportFactors(app: Pick<AccountsApp, 'db'>, viewer: Viewer): Promise<FactorsOfMember> {
  return factorsOf(app.db, requireMember(viewer).id)
}

/** A member's second factor, for administrators. */
export async function countFactors(
  app: Pick<AccountsApp, 'db'>,
  { memberId }: { memberId: string },
): Promise<FactorsForAdmin> {
  const { passkeys, totp, recoveryCodesLeft } = await factorsOf(app.db, memberId)
  return { passkeys: passkeys.length, totp: totp !== null, recoveryCodesLeft }
}

async function factorsOf(db: Kysely<AccountsDatabase>, userId: string): Promise<FactorsOfMember> {
  const [passkeys, totp, codes] = await Promise.all([
    db
      .selectFrom('passkeys')
      .select(['id', 'name', 'added_at', 'last_used_at'])
      .where('user_id', '=', userId)
      .orderBy('added_at')
      .orderBy('id')
      .execute(),
    db.selectFrom('totp_factors').select(['added_at', 'last_used_at']).where('user_id', '=', userId).executeTakeFirst(),
    db
      .selectFrom('recovery_codes')
      .select((select) => select.fn.countAll<string>().as('left'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow(),
  ])
  return {
    passkeys: passkeys.map(({ id, name, ...times }) => ({ id, name, ...datesOf(times) })),
    totp: totp === undefined ? null : datesOf(totp),
    recoveryCodesLeft: Number(codes.left),
  }
}

function datesOf(row: { added_at: Date; last_used_at: Date | null }): { addedAt: string; lastUsedAt: string | null } {
  return { addedAt: row.added_at.toISOString(), lastUsedAt: row.last_used_at?.toISOString() ?? null }
}
