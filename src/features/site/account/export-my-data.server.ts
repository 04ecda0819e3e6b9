import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { limitDataExport } from '../../accounts/sign-in/account-limits.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { features } from '../features.server.ts'

/**
 * Everything that the site keeps of the caller, to take along: the parts of all features, in their order.
 * @throws {AppError} `limit.exceeded`, 429; `session.invalid`, 401, when the account was deleted meanwhile
 */
export async function exportMyData(app: SiteApp, viewer: Viewer): Promise<Record<string, unknown>> {
  const { id } = requireMember(viewer)
  await limitDataExport(app, id)
  const file = await collectData(app, viewer)
  await app.db
    .transaction()
    .execute((trx) =>
      recordAuditEvent(trx, { action: 'account.exported', by: { memberId: id }, subject: { kind: 'member', id } }),
    )
  return file
}

/** The same of any member. */
export async function collectData(app: SiteApp, viewer: Viewer): Promise<Record<string, unknown>> {
  const file: Record<string, unknown> = { exportedAt: new Date(app.clock.now()).toISOString() }
  for (const { name, read } of features.flatMap(({ dataExport = [] }) => dataExport))
    file[name] = await read(app, viewer)
  return file
}
