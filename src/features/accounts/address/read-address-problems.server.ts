import { sql } from 'kysely'
import type { AccountsApp } from '../app.ts'
import type { Problem } from '../../office/contributions.ts'
import { foldEmail } from '../user/email.ts'

const maxNamed = 10

/**
 * The accounts whose address is that of another account in another spelling, from the time before domains were folded:
 * whoever signs in with it reaches the other one.
 */
export async function readAddressProblems({ db }: Pick<AccountsApp, 'db'>): Promise<Problem[]> {
  // An index holds those alone.
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email', 'email_folded'])
    .where(sql<boolean>`split_part(email_folded, '@', 2) ~ '[^ -~]'`)
    .orderBy('id')
    .limit(maxNamed)
    .execute()
  return rows
    .filter(({ email, email_folded: folded }) => foldEmail(email) !== folded)
    .map(({ id, email }) => ({
      sentence: `${email} is the address of two accounts, in two spellings. Nobody can sign in to this one: ask its owner, and delete the account that they do not need.`,
      to: `/admin/people/${id}`,
    }))
}
