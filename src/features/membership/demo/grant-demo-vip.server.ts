import type { MembershipApp } from '../app.ts'
import { demoVip } from '../../accounts/demo/fill-demo-accounts.server.ts'
import { addGrant } from '../access/grant-access.server.ts'
import { lockMember, longTimeoutMs } from '../access/lock-member.server.ts'

const grantedBy = 'the demo'

/** Revokes the access that was granted by hand, once the demo's VIP has bought their year. */
export async function takeBackDemoVip(app: Pick<MembershipApp, 'db' | 'log'>): Promise<void> {
  const grant = await app.db
    .selectFrom('access_grants')
    .select(['id', 'user_id'])
    .where('granted_by', '=', grantedBy)
    .executeTakeFirst()
  if (grant === undefined) return
  await lockMember(
    app,
    grant.user_id,
    ({ commit }) => commit((trx) => trx.deleteFrom('access_grants').where('id', '=', grant.id).execute()),
    { waitMs: longTimeoutMs },
  )
}

/**
 * Gives the demo's VIP a year by hand where nothing can be bought in the sandbox, once, also when several processes start.
 * Does nothing but in demo mode, and nothing for an account that is gone.
 */
export async function grantDemoVip(app: Pick<MembershipApp, 'config' | 'db' | 'clock' | 'log'>): Promise<void> {
  const { db, config } = app
  if (!config.hasDemoAccounts) return
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', demoVip)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('access_grants').select('id').whereRef('user_id', '=', 'users.id'))),
    )
    .executeTakeFirst()
  if (user === undefined) return
  const userId = user.id
  await lockMember(
    app,
    userId,
    ({ commit }) =>
      commit(async (trx) => {
        // Another process may have granted it while this one waited for the lock.
        const grant = await trx
          .selectFrom('access_grants')
          .select('id')
          .where('user_id', '=', userId)
          .limit(1)
          .executeTakeFirst()
        if (grant === undefined) await addGrant(app, trx, { userId, days: 365, grantedBy })
      }),
    { waitMs: longTimeoutMs },
  )
}
