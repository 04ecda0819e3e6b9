import type { App } from '../../platform/app.ts'
import { foldEmail } from './email.ts'

/** The administrators by address, for the operator. */
export function listAdministrators(app: Pick<App, 'db'>): Promise<{ email: string; name: string }[]> {
  return app.db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('is_admin', '=', true)
    .orderBy('email_folded')
    .execute()
}

/** Who has this address, for the operator. */
export function findAccount(
  app: Pick<App, 'db'>,
  { email }: { email: string },
): Promise<{ id: string; name: string } | undefined> {
  return app.db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('email_folded', '=', foldEmail(email))
    .executeTakeFirst()
}
