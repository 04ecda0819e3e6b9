import { type RawBuilder, sql } from 'kysely'
import { lockInTransaction } from '../../../db/locks.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { gravityOf, type NoticeKind } from './notice-kinds.ts'
import { noticeMails } from './notice-mails.ts'

/** The one email to a desk about everything that waits for it (docs/spec/notices.md#told-by-email). */

/** Between two emails to a desk. */
const pauseMinutes = 10

const maxNamed = 20

/** The administrators, and the safety officers for what they alone may know. */
interface Desk {
  kind: NoticeKind
  notices: RawBuilder<boolean>
  clocks: RawBuilder<boolean>
  counterNotices: RawBuilder<boolean>
}

const childSafety = gravityOf('child-safety')
const desks: readonly Desk[] = [
  {
    kind: 'child-safety',
    notices: sql`kind = 'child-safety'`,
    clocks: sql`gravity = ${sql.lit(childSafety)}`,
    counterNotices: sql`false`,
  },
  {
    kind: 'other',
    notices: sql`kind <> 'child-safety'`,
    clocks: sql`gravity > ${sql.lit(childSafety)}`,
    counterNotices: sql`true`,
  },
]

/** A grave notice, or one of which a bound has left entries on the site. */
const unnotifiedNotice = sql`notified_at is null and (is_urgent or is_withheld)`
/** A passed deadline; an hourly one is notified every hour. */
const unnotifiedClock = sql`overdue_at is not null and ended_at is null
  and (notified_at is null or (work_at is not null and notified_at <= now() - interval '1 hour'))`

/** The readers of the desk of a kind: the administrators, or the safety officers alone. */
export async function deskOf({ db }: Pick<NoticesApp, 'db'>, kind: NoticeKind): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(kind === 'child-safety' ? 'is_safety_officer' : 'is_admin', '=', true)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Notifies the desks of what still waits, if anything does. */
export async function notifyOfWaiting(app: Pick<NoticesApp, 'db' | 'mail'>): Promise<void> {
  // It runs every minute and rarely finds anything.
  const { rows } = await sql`
    select where exists (select from notices where ${unnotifiedNotice}) or exists (select from notice_clocks where ${unnotifiedClock})
              or exists (select from counter_notices where notified_at is null)`.execute(app.db)
  if (rows.length === 0) return
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    await notifyDesk(app, trx)
  })
}

/**
 * Notifies each desk of everything that waits for it by one email, in the caller's transaction, which has the lock of the catalogue. Within
 * ten minutes of the last one nothing is sent: `notifyOfWaiting` sends it then.
 */
export async function notifyDesk(app: Pick<NoticesApp, 'mail'>, trx: NoticesTransaction): Promise<void> {
  // Those that come at the same moment count one after the other.
  await lockInTransaction(trx, 'notice-emails')
  for (const desk of desks) await notifyOne(app, trx, desk)
}

async function notifyOne({ mail }: Pick<NoticesApp, 'mail'>, trx: NoticesTransaction, desk: Desk): Promise<void> {
  const { notices, clocks, counterNotices } = desk
  const lately = sql`notified_at > now() - make_interval(mins => ${pauseMinutes})`
  const { rows: recent } = await sql`
    select where exists (select from notices where ${notices} and ${lately})
              or exists (select from notice_clocks where overdue_at is not null and ${clocks} and ${lately})
              or exists (select from counter_notices where ${counterNotices} and ${lately})`.execute(trx)
  if (recent.length > 0) return
  const { rows } = await sql<{ notices: string[]; clocks: string[]; counterNotices: string[] }>`
    with n as (update notices set notified_at = now() where ${notices} and ${unnotifiedNotice} returning id),
         c as (update notice_clocks set notified_at = now() where ${clocks} and ${unnotifiedClock} returning id, gravity, due_at),
         k as (update counter_notices set notified_at = now() where ${counterNotices} and notified_at is null returning id)
    select coalesce((select json_agg(id order by id) from n), '[]') as notices,
           coalesce((select json_agg(id order by gravity, due_at, id) from c), '[]') as clocks,
           coalesce((select json_agg(id order by id) from k), '[]') as "counterNotices"`.execute(trx)
  const [waiting] = rows
  if (waiting === undefined || Object.values(waiting).every((ids) => ids.length === 0)) return
  const some = (ids: string[]) => ({ ids: ids.slice(0, maxNamed), count: ids.length })
  const data = {
    notices: some(waiting.notices),
    clocks: some(waiting.clocks),
    counterNotices: some(waiting.counterNotices),
  }
  const readers = await deskOf({ db: trx }, desk.kind)
  await mail.queueMany(
    trx,
    noticeMails.desk,
    readers.map((userId) => ({ userId, ...data })),
  )
}
