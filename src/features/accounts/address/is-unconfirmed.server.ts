import type { AccountsApp } from '../app.ts'
import { foldEmail } from '../user/email.ts'

/** Whether an address belongs to a member who has not confirmed it; false for an address of nobody. */
export async function isUnconfirmed({ db }: Pick<AccountsApp, 'db'>, address: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('email_confirmed_at')
    .where('email_folded', '=', foldEmail(address))
    .executeTakeFirst()
  return user !== undefined && user.email_confirmed_at === null
}
