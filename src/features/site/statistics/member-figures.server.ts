import { sql } from 'kysely'
import { keptCents } from '../../membership/plans/kept-cents.server.ts'
import type { SiteApp } from '../app.ts'
import type { StatisticsReport } from './statistics-schema.ts'

/**
 * The monthly revenue of the subscriptions that renew: the last payment of each of which the site kept something, a twelfth of it
 * for an annual one. Trials and what ends with its period bring nothing.
 */
export async function readRecurring({ db }: Pick<SiteApp, 'db'>): Promise<StatisticsReport['recurring']> {
  const { rows } = await sql<{ currency: string; subscriptions: number; amount: number }>`
    select p.currency, count(*)::int as subscriptions,
           round(sum(case when s.plan_type = 'annual' then p.amount_cents / 12.0 else p.amount_cents end))::int as amount
      from subscriptions s
     cross join lateral (
       select currency, amount_cents from payments
        where user_id = s.user_id and subscription_id = s.stripe_id and status = 'paid' and ${keptCents} > 0
        order by invoiced_at desc limit 1
     ) p
     where s.status in ('active', 'past_due') and s.cancels_at is null and s.ended_at is null
     group by 1 order by amount desc, currency`.execute(db)
  return rows
}

/** Members who joined since an instant, and what became of them. Visitors are counted nowhere. */
export async function readFunnel({ db }: Pick<SiteApp, 'db'>, since: number): Promise<StatisticsReport['funnel']> {
  const from = new Date(since)
  const { rows } = await sql<StatisticsReport['funnel']>`
    select count(*)::int as joined,
           (count(*) filter (where exists (select from access_grants g where g.user_id = u.id)))::int as vips,
           (count(*) filter (where exists (
             select from payments p where p.user_id = u.id and p.status = 'paid' and ${keptCents} > 0)))::int as paid
      from users u where u.created_at >= ${from}`.execute(db)
  return rows[0] ?? { joined: 0, vips: 0, paid: 0 }
}
