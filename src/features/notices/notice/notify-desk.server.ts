import { type RawBuilder, sql, type Transaction } from 'kysely'
import { lockInTransaction } from '../../../db/locks.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import type { NoticesApp, NoticesDatabase } from '../app.ts'
import { graveKinds, gravityOf, isGrave, type NoticeKind } from './notice-kinds.ts'
import { noticeMails } from './notice-mails.ts'

/** The emails to the desk (docs/spec/notices.md#told-by-email). */

type Trx = Transaction<NoticesDatabase>

type GraveKind = (typeof graveKinds)[number]

/** This many of a kind are sent one by one within this time; later ones wait for one email about all of them. */
const maxSingle = 5
const pauseMinutes = 10

/** How many an email names. */
const maxNamed = 20

/** Those whose desk a notice of this kind lies on: the administrators, or the safety officers alone. */
export async function deskOf({ db }: Pick<NoticesApp, 'db'>, kind: NoticeKind): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(kind === 'child-safety' ? 'is_safety_officer' : 'is_admin', '=', true)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Notifies the desk of a notice of the two gravest kinds, in the transaction that takes it in. In a flood it waits for `notifyDesk`. */
export async function notifyOfGraveNotice(
  app: Pick<NoticesApp, 'mail'>,
  trx: Trx,
  { noticeId, kind }: { noticeId: string; kind: NoticeKind },
): Promise<void> {
  if (!isGrave(kind)) return
  // Those that come at the same moment count one after the other.
  await lockInTransaction(trx, 'notice-emails')
  const { sent, waiting } = await countGrave(trx, kind, noticeId)
  if (sent >= maxSingle || waiting > 0) {
    await trx.updateTable('notices').set({ told_at: null }).where('id', '=', noticeId).execute()
    return
  }
  await trx
    .updateTable('notices')
    .set({ told_at: sql<Date>`now()` })
    .where('id', '=', noticeId)
    .execute()
  await notify(app, trx, noticeMails.grave, kind, { noticeIds: [noticeId], count: 1 })
}

/**
 * Notifies the desk that a sender has added addresses to a notice of the two gravest kinds, in the same transaction. At
 * most once in ten minutes for a notice; a flood waits for `notifyDesk`, and an unknown notice is sent together with its
 * additions.
 */
export async function notifyOfAdditions(app: Pick<NoticesApp, 'mail'>, trx: Trx, noticeId: string): Promise<void> {
  const { kind, told_at: sentAt } = await trx
    .selectFrom('notices')
    .select(['kind', 'told_at'])
    .where('id', '=', noticeId)
    .executeTakeFirstOrThrow()
  if (!isGrave(kind) || sentAt === null) return
  await lockInTransaction(trx, 'notice-emails')
  const { rows } = await sql<{ sent: number; waiting: number; isSent: boolean }>`
    select (select count(*)::int from (
              select from notices where kind = ${kind}
                 and additions_told_at > now() - make_interval(mins => ${pauseMinutes}) limit ${maxSingle}) t) as sent,
           (select count(*)::int from (
              select from notices where kind = ${kind} and id <> ${noticeId} and additions_at is not null limit 1) w) as waiting,
           exists (select from notices where id = ${noticeId}
              and additions_told_at > now() - make_interval(mins => ${pauseMinutes})) as "isSent"`.execute(trx)
  const { sent, waiting, isSent } = rows[0] ?? { sent: 0, waiting: 0, isSent: false }
  if (sent >= maxSingle || waiting > 0 || isSent) {
    await sql`update notices set additions_at = coalesce(additions_at, now()) where id = ${noticeId}`.execute(trx)
    return
  }
  await sql`update notices set additions_at = null, additions_told_at = now() where id = ${noticeId}`.execute(trx)
  await notify(app, trx, noticeMails.additions, kind, { noticeIds: [noticeId], count: 1 })
}

/** Notifies the desk of waiting additions, ten minutes after the last email about additions. */
async function notifyOfWaitingAdditions({ db, mail }: Pick<NoticesApp, 'db' | 'mail'>, kind: GraveKind): Promise<void> {
  const waits = sql`kind = ${kind} and additions_at is not null`
  if ((await sql`select from notices where ${waits} limit 1`.execute(db)).rows.length === 0) return
  await db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    await lockInTransaction(trx, 'notice-emails')
    const { rows: lately } = await sql`
      select from notices
       where kind = ${kind} and additions_told_at > now() - make_interval(mins => ${pauseMinutes}) limit 1`.execute(trx)
    if (lately.length > 0) return
    const { rows } = await sql<{ id: string }>`
      with sent as (update notices set additions_at = null, additions_told_at = now() where ${waits} returning id, is_urgent)
      select id from sent where is_urgent order by id`.execute(trx)
    const noticeIds = rows.map(({ id }) => id)
    if (noticeIds.length === 0) return
    await notify({ mail }, trx, noticeMails.additions, kind, {
      noticeIds: noticeIds.slice(0, maxNamed),
      count: noticeIds.length,
    })
  })
}

/** Notifies the desk of a counter-notice, in the transaction that takes it in. In a flood it waits for `notifyDesk`. */
export async function notifyOfCounterNotice(app: Pick<NoticesApp, 'mail'>, trx: Trx, id: string): Promise<void> {
  await lockInTransaction(trx, 'notice-emails')
  const { rows } = await sql<{ sent: number; waiting: number }>`
    select (select count(*)::int from (
              select from counter_notices
               where told_at > now() - make_interval(mins => ${pauseMinutes}) limit ${maxSingle}) t) as sent,
           (select count(*)::int from (
              select from counter_notices where told_at is null and id <> ${id} limit 1) w) as waiting`.execute(trx)
  const { sent, waiting } = rows[0] ?? { sent: 0, waiting: 0 }
  if (sent >= maxSingle || waiting > 0) return
  await trx
    .updateTable('counter_notices')
    .set({ told_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  await notify(app, trx, noticeMails.counterReceived, 'copyright', { counterNoticeIds: [id], count: 1 })
}

async function notifyOfCounterNotices({ db, mail }: Pick<NoticesApp, 'db' | 'mail'>): Promise<void> {
  if ((await sql`select from counter_notices where told_at is null limit 1`.execute(db)).rows.length === 0) return
  await db.transaction().execute(async (trx) => {
    await lockInTransaction(trx, 'notice-emails')
    const { rows: lately } = await sql`
      select from counter_notices where told_at > now() - make_interval(mins => ${pauseMinutes}) limit 1`.execute(trx)
    if (lately.length > 0) return
    // The email names every counter-notice without a notice: nothing else lists them.
    const { rows } = await sql<{ id: string }>`
      with sent as (
        update counter_notices set told_at = now()
         where id in (select id from counter_notices where told_at is null order by received_at, id limit ${maxNamed})
        returning id)
      select id from sent order by id`.execute(trx)
    const counterNoticeIds = rows.map(({ id }) => id)
    if (counterNoticeIds.length === 0) return
    await notify({ mail }, trx, noticeMails.counterReceived, 'copyright', {
      counterNoticeIds,
      count: counterNoticeIds.length,
    })
  })
}

/** The others of this kind: how many were sent lately, and whether one waits. */
async function countGrave(trx: Trx, kind: GraveKind, except: string): Promise<{ sent: number; waiting: number }> {
  const { rows } = await sql<{ sent: number; waiting: number }>`
    select (select count(*)::int from (
              select from notices where kind = ${kind} and id <> ${except}
                 and told_at > now() - make_interval(mins => ${pauseMinutes}) limit ${maxSingle}) t) as sent,
           (select count(*)::int from (
              select from notices where kind = ${kind} and id <> ${except} and told_at is null and is_urgent limit 1) w) as waiting
    `.execute(trx)
  return rows[0] ?? { sent: 0, waiting: 0 }
}

/** Notifies the desk of everything that waits: grave notices that came in a flood, and deadlines that have passed. */
export async function notifyDesk(app: Pick<NoticesApp, 'db' | 'mail'>): Promise<void> {
  for (const kind of graveKinds) {
    await notifyOfFlood(app, kind, sql`kind = ${kind}`, sql`is_urgent`)
    await notifyOfWaitingAdditions(app, kind)
  }
  // For other kinds, the entries that a deadline should have hidden and a bound has withheld.
  await notifyOfFlood(app, 'consent', sql`kind not in ('child-safety', 'intimate-image')`, sql`is_withheld`)
  await notifyOfCounterNotices(app)
  for (const group of overdueGroups) await notifyOfOverdue(app, group)
}

/** @param kind whose desk is told */
async function notifyOfFlood(
  { db, mail }: Pick<NoticesApp, 'db' | 'mail'>,
  kind: NoticeKind,
  isOfKind: RawBuilder<unknown>,
  isToTell: RawBuilder<unknown>,
): Promise<void> {
  const waits = sql`${isOfKind} and told_at is null and ${isToTell}`
  // It runs every minute and seldom finds one.
  if ((await sql`select from notices where ${waits} limit 1`.execute(db)).rows.length === 0) return
  await db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    await lockInTransaction(trx, 'notice-emails')
    const { rows: lately } = await sql`
      select from notices where ${isOfKind} and told_at > now() - make_interval(mins => ${pauseMinutes}) limit 1`.execute(
      trx,
    )
    if (lately.length > 0) return
    const { rows } = await sql<{ id: string }>`
      with sent as (update notices set told_at = now(), additions_at = null where ${waits} returning id)
      select id from sent order by id`.execute(trx)
    const noticeIds = rows.map(({ id }) => id)
    if (noticeIds.length === 0) return
    await notify({ mail }, trx, noticeMails.grave, kind, {
      noticeIds: noticeIds.slice(0, maxNamed),
      count: noticeIds.length,
    })
  })
}

/** The deadlines that share an email, and the pause between two emails. */
interface OverdueGroup {
  /** The desk of this kind receives it. */
  kind: NoticeKind
  gravities: readonly [from: number, to: number]
  pauseMinutes: number
}

const overdueGroups: readonly OverdueGroup[] = [
  ...graveKinds.map((kind) => ({ kind, gravities: [gravityOf(kind), gravityOf(kind)] as const, pauseMinutes })),
  { kind: 'consent', gravities: [gravityOf('consent'), gravityOf('other')], pauseMinutes: 60 },
]

/**
 * The first overdue clock is sent at once, later ones in one email after a pause. Clocks that repeat every hour are
 * sent every hour.
 */
async function notifyOfOverdue({ db, mail }: Pick<NoticesApp, 'db' | 'mail'>, group: OverdueGroup): Promise<void> {
  const { kind, gravities } = group
  const ofGroup = sql`overdue_at is not null and gravity between ${gravities[0]}::smallint and ${gravities[1]}::smallint`
  const unsent = sql`${ofGroup} and ended_at is null
    and (told_at is null or (work_at is not null and told_at <= now() - interval '1 hour'))`
  if ((await sql`select from notice_clocks where ${unsent} limit 1`.execute(db)).rows.length === 0) return
  await db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    await lockInTransaction(trx, 'notice-emails')
    const { rows: lately } = await sql`
      select from notice_clocks where ${ofGroup} and told_at > now() - make_interval(mins => ${group.pauseMinutes}) limit 1
      `.execute(trx)
    if (lately.length > 0) return
    const { rows } = await sql<{ id: string }>`
      with sent as (update notice_clocks set told_at = now() where ${unsent} returning id, gravity, due_at)
      select id from sent order by gravity, due_at, id`.execute(trx)
    const clockIds = rows.map(({ id }) => id)
    if (clockIds.length === 0) return
    await notify({ mail }, trx, noticeMails.overdue, kind, {
      clockIds: clockIds.slice(0, maxNamed),
      count: clockIds.length,
    })
  })
}

async function notify(
  { mail }: Pick<NoticesApp, 'mail'>,
  trx: Trx,
  email: string,
  kind: NoticeKind,
  data: Record<string, unknown>,
): Promise<void> {
  const desk = await deskOf({ db: trx }, kind)
  await mail.queueMany(
    trx,
    email,
    desk.map((userId) => ({ userId, ...data })),
  )
}
