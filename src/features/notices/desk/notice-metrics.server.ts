import { sql } from 'kysely'
import type { MetricsPart } from '../../../platform/metrics/metric.ts'
import type { NoticesApp } from '../app.ts'

/** Clocks of notices that have run out, of every kind: a number tells nobody of what. */
export const noticeMetrics: MetricsPart<Pick<NoticesApp, 'db'>> = {
  metrics: {
    daybook_notices_open: { help: 'Notices to work on.', type: 'gauge' },
    daybook_notices_overdue: { help: 'Notices of which a deadline has passed.', type: 'gauge' },
    daybook_notices_overdue_seconds: { help: 'For how long the first of them is overdue.', type: 'gauge' },
  },
  asksDatabase: true,
  async read({ db }) {
    const { rows } = await sql<{ open: number; overdue: number; seconds: number }>`
      select count(*)::int as open, (count(*) filter (where due_at <= now()))::int as overdue,
             greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as seconds
        from notices where queue = 'open'`.execute(db)
    const [{ open, overdue, seconds }] = rows as [(typeof rows)[number]]
    return {
      daybook_notices_open: open,
      daybook_notices_overdue: overdue,
      daybook_notices_overdue_seconds: seconds,
    }
  },
}
