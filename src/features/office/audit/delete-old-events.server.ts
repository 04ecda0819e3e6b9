import { sql } from 'kysely'
import type { OfficeApp } from '../app.ts'
import {
  beginAnchors,
  type ChainPlace,
  isStartVouchedFor,
  recordAuditStart,
  readAnchors,
  thinOutAnchors,
} from './audit-anchors.server.ts'

/** So few that a writer of an event waits for a moment only. */
const batchSize = 500

/**
 * Deletes the events of the audit log whose time is over (`AUDIT_DAYS`), from the beginning of the chain on, and moves its
 * beginning. In batches: each is one transaction.
 */
export async function deleteOldAuditEvents(
  app: Pick<OfficeApp, 'db' | 'config' | 'clock' | 'log'>,
): Promise<{ deleted: number }> {
  let deleted = 0
  for (;;) {
    const count = await deleteBatch(app)
    deleted += count
    if (count < batchSize) break
  }
  const { first_position: first } = await app.db
    .selectFrom('audit_head')
    .select('first_position')
    .executeTakeFirstOrThrow()
  await thinOutAnchors(app, { firstPosition: Number(first) })
  if (deleted > 0) app.log.info({ deleted, days: app.config.auditDays }, 'Old events of the audit log were deleted.')
  return { deleted }
}

async function deleteBatch(app: Pick<OfficeApp, 'db' | 'config' | 'clock' | 'log'>): Promise<number> {
  return app.db.transaction().execute(async (trx) => {
    // One at a time, with all writers of events.
    const { rows } = await sql<{
      position: string
      hash: Uint8Array
      is_old: boolean
      first_position: string
      previous_hash: Uint8Array
    }>`
      select c.position, c.hash, head.first_position, head.previous_hash, e.recorded_at < now() - make_interval(days => ${app.config.auditDays}::int) as is_old
        from hold_audit_head() head
        join audit_chain c on c.position >= head.first_position and c.position < head.first_position + ${batchSize}
        join audit_events e on e.id = c.event_id
       order by c.position`.execute(trx)
    const firstKept = rows.findIndex((row) => !row.is_old)
    const last = rows[(firstKept === -1 ? rows.length : firstKept) - 1]
    if (last === undefined) return 0
    const first = Number(last.position) + 1
    const { first_position: old, previous_hash: hash } = last
    await recordNewStart(app, { position: Number(old) - 1, hash }, { position: first - 1, hash: last.hash })
    const { rows: cut } = await sql<{ gone: string }>`select cut_audit_log(${first}) as gone`.execute(trx)
    return Number(cut[0]?.gone ?? 0)
  })
}

/**
 * Runs before the commit: a chain without an anchored start looks cut. If the start is missing already, a further
 * deletion does not repair it.
 */
async function recordNewStart(
  app: Pick<OfficeApp, 'config' | 'clock' | 'log'>,
  old: ChainPlace,
  start: ChainPlace,
): Promise<void> {
  await beginAnchors(app, old)
  if (isStartVouchedFor(await readAnchors(app.config), old, app)) await recordAuditStart(app, start)
  else app.log.error({ position: old.position + 1 }, 'No anchor vouches for the beginning of the audit log.')
}
