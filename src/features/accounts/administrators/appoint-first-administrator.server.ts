import type { AccountsApp } from '../app.ts'
import { foldEmail } from '../user/email.ts'
import { demoAdministrator } from '../demo/fill-demo-accounts.server.ts'
import { checkFirstAdministrator, firstAdministratorName } from './check-first-administrator.server.ts'
import { makeAdministrator } from './make-administrator.server.ts'

/**
 * Makes the administrator that the configuration names, if there is none at all. Once there is one, the configuration
 * changes nobody: a password that was changed since stays changed.
 * @throws {ConfigError} as `checkFirstAdministrator` does; administrators may have renamed the site since
 */
export async function appointFirstAdministrator(
  app: Pick<AccountsApp, 'config' | 'db' | 'clock' | 'mail' | 'passwords' | 'texts' | 'log'>,
): Promise<void> {
  const { firstAdmin, isPublic, hasDemoAccounts } = app.config
  await checkFirstAdministrator({ firstAdmin, brandName: app.texts.inForce.brandName }, app.passwords)
  const administrators = await app.db.selectFrom('users').select('email_folded').where('is_admin', '=', true).execute()
  // The demo's is nobody on a public site, whose start closes that account.
  const existing = administrators.filter(({ email_folded: email }) => !isPublic || email !== demoAdministrator)
  if (existing.length > 0) {
    const isOneOfThem = existing.some(({ email_folded: folded }) => folded === foldEmail(firstAdmin?.email ?? folded))
    // For example after the demo, whose administrator is still there.
    if (!isOneOfThem) {
      app.log.warn(
        { email: firstAdmin?.email },
        'ADMIN_EMAIL has no effect, because there is an administrator already: see the commands admin list and admin create.',
      )
    }
    return
  }
  if (firstAdmin === undefined) {
    if (!hasDemoAccounts)
      app.log.warn('There is no administrator: set ADMIN_EMAIL and ADMIN_PASSWORD, or run the command admin create.')
    return
  }
  const what = await makeAdministrator(app, { ...firstAdmin, name: firstAdministratorName, by: 'system' })
  app.log.info({ email: firstAdmin.email, what }, 'The first administrator was created.')
}
