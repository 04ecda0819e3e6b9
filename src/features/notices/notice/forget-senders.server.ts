import { sql } from 'kysely'
import type { NoticesApp } from '../app.ts'

/** Rows of one statement. */
const atOnce = 500

/**
 * Erases contact data `NOTICE_DAYS` after a notice and everything that followed it ended: postal address, telephone,
 * signature and network of senders and counter-senders (docs/spec/notices.md#forgotten). Names and decisions stay. The
 * time is the database's.
 */
export async function forgetSenders(app: Pick<NoticesApp, 'db' | 'config' | 'log'>): Promise<void> {
  const { db, config, log } = app
  const before = sql`now() - make_interval(days => ${config.noticeDays}::int)`
  // A notice is over when nothing waits, also at the one that it repeats; the time counts from its last event.
  const notices = await inBatches(() =>
    sql<{ id: string }>`
      with settled as (
        select n.id from notices n
         where n.forgotten_at is null and n.queue <> 'open' and n.received_at <= ${before}
           and not exists (select from notices o where o.id = n.duplicate_of and o.queue = 'open')
           and greatest(n.closed_at,
                 (select max(d.decided_at) from notice_decisions d where d.notice_id = n.id),
                 (select max(greatest(a.filed_at, a.answered_at)) from notice_appeals a where a.notice_id = n.id),
                 (select max(greatest(c.received_at, c.accepted_at, c.refused_at, c.action_notified_at, c.restored_at,
                                      c.overtaken_at))
                    from counter_notices c where c.notice_id = n.id)) <= ${before}
         order by n.id limit ${atOnce}),
      senders as (
        update counter_notices c set address = '', phone = '', signature = '', forgotten_at = now()
          from settled where c.notice_id = settled.id and c.forgotten_at is null)
      update notices n set address = null, phone = null, signature = null, network = null, forgotten_at = now()
        from settled where n.id = settled.id returning n.id`.execute(db),
  )
  if (notices > 0) log.info({ notices, days: config.noticeDays }, 'Contact data of old notices was erased.')
}

async function inBatches(forget: () => Promise<{ rows: unknown[] }>): Promise<number> {
  let total = 0
  for (;;) {
    const { rows } = await forget()
    total += rows.length
    if (rows.length < atOnce) return total
  }
}
