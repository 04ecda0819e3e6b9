import type { App } from '../../platform/app.ts'
import { ConfigError } from '../../platform/config.ts'
import { foldEmail } from './email.ts'
import { makeAdministrator } from './make-administrator.server.ts'

/**
 * Makes the administrator whom the configuration names, when there is none at all. Once there is one, the configuration
 * changes nobody: a password that was changed since stays changed.
 * @throws {ConfigError} for a password that is guessed first
 */
export async function appointFirstAdministrator(
  app: Pick<App, 'config' | 'db' | 'clock' | 'passwords' | 'log'>,
): Promise<void> {
  const { firstAdmin } = app.config
  const existing = await app.db.selectFrom('users').select('email_folded').where('is_admin', '=', true).execute()
  if (existing.length > 0) {
    const isOneOfThem = existing.some(({ email_folded: folded }) => folded === foldEmail(firstAdmin?.email ?? folded))
    // For example after the demo, whose administrator is still there.
    if (!isOneOfThem) {
      app.log.warn(
        { email: firstAdmin?.email },
        'ADMIN_EMAIL makes nobody an administrator, because there is one: the commands admin list and admin create help.',
      )
    }
    return
  }
  if (firstAdmin === undefined) {
    if (!app.config.demo)
      app.log.warn('There is no administrator: set ADMIN_EMAIL and ADMIN_PASSWORD, or run the command admin create.')
    return
  }
  if (app.passwords.isCommon(firstAdmin.password)) {
    throw new ConfigError('ADMIN_PASSWORD', 'a password that is not among the most common ones', '***')
  }
  const what = await makeAdministrator(app, { ...firstAdmin, name: 'Administrator' })
  app.log.info({ email: firstAdmin.email, what }, 'The first administrator was made.')
}
