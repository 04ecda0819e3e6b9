import { sql, type Transaction } from 'kysely'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import { readReported } from '../../catalogue/removal/match-reported.server.ts'
import type { NoticesApp, NoticesDatabase } from '../app.ts'
import { recordRemovals } from '../journal/reconcile-journal.server.ts'
import {
  erasedCounterNotice,
  invalidNotice,
  noSuchCounterNotice,
  settledCounterNotice,
} from '../notice/notice-errors.ts'
import { applyEvent, lockNotice } from '../notice/record-event.server.ts'
import { notifyOfProgress } from './counter-notice-row.server.ts'
import type { AttachedTo, UnattachedCounterNotices } from './desk-schema.ts'
import { findAnswerable, receiveAt } from './file-counter-notice.server.ts'
import { erasedText } from './notice-for-desk.server.ts'
import { apartFromAddresses } from './stood-at.ts'

/** Counter-notices that could not be attached to a notice (docs/spec/notices.md#unattached). */

type Trx = Transaction<NoticesDatabase>

/** Those that wait, the oldest first. */
export async function listUnattached(
  { db }: Pick<NoticesApp, 'db'>,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<UnattachedCounterNotices> {
  let query = db
    .selectFrom('counter_notices')
    .selectAll()
    .where('notice_id', 'is', null)
    .where('state', '=', 'unmatched')
    .orderBy('id')
    .limit(limit + 1)
  if (after !== undefined) query = query.where('id', '>', after)
  const rows = await query.execute()
  const part = rows.slice(0, limit)
  return {
    counterNotices: part.map((row) => {
      const isWhole = row.forgotten_at === null
      return {
        id: row.id,
        reference: row.reference,
        name: row.name,
        address: isWhole ? row.address : erasedText,
        phone: isWhole ? row.phone : erasedText,
        email: row.email,
        ...apartFromAddresses(row.explanation),
        signature: isWhole ? row.signature : erasedText,
        receivedAt: row.received_at.toISOString(),
        isAnswered: row.is_answered,
        forgottenAt: row.forgotten_at === null ? null : row.forgotten_at.toISOString(),
      }
    }),
    next: rows.length > limit ? (part.at(-1)?.id ?? null) : null,
  }
}

/**
 * Attaches a counter-notice to a notice: it is as if it had come with its reference, and its times count from its receipt. The bound of
 * those that wait at a notice does not keep it away.
 * @throws {AppError} `notice.counter_notice_not_found`, 404; `notice.counter_notice_settled`, 409, where it was attached or refused meanwhile, or is no
 * longer whole; `notice.invalid`, 422, for a reference of nothing that it can answer, whatever the reason
 */
export async function attachCounterNotice(
  app: NoticesApp,
  viewer: Viewer,
  { id, reference }: { id: string; reference: string },
): Promise<AttachedTo> {
  const { id: memberId } = requireMember(viewer)
  // The addresses are parsed before the catalogue is locked: the text comes from strangers.
  const { explanation } = await findRow(app.db, id)
  const reported = await readReported(app, apartFromAddresses(explanation).addresses)
  const attached = await app.db.transaction().execute(async (trx) => {
    // In the order in which everybody takes them: the catalogue, the notice.
    await lockCatalogue(trx)
    const answered = await findAnswerable(trx, { reference, reported })
    const row = await lockUnattached(trx, id)
    if (row.forgotten_at !== null) throw erasedCounterNotice()
    // One sentence for all: why a reference is that of none tells of what may not be known.
    if (answered === undefined)
      throw invalidNotice('No decided copyright notice that keeps something off the site has this reference.', {
        field: 'reference',
      })
    const { notice, decisionId } = answered
    await trx
      .updateTable('counter_notices')
      .set({ notice_id: notice.id, decision_id: decisionId })
      .where('id', '=', id)
      .execute()
    const by = { kind: 'administrator', id: memberId } as const
    await receiveAt(app, trx, { answered, counterNoticeId: id, receivedAt: row.received_at, by })
    await recordIfOverdue(app, trx, { noticeId: notice.id, counterNoticeId: id })
    await recordAuditEvent(trx, {
      action: 'notice.counter_attached',
      by: { memberId },
      subject: { kind: 'notice', id: notice.id },
      details: { reference: notice.reference, kind: notice.state.kind, counterNoticeId: id },
    })
    return { reference: notice.reference }
  })
  await recordRemovals(app, attached)
  return attached
}

/** The deadline of one that came long ago has passed before it begins: the record says so at once. */
async function recordIfOverdue(
  app: NoticesApp,
  trx: Trx,
  { noticeId, counterNoticeId }: { noticeId: string; counterNoticeId: string },
): Promise<void> {
  const { rows } = await sql`
    select from notice_clocks
     where notice_id = ${noticeId} and counter_notice_id = ${counterNoticeId} and name = 'forward'
       and ended_at is null and due_at <= now()`.execute(trx)
  if (rows.length === 0) return
  const event = { type: 'overdue', clock: 'forward', counterNoticeId } as const
  await applyEvent(app, trx, { notice: await lockNotice(trx, noticeId), event, by: { kind: 'system' } })
}

/**
 * Refuses a counter-notice without a notice, with reasons that go to whoever sent it.
 * @throws {AppError} `notice.counter_notice_not_found`, 404; `notice.counter_notice_settled`, 409, where it was attached or refused meanwhile
 */
export async function refuseUnattached(
  app: NoticesApp,
  viewer: Viewer,
  { id, reasons }: { id: string; reasons: string },
): Promise<void> {
  const { id: memberId } = requireMember(viewer)
  await app.db.transaction().execute(async (trx) => {
    await lockUnattached(trx, id)
    await trx
      .updateTable('counter_notices')
      .set({ state: 'refused', refused_at: sql<Date>`now()`, refusal: reasons })
      .where('id', '=', id)
      .execute()
    await notifyOfProgress(app, trx, id, 'refused')
    await recordAuditEvent(trx, {
      action: 'notice.counter_refused',
      by: { memberId },
      subject: { kind: 'counter_notice', id },
    })
  })
}

async function findRow(db: Pick<NoticesApp['db'], 'selectFrom'>, id: string): Promise<{ explanation: string }> {
  const row = await db.selectFrom('counter_notices').select('explanation').where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw noSuchCounterNotice()
  return row
}

/** It, if it waits without a notice still. */
async function lockUnattached(trx: Trx, id: string): Promise<{ received_at: Date; forgotten_at: Date | null }> {
  const row = await trx
    .selectFrom('counter_notices')
    .select(['notice_id', 'state', 'received_at', 'forgotten_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw noSuchCounterNotice()
  if (row.notice_id !== null || row.state !== 'unmatched') throw settledCounterNotice()
  return row
}
