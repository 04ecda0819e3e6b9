import type { AccountsApp } from '../app.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import { adminKeyOf } from '../sessions/tokens.server.ts'
import { hasRole, requireMember, type Viewer } from '../user/viewer.ts'
import type { AccountForMember } from './account-schema.ts'

/**
 * The caller's own account.
 * @throws {AppError} `session.invalid`, 401, when it was deleted meanwhile
 */
export async function readAccount(app: Pick<AccountsApp, 'db'>, viewer: Viewer): Promise<AccountForMember> {
  const member = requireMember(viewer)
  const user = await app.db
    .selectFrom('users')
    .select(['name', 'email', 'profile_image', 'created_at'])
    .where('id', '=', member.id)
    .executeTakeFirst()
  if (user === undefined) throw invalidSession()
  return {
    isAdmin: hasRole(viewer, 'admin'),
    isVip: hasRole(viewer, 'vip'),
    name: user.name,
    email: user.email,
    profileImage: user.profile_image,
    createdAt: user.created_at.toISOString(),
    // A source of roles has read these, where a feature has one.
    vipExpirationDate: null,
    ...viewer.profile,
    ...(hasRole(viewer, 'admin') ? { adminKey: adminKeyOf(member.token) } : {}),
  }
}
