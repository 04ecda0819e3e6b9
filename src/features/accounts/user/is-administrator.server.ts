import { type RawBuilder, sql } from 'kysely'
import type { AccountsTransaction } from '../app.ts'
import type { AccountsConfig } from '../accounts-config.server.ts'

type Asked = Pick<AccountsConfig, 'requiresAdminSecondFactor'>

/**
 * As SQL, whether a row of `users` has the role of an administrator in force (`rolesOfAccount`).
 * @param users what the row is called there
 */
export function isAdminInForce({ requiresAdminSecondFactor }: Asked, users: 'users' | 'u'): RawBuilder<boolean> {
  const row = sql.ref(`${users}.is_admin`)
  return requiresAdminSecondFactor
    ? sql<boolean>`(${row} and ${sql.ref(`${users}.has_second_factor`)})`
    : sql<boolean>`${row}`
}

/**
 * Whether a member has the role of an administrator in force, and keeps it until the transaction ends: who takes the role or
 * the second factor away waits for it. For work that goes on after the request of the one who began it.
 */
export async function isAdministrator(trx: AccountsTransaction, memberId: string, config: Asked): Promise<boolean> {
  const found = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', memberId)
    .where(isAdminInForce(config, 'users'))
    .forShare()
    .executeTakeFirst()
  return found !== undefined
}
