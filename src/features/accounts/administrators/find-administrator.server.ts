import type { AccountsApp } from '../app.ts'

/**
 * Name and address of an administrator, for an email that has waited; undefined for whoever is none any more. An email to
 * administrators is written by this: what waited while somebody lost the role goes to them no more.
 */
export function findAdministrator(
  { db }: Pick<AccountsApp, 'db'>,
  userId: string,
): Promise<{ name: string; email: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .where('is_admin', '=', true)
    .executeTakeFirst()
}
