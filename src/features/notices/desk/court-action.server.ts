import type { Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { applyEvent, lockNotice, type NoticeActor } from '../notice/record-event.server.ts'
import { isCounterNoticeOpen, type NoticeState } from '../notice/transition.ts'
import { changeNotice } from './change-notice.server.ts'
import { findCounterNotice, namedBy, notifyOfProgress } from './counter-notice-row.server.ts'
import type { NoticeForDesk } from './desk-schema.ts'

/**
 * Records that a court action was notified: no counter-notice restores these entries any more (17 U.S.C. 512(g)(2)(C);
 * docs/decisions/2026-11-23-court-actions-by-entry.md).
 * @throws {AppError} `notice.not_found` and `notice.counter_notice_not_found`, 404; `notice.conflict` and
 * `notice.transition`, 409, with the notice as it is
 */
export function recordCourtAction(
  app: NoticesApp,
  viewer: Viewer,
  { counterNoticeId, note, ...which }: { reference: string; version: number; counterNoticeId: string; note: string },
): Promise<NoticeForDesk> {
  return changeNotice(app, viewer, which, async ({ trx, notice, by }) => {
    await findCounterNotice(trx, notice, counterNoticeId)
    const underAction = await entriesUnderAction(trx, notice.id)
    for (const id of await namedBy(trx, counterNoticeId)) underAction.add(id)
    const stops = await stoppedBy(trx, notice.state, { counterNoticeId, underAction })
    await applyEvent(app, trx, { notice, event: { type: 'action-notified', counterNoticeId, note, stops }, by })
    for (const id of [counterNoticeId, ...stops]) await saveNote(app, trx, { id, note })
    return { action: 'notice.action_recorded', details: { counterNoticeId, note } }
  })
}

/** Other counter-notices whose entries are all under a court action. */
async function stoppedBy(
  trx: NoticesTransaction,
  { counterNotices }: NoticeState,
  { counterNoticeId, underAction }: { counterNoticeId: string; underAction: ReadonlySet<string> },
): Promise<string[]> {
  const stops: string[] = []
  for (const [id, state] of Object.entries(counterNotices)) {
    if (id === counterNoticeId || !isCounterNoticeOpen(state)) continue
    if ((await namedBy(trx, id)).every((item) => underAction.has(item))) stops.push(id)
  }
  return stops
}

/** Notifies the sender, and records on the desk, why nothing is restored. */
async function saveNote(
  app: NoticesApp,
  trx: NoticesTransaction,
  { id, note }: { id: string; note: string },
): Promise<void> {
  await trx.updateTable('counter_notices').set({ action_note: note }).where('id', '=', id).execute()
  await notifyOfProgress(app, trx, id, 'action')
}

/** The entries about which a court action was notified, by any counter-notice to this notice. */
export async function entriesUnderAction(trx: NoticesTransaction, noticeId: string): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('counter_notice_items as i')
    .innerJoin('counter_notices as c', 'c.id', 'i.counter_notice_id')
    .select('i.item_id')
    .where('c.notice_id', '=', noticeId)
    .where('c.state', '=', 'action')
    .execute()
  return new Set(rows.map(({ item_id }) => item_id))
}

/**
 * Stops a counter-notice that was just accepted if a court action covers all of its entries. The notice is locked.
 * @returns whether it was stopped
 */
export async function stopWhereAllIsUnderAction(
  app: NoticesApp,
  trx: NoticesTransaction,
  { noticeId, counterNoticeId, by }: { noticeId: string; counterNoticeId: string; by: NoticeActor },
): Promise<boolean> {
  const underAction = await entriesUnderAction(trx, noticeId)
  const named = await namedBy(trx, counterNoticeId)
  if (!named.every((id) => underAction.has(id))) return false
  const note = 'A court action about what it names was notified before.'
  const notice = await lockNotice(trx, noticeId)
  await applyEvent(app, trx, { notice, event: { type: 'action-notified', counterNoticeId, note, stops: [] }, by })
  await trx.updateTable('counter_notices').set({ action_note: note }).where('id', '=', counterNoticeId).execute()
  return true
}
