import type { App } from '../../platform/app.ts'
import { grantAccess } from './grant-access.server.ts'

/** The demo's VIP (accounts/fill-demo-accounts.server.ts). */
const demoVip = 'vip@demo.example'

/** Gives the demo's VIP a year, once. Does nothing but in demo mode, and nothing for an account that is gone. */
export async function fillDemoMembership(app: Pick<App, 'config' | 'db' | 'clock'>): Promise<void> {
  if (!app.config.demo) return
  const user = await app.db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', demoVip)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('access_grants').select('id').whereRef('user_id', '=', 'users.id'))),
    )
    .executeTakeFirst()
  if (user !== undefined) await grantAccess(app, { userId: user.id, days: 365, grantedBy: 'the demo' })
}
