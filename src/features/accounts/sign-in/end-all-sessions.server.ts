import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { endAccess } from './end-access.server.ts'

/**
 * Ends all access but by password: a restored backup brings back what was ended since, and does not know what that was.
 * @returns how many sessions and links there were
 */
export async function endAllSessions({ db }: Pick<AccountsApp, 'db'>): Promise<{ sessions: number; links: number }> {
  return db.transaction().execute(async (trx) => {
    const { sessions, links } = await endAccess(trx, 'everybody')
    if (sessions + links > 0) {
      await recordAuditEvent(trx, { action: 'sessions.all_ended', by: 'operator', details: { sessions, links } })
    }
    return { sessions, links }
  })
}
