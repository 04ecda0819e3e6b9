import type { NoticesApp } from '../app.ts'
import { refusedTransition } from '../notice/notice-errors.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { applyEvent, isOfSafetyOfficers } from '../notice/record-event.server.ts'
import { transition } from '../notice/transition.ts'
import { type DeskWork, recordNoticeAudit } from './change-notice.server.ts'
import { officersInForce, readWaiting } from './waiting-acts.server.ts'
import type { NoticeEventInput } from '../notice/notice-event.ts'

type Wanted = Omit<NoticeEventInput & { type: 'second-wanted' }, 'type'>

/**
 * Whether giving back an entry that a notice about a child at risk names waits for a second safety officer
 * (docs/spec/notices.md#second-officer). The first of two is recorded, and the others are notified by email; the second
 * goes on.
 * @param event the final one: if the notice does not take it, nobody waits
 * @throws {AppError} `notice.transition`, 409
 */
export async function waitsForSecond(
  app: NoticesApp,
  desk: DeskWork,
  { event, ...wanted }: Wanted & { event: NoticeEventInput },
): Promise<boolean> {
  const { trx, notice, by } = desk
  if (!isOfSafetyOfficers(notice.state)) return false
  const others = (await officersInForce({ ...app, db: trx })).filter((id) => id !== by.id)
  if (others.length === 0) return false
  const next = transition(notice.state, event)
  if (next.isRefused) throw refusedTransition(next.sentence)
  const same = (await readWaiting({ ...app, db: trx }, notice)).filter(
    ({ act, of }) => act === wanted.act && of === wanted.of,
  )
  if (same.some(({ byId }) => byId !== by.id)) return false
  if (same.length > 0) return true
  await applyEvent(app, trx, { notice, event: { type: 'second-wanted', ...wanted }, by })
  await recordNoticeAudit(trx, desk, { action: 'notice.second_wanted', details: {} })
  const emails = others.map((userId) => ({ userId, noticeId: notice.id }))
  await app.mail.queueMany(trx, noticeMails.secondWanted, emails)
  return true
}
