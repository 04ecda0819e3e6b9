import type { App } from '../../platform/app.ts'
import { AppError } from '../../platform/errors.ts'
import { sessionLifetimes } from './session-lifetimes.ts'
import { digestOf, looksLikeToken } from './tokens.server.ts'
import { anonymous, type Viewer } from './viewer.ts'
import { isVipNow } from './vip.ts'

/** A use is written down at most so often. */
const seenEveryMs = 60_000

/**
 * Who sends a request with this `Authorization` header. The roles are read anew each time, and so is the session: what
 * has ended on one instance has ended on all.
 * @throws {AppError} `session.invalid`, 401, for a bearer that no living session knows, also on public calls
 */
export async function recogniseViewer(
  app: Pick<App, 'db' | 'clock'>,
  authorization: string | undefined,
): Promise<Viewer> {
  if (authorization === undefined) return anonymous
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  if (!looksLikeToken(token)) throw invalidSession()
  const now = app.clock.now()
  const row = await app.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id as session_id',
      'sessions.is_remembered',
      'sessions.last_seen_at',
      'users.id',
      'users.email',
      'users.is_admin',
      'users.vip_expires_at',
      'users.vip_disabled',
    ])
    .where('sessions.token_hash', '=', digestOf(token))
    .where('sessions.expires_at', '>', new Date(now))
    .executeTakeFirst()
  if (row === undefined) throw invalidSession()
  const lastSeen = row.last_seen_at.getTime()
  const { idleMs } = row.is_remembered ? sessionLifetimes.remembered : sessionLifetimes.untilClosed
  if (lastSeen + idleMs <= now) throw invalidSession()
  if (lastSeen + seenEveryMs <= now) {
    await app.db
      .updateTable('sessions')
      .set({ last_seen_at: new Date(now) })
      .where('id', '=', row.session_id)
      .where('last_seen_at', '<', new Date(now))
      .execute()
  }
  const isVip = isVipNow(row, now)
  return {
    isVip: isVip || row.is_admin,
    isAdmin: row.is_admin,
    member: { id: row.id, email: row.email, sessionId: row.session_id, token, isVip },
  }
}

export function invalidSession(): AppError {
  return new AppError({
    code: 'session.invalid',
    status: 401,
    message: 'Your session is not valid. Please sign in again.',
  })
}
