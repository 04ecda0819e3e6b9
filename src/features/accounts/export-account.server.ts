import type { App } from '../../platform/app.ts'
import { limitDataExport } from './account-limits.server.ts'
import { listSessions, type SessionForMember } from './list-sessions.server.ts'
import { type AccountForMember, readAccount } from './read-account.server.ts'
import { invalidSession } from './recognise-session.server.ts'
import { memberOf, type Viewer } from './viewer.ts'

/** Everything that the site keeps of a member, but for what would let somebody sign in. */
export interface AccountExport {
  exportedAt: string
  account: Omit<AccountForMember, 'adminKey'> & { passwordChangedAt: string }
  sessions: SessionForMember[]
}

/**
 * The caller's own data, to take along.
 * @throws {AppError} `limit.exceeded`, 429; `session.invalid`, 401, when the account was deleted meanwhile
 */
export async function exportAccount(app: App, viewer: Viewer): Promise<AccountExport> {
  const { id } = memberOf(viewer)
  await limitDataExport(app, id)
  const { adminKey: _secret, ...account } = await readAccount(app, viewer)
  const user = await app.db.selectFrom('users').select('password_changed_at').where('id', '=', id).executeTakeFirst()
  if (user === undefined) throw invalidSession()
  return {
    exportedAt: new Date(app.clock.now()).toISOString(),
    account: { ...account, passwordChangedAt: user.password_changed_at.toISOString() },
    sessions: await listSessions(app, viewer),
  }
}
