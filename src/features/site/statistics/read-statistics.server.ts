import { sql } from 'kysely'
import { vipsAt } from '../../membership/access/access-stretches.server.ts'
import type { SiteApp } from '../app.ts'
import type { Statistics, StatisticsReport } from './statistics-schema.ts'
import { activeVips } from './vip-figures.server.ts'

const monthMs = 30 * 86_400_000

/** The same figures as they were 30 days before, without the accounts that were deleted since. */
export async function readMonthAgo({
  db,
  clock,
}: Pick<SiteApp, 'db' | 'clock'>): Promise<StatisticsReport['monthAgo']> {
  const [at, before] = [new Date(clock.now() - monthMs), new Date(clock.now() - 2 * monthMs)]
  const { rows } = await sql<StatisticsReport['monthAgo']>`
    select (select count(*) from users where created_at <= ${at})::int as "totalUsers",
           (${vipsAt([at])})[1] as "totalVIPs",
           (select count(*) from content_requests where created_at <= ${at})::int as "totalContentRecommendations",
           (select count(*) from users where created_at > ${before} and created_at <= ${at})::int as "usersLastMonth"`.execute(
    db,
  )
  return rows[0] ?? { totalUsers: 0, totalVIPs: 0, totalContentRecommendations: 0, usersLastMonth: 0 }
}

/** The figures of the four cards, as they are now. */
export async function readStatistics({ db, clock }: Pick<SiteApp, 'db' | 'clock'>): Promise<Statistics> {
  const now = clock.now()
  const monthAgo = new Date(now - monthMs)
  const [counts, vips] = await Promise.all([
    sql<{ users: number; recent: number; requests: number }>`
      select (select count(*) from users)::int as users,
             (select count(*) from users where created_at > ${monthAgo})::int as recent,
             (select count(*) from content_requests)::int as requests`.execute(db),
    sql<{ count: number }>`
      select count(distinct g.user_id)::int as count from ${activeVips(now)}`.execute(db),
  ])
  const { users: totalUsers, recent: usersLastMonth, requests } = counts.rows[0] ?? { users: 0, recent: 0, requests: 0 }
  const totalVIPs = vips.rows[0]?.count ?? 0
  return {
    totalUsers,
    totalVIPs,
    totalContentRecommendations: requests,
    usersLastMonth,
    vipPercentage: totalUsers === 0 ? 0 : Math.round((1_000 * totalVIPs) / totalUsers) / 10,
  }
}
