import type { AccountsTransaction } from '../app.ts'
import { Secret } from 'otpauth'
import { digestOf } from '../sessions/tokens.server.ts'

const codesOfAccount = 10
/** 80 bits: nobody finds the code of a digest by trying. */
const bytesOfCode = 10

/**
 * Gives a member ten new recovery codes; those before them end.
 * @returns the codes, which are nowhere else: the database has their digests
 */
export async function makeRecoveryCodes(trx: AccountsTransaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codesOfAccount }, () => new Secret({ size: bytesOfCode }).base32)
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: digestOf(code) })))
    .execute()
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'))
}
