import type { AccountsApp } from '../app.ts'
import { endOfChange } from '../user/address-times.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import { adminKeyOf } from '../sessions/tokens.server.ts'
import { hasRole, lacksSecondFactor, requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'

/**
 * The caller's own account.
 * @throws {AppError} `session.invalid`, 401, when it was deleted meanwhile
 */
export async function readAccount(app: Pick<AccountsApp, 'db' | 'clock'>, viewer: Viewer): Promise<AccountForMember> {
  const member = requireMember(viewer)
  const user = await app.db
    .selectFrom('users')
    .leftJoin('address_changes', 'address_changes.user_id', 'users.id')
    .leftJoin('feed_tokens', (join) =>
      join.onRef('feed_tokens.user_id', '=', 'users.id').on('feed_tokens.search_id', 'is', null),
    )
    .leftJoin('email_stops', (join) =>
      join.onRef('email_stops.user_id', '=', 'users.id').onRef('email_stops.email_folded', '=', 'users.email_folded'),
    )
    .select([
      'users.name',
      'users.email',
      'users.email_confirmed_at',
      'users.profile_image',
      'users.created_at',
      'address_changes.email as requested_email',
      'address_changes.requested_at',
      'feed_tokens.created_at as feed_made_at',
      'email_stops.reason as email_stop',
    ])
    .where('users.id', '=', member.id)
    .executeTakeFirstOrThrow(() => invalidSession())
  const isOpen = user.requested_at !== null && endOfChange(user.requested_at) > app.clock.now()
  return {
    isAdmin: hasRole(viewer, 'admin'),
    isVip: hasRole(viewer, 'vip'),
    needsSecondFactor: lacksSecondFactor(viewer),
    name: user.name,
    email: user.email,
    isEmailConfirmed: user.email_confirmed_at !== null,
    requestedEmail: isOpen ? user.requested_email : null,
    emailStop: user.email_stop,
    hasPrivateFeed: user.feed_made_at !== null,
    profileImage: user.profile_image,
    createdAt: user.created_at.toISOString(),
    // A source of roles has read these, where a feature has one.
    vipExpirationDate: null,
    ...viewer.profile,
    ...(hasRole(viewer, 'admin') ? { adminKey: adminKeyOf(member.token) } : {}),
  }
}
