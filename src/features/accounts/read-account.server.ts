import type { App } from '../../platform/app.ts'
import { invalidSession } from './recognise-session.server.ts'
import { adminKeyOf } from './tokens.server.ts'
import { memberOf, type Viewer } from './viewer.ts'

/** The dashboard's answer (PRODUCT.md, section 12, "Register"). Instants are ISO texts. */
export interface AccountForMember {
  isAdmin: boolean
  isVip: boolean
  name: string
  email: string
  profileImage: string | null
  createdAt: string
  /** The end of the membership, also of one that is over; null for who never had one. */
  vipExpirationDate: string | null
  /** For VIPs by a plan alone. */
  planType?: string
  /** For administrators alone. */
  adminKey?: string
}

/**
 * The caller's own account.
 * @throws {AppError} `session.invalid`, 401, when it was deleted meanwhile
 */
export async function readAccount(app: Pick<App, 'db'>, viewer: Viewer): Promise<AccountForMember> {
  const member = memberOf(viewer)
  const user = await app.db
    .selectFrom('users')
    .select(['name', 'email', 'profile_image', 'created_at'])
    .where('id', '=', member.id)
    .executeTakeFirst()
  if (user === undefined) throw invalidSession()
  return {
    isAdmin: viewer.isAdmin,
    isVip: member.isVip,
    name: user.name,
    email: user.email,
    profileImage: user.profile_image,
    createdAt: user.created_at.toISOString(),
    vipExpirationDate: member.vipEndsAt === null ? null : new Date(member.vipEndsAt).toISOString(),
    ...(member.isVip && member.planType !== null ? { planType: member.planType } : {}),
    ...(viewer.isAdmin ? { adminKey: adminKeyOf(member.token) } : {}),
  }
}
