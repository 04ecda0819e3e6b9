import type { OfficeApp } from '../app.ts'
import {
  anchorAuditLog,
  isStartVouchedFor,
  recordAuditStart,
  recordRestoredBackup,
  readAnchors,
} from './audit-anchors.server.ts'
import { recordAuditEvent } from './record-audit-event.server.ts'
import { type AnchoredChain, verifyAuditLog } from './verify-audit-log.server.ts'

/**
 * The gap that a restored backup has left; undefined if the chain goes through all of its anchors.
 * @throws {Error} if the log has a fault that no backup explains
 */
export async function readRestoredLog(
  app: Pick<OfficeApp, 'db' | 'config' | 'clock'>,
): Promise<AnchoredChain | undefined> {
  const { anchored, faults } = await verifyAuditLog(app)
  const other = faults.find(({ isOfBackup }) => isOfBackup !== true)
  if (other !== undefined) throw new Error(`A restored backup does not explain this fault. ${other.sentence}`)
  return faults.length === 0 ? undefined : anchored
}

/**
 * Records that a backup was restored, in the log, so that the gap stays visible, and in the file of anchors, where
 * those behind the backup no longer count. The head is anchored at once. Another server's record in the log is not
 * repeated.
 * @param by the name of an account of the operating system
 */
export async function recordRestoredLog(
  app: Pick<OfficeApp, 'db' | 'config' | 'clock' | 'log'>,
  { position, anchored, hash, isAtLeast, recordedAt }: AnchoredChain,
  by: string,
): Promise<void> {
  if (recordedAt === undefined) {
    const details = { position, anchored, by, ...(isAtLeast ? { isAtLeast } : {}) }
    await app.db
      .transaction()
      .execute((trx) => recordAuditEvent(trx, { action: 'log.restored', by: 'operator', details }))
  }
  const head = await app.db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow()
  const start = { position: Number(head.first_position) - 1, hash: head.previous_hash }
  // The backup may begin before what has been deleted since.
  if (!isStartVouchedFor(await readAnchors(app.config), start, app)) await recordAuditStart(app, start)
  await recordRestoredBackup(app, { position, anchored, hash, by })
  await anchorAuditLog(app)
}
