import { type RawBuilder, sql } from 'kysely'
import { accessStretches } from '../../membership/access/access-stretches.server.ts'
import type { SiteApp } from '../app.ts'
import { periodFormat, type Span } from './statistics-range.ts'
import type { ChurnReason, StatisticsReport } from './statistics-schema.ts'

/** Grants in force of members who are not disabled, as `g`: the rule of `accessStatusOf`, in SQL. */
export function activeVips(now: number): RawBuilder<unknown> {
  const at = new Date(now)
  // Few are disabled, and an index lists them: no other account is looked at.
  return sql`(
    select * from access_grants
     where revoked_at is null and starts_at <= ${at}::timestamptz and effective_until > ${at}::timestamptz
       and user_id not in (select id from users where vip_disabled)
  ) g`
}

/**
 * VIPs as they are now, each counted once, by the grant that lasts longest; VIPs by period; and the members whose last access ended
 * since an instant.
 */
export async function readVipFigures(
  app: Pick<SiteApp, 'db' | 'clock' | 'config'>,
  span: Span,
  since: number,
): Promise<StatisticsReport['vip']> {
  const now = app.clock.now()
  const [active, reasons, byPeriod] = await Promise.all([
    sql<{ plan: 'monthly' | 'annual' | null; active: number; trialing: number; in_grace: number }>`
      select plan, count(*)::int as active, (count(*) filter (where is_trial))::int as trialing,
             (count(*) filter (where basis = 'grace'))::int as in_grace
        from (
          select (array_agg(g.basis order by g.effective_until desc))[1] as basis,
                 (array_agg(g.plan_type order by g.effective_until desc) filter (where g.plan_type is not null))[1] as plan,
                 coalesce(bool_or(s.status = 'trialing'), false) as is_trial
            from ${activeVips(now)} left join subscriptions s on s.stripe_id = g.subscription_id
           group by g.user_id
        ) vips group by plan`.execute(app.db),
    readChurn(app, since),
    readVipsByPeriod(app, span, since),
  ])
  const sum = (count: (row: (typeof active.rows)[number]) => number): number =>
    active.rows.reduce((total, row) => total + count(row), 0)
  const withPlan = (plan: 'monthly' | 'annual' | null): number => sum((row) => (row.plan === plan ? row.active : 0))
  return {
    active: sum((row) => row.active),
    trialing: sum((row) => row.trialing),
    inGrace: sum((row) => row.in_grace),
    churned: reasons.reduce((total, { members }) => total + members, 0),
    reasons,
    byPeriod,
    plans: { monthly: withPlan('monthly'), annual: withPlan('annual'), manual: withPlan(null) },
  }
}

/** The members whose last access ended since an instant, by the reason of the grant that lasted longest. */
async function readChurn(
  { db, clock }: Pick<SiteApp, 'db' | 'clock'>,
  since: number,
): Promise<StatisticsReport['vip']['reasons']> {
  const at = new Date(clock.now())
  const { rows } = await sql<{ reason: ChurnReason; members: number }>`
    select case when by_disabling then 'disabled'
                when g.revoked_reason in ('dispute', 'dispute_lost') then 'dispute'
                when g.revoked_reason is not null then g.revoked_reason
                when g.basis = 'grace' then 'unpaid'
                when g.basis = 'manual' then 'given'
                when g.basis = 'plan' and not g.renews then 'cancelled'
                else 'other' end as reason,
           count(*)::int as members
      from ${accessStretches()}
     cross join lateral (select least(${at}::timestamptz, vip_disabled_at) as at) seen
      left join lateral (
        select basis, renews, revoked_reason from access_grants g
         where g.user_id = stretches.user_id and g.starts_at <= stretches.ended_at
         order by least(g.effective_until, g.revoked_at) desc, g.id limit 1
      ) g on true
     where starts_at <= seen.at and next_starts_at > seen.at
       and ended_at > ${new Date(since)}::timestamptz and ended_at <= ${at}::timestamptz
     group by 1 order by members desc, reason`.execute(db)
  return rows
}

/** How many were VIP at the end of each period, or are now. */
async function readVipsByPeriod(
  { db, clock, config }: Pick<SiteApp, 'db' | 'clock' | 'config'>,
  span: Span,
  since: number,
): Promise<StatisticsReport['vip']['byPeriod']> {
  const [from, to] = [new Date(since), new Date(clock.now())]
  const { rows } = await sql<{ period: string | null; began: number; ended: number }>`
    select case when quarter >= ${from}::timestamptz
                then to_char(quarter at time zone ${config.timeZone}, ${sql.lit(periodFormat(span))}) end as period,
           sum(began)::int as began, sum(ended)::int as ended
      from (
        select greatest(date_bin('15 minutes', at, timestamptz '2000-01-01'), ${from}::timestamptz - interval '1 day')
                 as quarter, sum(began) as began, sum(ended) as ended
          from (
            select starts_at as at, 1 as began, 0 as ended from ${accessStretches()} where starts_at < ended_at
             union all
            select ended_at, 0, 1 from ${accessStretches()} where starts_at < ended_at
          ) turns where at <= ${to}::timestamptz group by 1
      ) quarters group by 1`.execute(db)
  const byPeriod = new Map(rows.map((row) => [row.period, row]))
  const before = byPeriod.get(null)
  let total = (before?.began ?? 0) - (before?.ended ?? 0)
  return span.periods.map((period) => {
    const { began, ended } = byPeriod.get(period) ?? { began: 0, ended: 0 }
    total += began - ended
    return { period, began, ended, total }
  })
}
