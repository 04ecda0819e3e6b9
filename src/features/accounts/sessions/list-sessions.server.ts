import Bowser from 'bowser'
import type { AccountsApp } from '../app.ts'
import { sessionLifetimes } from './session-lifetimes.ts'
import type { SessionForMember } from './session-schema.ts'
import { requireMember, type Viewer } from '../user/viewer.ts'

/** The member's sessions that are alive, the one in use first, then by last use. */
export async function listSessions(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  viewer: Viewer,
): Promise<SessionForMember[]> {
  const { id: memberId, sessionId: currentId } = requireMember(viewer)
  return sessionsOf(app, { memberId, currentId })
}

/** The sessions of any member. */
export async function sessionsOf(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  { memberId, currentId }: { memberId: string; currentId: string },
): Promise<SessionForMember[]> {
  const now = app.clock.now()
  const rows = await app.db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_seen_at', 'expires_at', 'is_remembered'])
    .where('user_id', '=', memberId)
    .where('expires_at', '>', new Date(now))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
  return rows
    .filter((row) => {
      const { idleMs } = row.is_remembered ? sessionLifetimes.remembered : sessionLifetimes.untilClosed
      return row.last_seen_at.getTime() + idleMs > now
    })
    .map((row) => ({
      id: row.id,
      device: deviceOf(row.user_agent),
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      isRemembered: row.is_remembered,
      isCurrent: row.id === currentId,
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

/** The usual name of a device, from its user agent. */
function deviceOf(userAgent: string): string {
  if (userAgent === '') return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  const parts = [browser.name, os.name].filter((part) => part !== undefined && part !== '')
  return parts.length === 0 ? 'Unknown device' : parts.join(' on ')
}
