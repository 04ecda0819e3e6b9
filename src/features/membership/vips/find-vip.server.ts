import { foldEmail } from '../../accounts/user/email.ts'
import { unknownMember } from '../../accounts/user/unknown-member.server.ts'
import type { MembershipApp } from '../app.ts'

/**
 * The member whose address an administrator's call names.
 * @throws {AppError} `member.unknown`, 404
 */
export async function findVip(
  { db }: Pick<MembershipApp, 'db'>,
  { email }: { email: string },
): Promise<{ id: string }> {
  // The address of a request can spell what is no text to the database.
  const folded = email.isWellFormed() && !email.includes('\0') ? foldEmail(email) : ''
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', folded)
    .executeTakeFirstOrThrow(() => unknownMember())
  return found
}
