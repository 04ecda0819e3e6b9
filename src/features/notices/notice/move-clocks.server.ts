import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { changeClocks, type ClockChanges, type RunningClock } from './clocks.ts'
import { businessCalendar } from './holidays.server.ts'
import type { NoticeState } from './transition.ts'
import type { NoticeEventInput } from './notice-event.ts'

/** Starts and ends the clocks of a notice, as an event has it. The caller has locked the notice and written its addresses. */
export async function moveClocks(
  app: NoticesApp,
  trx: NoticesTransaction,
  {
    notice,
    before,
    state,
    event,
  }: {
    notice: { id: string; receivedAt: Date }
    before: NoticeState | null
    state: NoticeState
    event: NoticeEventInput
  },
): Promise<void> {
  const { rows } = await sql<{ now: Date; running: RunningClock[] }>`
    select now() as now,
      coalesce((select json_agg(json_build_object('name', name, 'counterNoticeId', counter_notice_id,
        'dueAt', floor(extract(epoch from due_at) * 1000)))
      from notice_clocks where notice_id = ${notice.id} and ended_at is null), '[]') as running`.execute(trx)
  const [{ now, running } = { now: notice.receivedAt, running: [] }] = rows
  const { start, end } = changeClocks({
    after: state,
    wasWhole: before?.isWhole === true,
    event,
    now: now.getTime(),
    receivedAt: notice.receivedAt.getTime(),
    running,
    calendar: await businessCalendar(app.config),
  })
  for (const ended of end) await endClock(trx, notice.id, ended)
  await startClocks(trx, notice.id, start)
  if (event.type === 'overdue') await recordOverdue(trx, notice.id, event)
}

async function startClocks(trx: NoticesTransaction, noticeId: string, clocks: ClockChanges['start']): Promise<void> {
  if (clocks.length === 0) return
  await trx
    .insertInto('notice_clocks')
    .values(
      clocks.map(({ name, counterNoticeId, gravity, startedAt, dueAt }) => ({
        id: uuidv7(),
        notice_id: noticeId,
        counter_notice_id: counterNoticeId,
        name,
        gravity,
        started_at: new Date(startedAt),
        due_at: new Date(dueAt),
        work_at: new Date(dueAt),
      })),
    )
    .execute()
}

async function endClock(
  trx: NoticesTransaction,
  noticeId: string,
  { name, counterNoticeId, outcome }: ClockChanges['end'][number],
): Promise<void> {
  await sql`
    update notice_clocks set ended_at = now(), work_at = null,
      outcome = case ${outcome}::text when 'cancelled' then 'cancelled' when 'done' then 'met'
                     else case when due_at < now() then 'expired' else 'met' end end
    where notice_id = ${noticeId} and ended_at is null and name = ${name}
      and counter_notice_id is not distinct from ${counterNoticeId}::uuid`.execute(trx)
}

/** A deadline of both ends with the earlier one: the second notice does not delay the first. */
export async function hastenClocks(trx: NoticesTransaction, { from, to }: { from: string; to: string }): Promise<void> {
  await sql`
    update notice_clocks as own set due_at = other.due_at, work_at = least(own.work_at, other.due_at)
      from notice_clocks as other
     where own.notice_id = ${to} and own.ended_at is null and own.overdue_at is null
       and other.notice_id = ${from} and other.ended_at is null
       and other.name = own.name and other.due_at < own.due_at`.execute(trx)
  await sql`
    update notices set due_at = (select min(due_at) from notice_clocks where notice_id = ${to} and ended_at is null)
     where id = ${to}`.execute(trx)
}

/** A child at risk is recorded as overdue every hour, every other deadline once. */
async function recordOverdue(
  trx: NoticesTransaction,
  noticeId: string,
  { clock: name, counterNoticeId }: NoticeEventInput & { type: 'overdue' },
): Promise<void> {
  await sql`
    update notice_clocks set overdue_at = coalesce(overdue_at, now()),
      work_at = case when ${name} = 'person' then now() + interval '1 hour' end
    where notice_id = ${noticeId} and ended_at is null and name = ${name}
      and counter_notice_id is not distinct from ${counterNoticeId ?? null}::uuid`.execute(trx)
}
