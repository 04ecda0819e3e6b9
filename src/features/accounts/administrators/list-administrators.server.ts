import type { AccountsApp } from '../app.ts'

/** The administrators by address, for the operator. */
export function listAdministrators(app: Pick<AccountsApp, 'db'>): Promise<{ email: string; name: string }[]> {
  return app.db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('is_admin', '=', true)
    .orderBy('email_folded')
    .execute()
}
