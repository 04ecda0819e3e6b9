import { notifyAdministrators } from '../administrators/notify-administrators.server.ts'
import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'

/** An answer with the names and addresses of more members than this is an export: no screen asks for so many. */
const mostUnrecorded = 100

/** Before a list of members leaves: one that is long enough is an export (docs/spec/security.md#told-by-email). */
export async function recordLongList(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  viewer: Viewer,
  count: number,
): Promise<void> {
  if (count > mostUnrecorded) await recordMembersExport(app, viewer, count)
}

/**
 * Before names and addresses of members leave: it is in the audit log, and every administrator is notified by email.
 * @param count how many they are, where it is not all of them
 */
export async function recordMembersExport(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  viewer: Viewer,
  count?: number,
): Promise<void> {
  const act = { action: 'members.exported', by: { memberId: requireMember(viewer).id } } as const
  const counted = count === undefined ? {} : { count }
  await app.db.transaction().execute(async (trx) => {
    await notifyAdministrators(app, trx, { ...act, ...counted })
    await recordAuditEvent(trx, { ...act, details: counted })
  })
}
