import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { refusedTransition } from '../notice/notice-errors.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { applyEvent, isOfSafetyOfficers } from '../notice/record-event.server.ts'
import { transition } from '../notice/transition.ts'
import { type DeskWork, recordNoticeAudit } from './change-notice.server.ts'
import { type NoticeEventInput, secondActs } from '../notice/notice-event.ts'
import { z } from 'zod'

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

type Reading = { db: Pick<NoticesTransaction, 'selectFrom'> } & Pick<NoticesApp, 'config'>

const FirstAct = z.object({
  act: z.enum(secondActs),
  of: z.optional(z.string()),
  legalGround: z.optional(z.string()),
  facts: z.optional(z.string()),
  explanation: z.optional(z.string()),
})

/** The act of one safety officer that a second one must confirm. */
export interface WaitingAct extends z.infer<typeof FirstAct> {
  byId: string
  at: Date
}

/**
 * The acts that wait for a second safety officer at this version of the notice. An act ends when the notice changes or
 * its officer loses the role.
 */
export async function readWaiting(
  app: Reading,
  notice: { id: string; version: number },
): Promise<readonly WaitingAct[]> {
  const rows = await app.db
    .selectFrom('notice_events')
    .select(['by_id', 'at', 'details'])
    .where('notice_id', '=', notice.id)
    .where('type', '=', 'second-wanted')
    .where('version', '=', notice.version)
    .orderBy('no')
    .execute()
  if (rows.length === 0) return []
  const officers = await officersInForce(app)
  if (officers.length < 2) return []
  return rows.flatMap(({ by_id: byId, at, details }) =>
    byId === null || !officers.includes(byId) ? [] : [{ byId, at, ...FirstAct.parse(details) }],
  )
}

/** The safety officers who can act: where the site asks for a second factor, those who have one. */
export async function officersInForce({ db, config }: Reading): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'has_second_factor'])
    .where('is_safety_officer', '=', true)
    .execute()
  return rows.filter((row) => row.has_second_factor || !config.requiresAdminSecondFactor).map(({ id }) => id)
}
