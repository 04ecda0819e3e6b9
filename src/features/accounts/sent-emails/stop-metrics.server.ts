import type { MetricsPart } from '../../../platform/metrics/metric.ts'
import type { AccountsApp } from '../app.ts'

export const stopMetrics: MetricsPart<Pick<AccountsApp, 'db'>> = {
  metrics: {
    daybook_email_stops: {
      help: 'Members whose address gets no emails, by reason: bounce or complaint.',
      type: 'gauge',
    },
  },
  asksDatabase: true,
  async read({ db }) {
    const rows = await db
      .selectFrom('email_stops')
      .select(['reason', (eb) => eb.fn.countAll<string>().as('count')])
      .groupBy('reason')
      .execute()
    const counts = new Map(rows.map(({ reason, count }) => [reason, Number(count)]))
    return {
      daybook_email_stops: (['bounce', 'complaint'] as const).map((reason) => ({
        labels: { reason },
        value: counts.get(reason) ?? 0,
      })),
    }
  },
}
