import type { AccountsApp } from '../app.ts'
import { deviceInWords } from './device-in-words.server.ts'
import { endOfSession, isSessionOver, type StoredSession } from './session-lifetimes.ts'
import type { SessionForMember } from './session-schema.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'

/** The member's sessions that are alive, the one in use first, then by last use. */
export async function listSessions(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  viewer: Viewer,
): Promise<SessionForMember[]> {
  const { id: memberId, sessionId: currentId } = requireMember(viewer)
  return sessionsOf(app, { memberId, currentId })
}

export async function sessionsOf(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  { memberId, currentId }: { memberId: string; currentId: string },
): Promise<SessionForMember[]> {
  const now = app.clock.now()
  const rows = await app.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'user_agent', 'sessions.created_at', 'sessions.last_seen_at', 'expires_at'])
    .select(['is_remembered', 'is_admin'])
    .where('user_id', '=', memberId)
    .where('expires_at', '>', new Date(now))
    .orderBy('sessions.last_seen_at', 'desc')
    .orderBy('sessions.id')
    .execute()
  return rows
    .map((row) => {
      const stored: StoredSession = {
        isRemembered: row.is_remembered,
        isAdmin: row.is_admin,
        createdAt: row.created_at,
        lastSeenAt: row.last_seen_at,
        expiresAt: row.expires_at,
      }
      return { ...row, stored }
    })
    .filter(({ stored }) => !isSessionOver(stored, now))
    .map(({ stored, ...row }) => ({
      id: row.id,
      device: deviceInWords(row.user_agent),
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      expiresAt: endOfSession(stored).toISOString(),
      isRemembered: row.is_remembered && !row.is_admin,
      isCurrent: row.id === currentId,
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}
