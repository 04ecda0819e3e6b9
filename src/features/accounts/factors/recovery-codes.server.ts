import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp, AccountsTransaction } from '../app.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { digestOf } from '../sessions/tokens.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { makeRecoveryCodes } from './make-recovery-codes.server.ts'
import { lockFactors, noteChange } from './second-factor.server.ts'
import { accountMails } from '../account-mails.ts'

/**
 * Gives the caller ten new recovery codes.
 * @throws {AppError} `factor.none`, 409, without a factor that they could stand in for
 */
export async function renewRecoveryCodes(app: AccountsApp, viewer: Viewer): Promise<{ codes: string[] }> {
  const member = requireMember(viewer)
  return app.db.transaction().execute(async (trx) => {
    const user = await lockFactors(trx, member.id)
    if (!user.hadSecondFactor) {
      throw noFactor()
    }
    const codes = await makeRecoveryCodes(trx, user.id)
    await noteChange(app, trx, user, { action: 'factor.codes_made', change: 'codes-made' })
    return { codes }
  })
}

/**
 * The digest of a recovery code that the member has.
 * @param typed case, blanks and dashes do not matter
 */
export async function findRecoveryCode(
  { db }: Pick<AccountsApp, 'db'>,
  { userId, typed }: { userId: string; typed: string },
): Promise<Uint8Array | undefined> {
  const code = normalised(typed)
  if (code === undefined) return undefined
  const found = await db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('code_hash', '=', digestOf(code))
    .executeTakeFirst()
  return found?.code_hash
}

/**
 * Uses a recovery code up, in the transaction of its act: a failed act costs no code. Only one of two concurrent uses
 * succeeds. Its owner is notified by email.
 * @returns false where it was used meanwhile
 * @throws {AppError} `session.invalid`, 401, for an account that is gone
 */
export async function useRecoveryCode(
  { mail }: Pick<AccountsApp, 'mail'>,
  trx: AccountsTransaction,
  { userId, digest }: { userId: string; digest: Uint8Array },
): Promise<boolean> {
  // First, as every change of the factors does.
  const { email, name } = await lockFactors(trx, userId)
  const used = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', digest)
    .returning('user_id')
    .executeTakeFirst()
  if (used === undefined) return false
  const { left } = await trx
    .selectFrom('recovery_codes')
    .select((select) => select.fn.countAll<string>().as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  await recordMemberEvent(trx, 'factor.code_used', { of: userId, details: { left: Number(left) } })
  await mail.queue(trx, accountMails.recoveryCodeUsed, { email, name, left: Number(left) })
  return true
}

/** As it was made; undefined for what can be none. The alphabet has neither 0 nor 1. */
function normalised(typed: string): string | undefined {
  if (typed.length > 100) return undefined
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I')
  return /^[A-Z2-7]{16}$/.test(code) ? code : undefined
}

export const noFactor = defineError({
  code: 'factor.none',
  status: 409,
  sentence: 'Add a passkey or an authenticator app first: recovery codes stand in for one.',
  remedy: 'Add a factor: POST /auth/passkeys/options or POST /auth/totp.',
})
