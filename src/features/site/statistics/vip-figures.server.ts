import { type RawBuilder, sql } from 'kysely'
import type { SiteApp } from '../app.ts'
import type { StatisticsReport } from './statistics-schema.ts'

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
 * VIPs as they are now, each counted once, by the grant that lasts longest; and the members whose last access ended
 * since an instant.
 */
export async function readVipFigures(
  { db, clock }: Pick<SiteApp, 'db' | 'clock'>,
  since: number,
): Promise<StatisticsReport['vip']> {
  const now = clock.now()
  const at = new Date(now)
  const [active, churned] = await Promise.all([
    sql<{ plan: 'monthly' | 'annual' | null; active: number; trialing: number; in_grace: number }>`
      select plan, count(*)::int as active, (count(*) filter (where is_trial))::int as trialing,
             (count(*) filter (where basis = 'grace'))::int as in_grace
        from (
          select (array_agg(g.basis order by g.effective_until desc))[1] as basis,
                 (array_agg(g.plan_type order by g.effective_until desc) filter (where g.plan_type is not null))[1] as plan,
                 coalesce(bool_or(s.status = 'trialing'), false) as is_trial
            from ${activeVips(now)} left join subscriptions s on s.stripe_id = g.subscription_id
           group by g.user_id
        ) vips group by plan`.execute(db),
    sql<{ count: number }>`
      select count(*)::int as count
        from member_access a left join users u on a.is_disabled and u.id = a.user_id
       cross join lateral (select least(${at}::timestamptz, u.vip_disabled_at) as at) seen
       cross join lateral (select least(a.effective_until, u.vip_disabled_at) as at) ended
       where a.starts_at <= seen.at and a.next_starts_at > seen.at
         and ended.at > ${new Date(since)}::timestamptz and ended.at <= ${at}::timestamptz
         and a.effective_until is not null`.execute(db),
  ])
  const sum = (count: (row: (typeof active.rows)[number]) => number): number =>
    active.rows.reduce((total, row) => total + count(row), 0)
  const withPlan = (plan: 'monthly' | 'annual' | null): number => sum((row) => (row.plan === plan ? row.active : 0))
  return {
    active: sum((row) => row.active),
    trialing: sum((row) => row.trialing),
    inGrace: sum((row) => row.in_grace),
    churned: churned.rows[0]?.count ?? 0,
    plans: { monthly: withPlan('monthly'), annual: withPlan('annual'), manual: withPlan(null) },
  }
}
