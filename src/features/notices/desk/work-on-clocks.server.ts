import { sql } from 'kysely'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import type { NoticesApp } from '../app.ts'
import type { ClockName } from '../notice/notice-kinds.ts'
import { readUnhidden } from '../notice/hidden-at-once.server.ts'
import { applyEvent, lockNotice } from '../notice/record-event.server.ts'
import { recordRemovals } from '../journal/reconcile-journal.server.ts'
import { notifyOfWaiting } from '../notice/notify-desk.server.ts'
import { restoreAfterCounterNotice } from './counter-notice.server.ts'

/** A run ends then: the next one, a minute later, starts with the gravest. */
const longestRunMs = 45_000
const longestWaitMinutes = 60

interface DueClock {
  id: string
  noticeId: string
  name: ClockName
  counterNoticeId: string | null
}

/**
 * Works off the deadlines that have come, also after a standstill: by gravity, then age, each in a transaction of its
 * own. A failed one is tried again with growing waits, and delays no other. Then the desk is notified.
 * @param atMost how many it works off; for tests
 * @throws {AggregateError} at its end, where one has failed
 */
export async function workOnClocks(app: NoticesApp, atMost = Number.POSITIVE_INFINITY): Promise<void> {
  const failures: unknown[] = []
  const end = performance.now() + longestRunMs
  for (let done = 0; done < atMost && performance.now() < end; done += 1) {
    const clock = await nextDueClock(app)
    if (clock === undefined) break
    try {
      await workOnClock(app, clock)
    } catch (error) {
      failures.push(error)
      app.log.error({ err: error, clock: clock.name, notice: clock.noticeId }, 'A deadline could not be worked off.')
      await postpone(app, clock.id)
    }
  }
  await notifyOfWaiting(app)
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} deadlines of notices could not be worked off.`)
  }
}

/** The gravest of those that have come, the oldest first: one index lookup for each gravity. */
async function nextDueClock({ db }: Pick<NoticesApp, 'db'>): Promise<DueClock | undefined> {
  const { rows } = await sql<DueClock>`
    select c.id, c.notice_id as "noticeId", c.name, c.counter_notice_id as "counterNoticeId"
      from generate_series(1, 6) as g (gravity)
      cross join lateral (
        select id, notice_id, name, counter_notice_id from notice_clocks
         where gravity = g.gravity and work_at <= now() order by work_at, id limit 1) c
     order by g.gravity limit 1`.execute(db)
  return rows[0]
}

async function workOnClock(app: NoticesApp, { id, noticeId, name, counterNoticeId }: DueClock): Promise<void> {
  const worked = await app.db.transaction().execute(async (trx) => {
    // Everybody locks in this order: the catalogue, the notice, its clocks.
    await lockCatalogue(trx)
    const notice = await lockNotice(trx, noticeId)
    const due = await trx
      .selectFrom('notice_clocks')
      .select('id')
      .where('id', '=', id)
      .where('work_at', '<=', sql<Date>`now()`)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    // The clock has stopped meanwhile, or another process was faster.
    if (due === undefined) return undefined
    const by = { kind: 'system' } as const
    const overdue = { type: 'overdue', clock: name, ...(counterNoticeId === null ? {} : { counterNoticeId }) } as const
    switch (name) {
      case 'hide': {
        const items = (await readUnhidden(trx, notice)).map((entry) => entry.id)
        await applyEvent(app, trx, { notice, event: { type: 'hidden', clock: name, items }, by })
        break
      }
      case 'restore':
        if (counterNoticeId === null) throw new Error('No counter-notice names the entries to restore.')
        await restoreAfterCounterNotice(app, trx, { notice, counterNoticeId })
        break
      // Only an administrator forwards what a stranger says.
      case 'forward':
      case 'person':
      case 'decide':
      case 'triage':
      case 'appeal':
        await applyEvent(app, trx, { notice, event: overdue, by })
    }
    return notice
  })
  if (worked === undefined) return
  await app.listing.catchUp()
  await recordRemovals(app, worked)
}

/** The next try comes after 1, 2, 4 … minutes, at most an hour. */
async function postpone({ db }: Pick<NoticesApp, 'db'>, id: string): Promise<void> {
  await sql`
    update notice_clocks set failures = failures + 1,
      work_at = now() + make_interval(mins => least(${longestWaitMinutes}, power(2, least(failures, 10))::int))
    where id = ${id} and work_at is not null`.execute(db)
}
