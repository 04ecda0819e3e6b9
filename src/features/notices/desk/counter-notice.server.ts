import type { Viewer } from '../../office/viewer/viewer.ts'
import { keptOff } from '../../catalogue/removal/remove-items.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { noticeMails, type NoticeMail } from '../notice/notice-mails.ts'
import { applyEvent, type LockedNotice, lockNotice, type NoticeActor } from '../notice/record-event.server.ts'
import { openCounterNotices, isCounterNoticeOpen, type NoticeState } from '../notice/transition.ts'
import { changeNotice } from './change-notice.server.ts'
import { giveBackByDecision, lastDecision } from './decide.server.ts'
import type { NoticeForDesk } from './desk-schema.ts'
import { noSuchCounterNotice } from '../notice/notice-errors.ts'

/** A counter-notice to a notice, in the version that the notice was read with. */
interface Which {
  reference: string
  counterNoticeId: string
  version: number
}

/**
 * Accepts a counter-notice and forwards it to the sender of the notice (17 U.S.C. 512(g)(2)(B)): only then does it have
 * an effect. Its entries are given back at `restoreTimes`. If a court action covers all of them, it is forwarded and
 * stopped at once.
 * @throws {AppError} `notice.not_found` and `notice.counter_notice_not_found`, 404; `notice.conflict` and `notice.transition`, 409, with the
 * notice as it is
 */
export function acceptCounterNotice(
  app: NoticesApp,
  viewer: Viewer,
  { counterNoticeId, ...which }: Which,
): Promise<NoticeForDesk> {
  return changeNotice(app, viewer, which, async ({ trx, notice, by }) => {
    const { received_at: receivedAt } = await findCounterNotice(trx, notice, counterNoticeId)
    const event = { type: 'counter-accepted', counterNoticeId, receivedAt: receivedAt.toISOString() } as const
    await applyEvent(app, trx, { notice, event, by })
    await app.mail.queue(trx, noticeMails.counterForwarded, { counterNoticeId })
    const isStopped = await stopWhereAllIsUnderAction(app, trx, { noticeId: notice.id, counterNoticeId, by })
    await notifyOfProgress(app, trx, counterNoticeId, isStopped ? 'action' : 'accepted')
    return { action: 'notice.counter_accepted', details: { counterNoticeId } }
  })
}

/**
 * Refuses a counter-notice, with reasons that go to whoever sent it.
 * @throws {AppError} as `acceptCounterNotice`
 */
export function refuseCounterNotice(
  app: NoticesApp,
  viewer: Viewer,
  { counterNoticeId, reasons, ...which }: Which & { reasons: string },
): Promise<NoticeForDesk> {
  return changeNotice(app, viewer, which, async ({ trx, notice, by }) => {
    await findCounterNotice(trx, notice, counterNoticeId)
    await applyEvent(app, trx, { notice, event: { type: 'counter-refused', counterNoticeId, reasons }, by })
    await trx.updateTable('counter_notices').set({ refusal: reasons }).where('id', '=', counterNoticeId).execute()
    await notifyOfProgress(app, trx, counterNoticeId, 'refused')
    return { action: 'notice.counter_refused', details: { counterNoticeId } }
  })
}

/**
 * Restores what an accepted counter-notice names, ten business days after it, by a decision of the site in place of the
 * one in force. The rest of that decision stays. The notice is locked.
 */
export async function restoreAfterCounterNotice(
  app: NoticesApp,
  trx: NoticesTransaction,
  { notice, counterNoticeId }: { notice: LockedNotice; counterNoticeId: string },
): Promise<void> {
  const inForce = await lastDecision(trx, notice.id)
  if (inForce === undefined) throw new Error('A counter-notice waits without a decision.')
  const off = await keptOff(trx, notice.reference)
  const underAction = await entriesUnderAction(trx, notice.id)
  const named = await namedBy(trx, counterNoticeId)
  const restored = named.filter((id) => !underAction.has(id))
  const stays = off.filter((id) => !restored.includes(id))
  const outcome = stays.length === 0 ? 'keep' : inForce.outcome
  const overtakes: string[] = []
  for (const id of openCounterNotices(notice.state)) {
    if (id === counterNoticeId) continue
    const left = (await namedBy(trx, id)).filter((item) => stays.includes(item) && !underAction.has(item))
    if (outcome === 'keep' || left.length === 0) overtakes.push(id)
  }
  const { decisionId } = await giveBackByDecision(app, trx, {
    notice,
    decision: {
      outcome,
      ground: 'illegal',
      legalGround: '17 U.S.C. 512(g)(2)(C)',
      facts: 'A counter-notice answered the copyright notice that led to this removal.',
      explanation: `Ten business days have passed since the counter-notice, and nobody has told us of an action in court to keep it off this site.${outcome === 'keep' ? '' : ' All else stays as the decision before has left it.'}`,
    },
    itemIds: restored,
    eventOf: (id) => ({ type: 'restored', counterNoticeId, decisionId: id, outcome, overtakes }),
  })
  await trx.updateTable('counter_notices').set({ restored_by: decisionId }).where('id', '=', counterNoticeId).execute()
  await notifyOfProgress(app, trx, counterNoticeId, 'restored')
  if (outcome !== 'keep') return
  // The restoration grants an open appeal.
  await trx
    .updateTable('notice_appeals')
    .set((eb) => ({
      answered_at: eb.fn<Date>('now'),
      is_upheld: false,
      answer: 'The removal ended after a counter-notice.',
    }))
    .where('notice_id', '=', notice.id)
    .where('answered_at', 'is', null)
    .execute()
}

/**
 * A counter-notice to a notice.
 * @throws {AppError} `notice.counter_notice_not_found`, 404
 */
async function findCounterNotice(trx: NoticesTransaction, { id }: LockedNotice, counterNoticeId: string) {
  const row = await trx
    .selectFrom('counter_notices')
    .select('received_at')
    .where('id', '=', counterNoticeId)
    .where('notice_id', '=', id)
    .executeTakeFirstOrThrow(() => noSuchCounterNotice())
  return row
}

function notifyOfProgress(
  app: NoticesApp,
  trx: NoticesTransaction,
  counterNoticeId: string,
  what: NoticeMail<'counterProgress'>['what'],
): Promise<void> {
  return app.mail.queue(trx, noticeMails.counterProgress, { counterNoticeId, what })
}

async function namedBy(trx: NoticesTransaction, counterNoticeId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('counter_notice_items')
    .select('item_id')
    .where('counter_notice_id', '=', counterNoticeId)
    .orderBy('item_id')
    .execute()
  return rows.map(({ item_id }) => item_id)
}

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
async function entriesUnderAction(trx: NoticesTransaction, noticeId: string): Promise<Set<string>> {
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
async function stopWhereAllIsUnderAction(
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
