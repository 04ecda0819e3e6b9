import type { AccountsApp } from '../app.ts'

export function listAdministrators(
  app: Pick<AccountsApp, 'db'>,
): Promise<{ email: string; name: string; is_safety_officer: boolean; has_second_factor: boolean }[]> {
  return app.db
    .selectFrom('users')
    .select(['email', 'name', 'is_safety_officer', 'has_second_factor'])
    .where('is_admin', '=', true)
    .orderBy('email_folded')
    .execute()
}
