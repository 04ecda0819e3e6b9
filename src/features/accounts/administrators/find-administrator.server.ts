import type { AccountsApp } from '../app.ts'

/** Name and address of an administrator, for an email; undefined if they have lost the role since it was queued. */
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
