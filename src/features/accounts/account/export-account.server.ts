import type { AccountsApp } from '../app.ts'
import { readAccount } from './read-account.server.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { AccountExport } from './account-schema.ts'

/**
 * The caller's own account, to take along.
 * @throws {AppError} `session.invalid`, 401, when the account was deleted meanwhile
 */
export async function exportAccount(app: AccountsApp, viewer: Viewer): Promise<AccountExport> {
  const {
    adminKey: _secret,
    needsSecondFactor: _state,
    hasPrivateFeed: _part,
    ...account
  } = await readAccount(app, viewer)
  const user = await app.db
    .selectFrom('users')
    .select(['is_safety_officer', 'password_changed_at'])
    .where('id', '=', requireMember(viewer).id)
    .executeTakeFirstOrThrow(() => invalidSession())
  return {
    ...account,
    isSafetyOfficer: user.is_safety_officer,
    passwordChangedAt: user.password_changed_at?.toISOString() ?? null,
  }
}
