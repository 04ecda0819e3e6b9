import { sql } from 'kysely'
import { dayOf } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import { keptCents } from '../../membership/plans/kept-cents.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { readMonthAgo } from './read-statistics.server.ts'
import { readFunnel, readRecurring } from './member-figures.server.ts'
import { periodFormat, monthsOf, type Span, spanOf, type StatisticsRange } from './statistics-range.ts'
import type { StatisticsReport } from './statistics-schema.ts'
import { readVipFigures } from './vip-figures.server.ts'

const topItems = 20
const topTexts = 50

type Reader = Pick<SiteApp, 'db' | 'clock' | 'config' | 'listing'>

/** Everything that the screen draws, of one range. Days and months are those of the site's time zone. */
export async function readStatisticsReport(
  app: Reader,
  viewer: Viewer,
  range: StatisticsRange,
): Promise<StatisticsReport> {
  const { clock, config } = app
  const now = clock.now()
  const today = dayOf(now, config.timeZone)
  const span = spanOf(range, today, range === 'all' ? await firstDay(app, today) : today)
  const since = startOfDay(span.from, config.timeZone)
  const [monthAgo, growth, vip, recurring, funnel, revenue, downloads, conversion, free, vips] = await Promise.all([
    readMonthAgo(app),
    readGrowth(app, span, since),
    readVipFigures(app, span, since),
    readRecurring(app),
    readFunnel(app, since),
    readRevenue(app, span),
    readDownloads(app, viewer, span),
    readConversion(app, viewer, span),
    readMisses(app, span, 'free'),
    readMisses(app, span, 'vip'),
  ])
  return {
    range,
    from: span.from,
    unit: span.unit,
    computedAt: new Date(now).toISOString(),
    monthAgo,
    growth,
    vip,
    recurring,
    funnel,
    revenue,
    downloads,
    conversion,
    searches: { free, vip: vips },
  }
}

/** The day of the oldest account, payment or counted download. */
async function firstDay({ db, config }: Reader, today: string): Promise<string> {
  const { rows } = await sql<{ first: string | null }>`
    select to_char(least(
      (select min(created_at) at time zone ${config.timeZone} from users),
      (select min(paid_at) at time zone ${config.timeZone} from payments where status = 'paid'),
      (select min(day)::timestamp from download_days)
    ), 'YYYY-MM-DD') as first`.execute(db)
  return rows[0]?.first ?? today
}

async function readGrowth({ db, config }: Reader, span: Span, since: number): Promise<StatisticsReport['growth']> {
  const from = new Date(since)
  const [before, joined] = await Promise.all([
    sql<{ count: number }>`select count(*)::int as count from users where created_at < ${from}`.execute(db),
    // Quarters of an hour first: the time zone is worked out for each of them, and not for each member.
    sql<{ period: string; joined: number }>`
      select to_char(quarter at time zone ${config.timeZone}, ${sql.lit(periodFormat(span))}) as period, sum(joined)::int as joined
        from (
          select date_bin('15 minutes', created_at, timestamptz '2000-01-01') as quarter, count(*) as joined
            from users where created_at >= ${from} group by 1
        ) quarters group by 1`.execute(db),
  ])
  const byPeriod = new Map(joined.rows.map((row) => [row.period, row.joined]))
  let total = before.rows[0]?.count ?? 0
  return span.periods.map((period) => {
    const count = byPeriod.get(period) ?? 0
    total += count
    return { period, joined: count, total }
  })
}

/**
 * The income by month and currency; a refund counts in the month of its payment. Covers whole months, also at the ends
 * of the range, and every currency in every month.
 */
async function readRevenue({ db, config }: Reader, span: Span): Promise<StatisticsReport['revenue']> {
  const months = monthsOf(span)
  const since = startOfDay(`${months[0] ?? ''}-01`, config.timeZone)
  const { rows } = await sql<{ month: string; currency: string; payments: number; paid: string; returned: string }>`
    select to_char(paid_at at time zone ${config.timeZone}, 'YYYY-MM') as month, currency, count(*)::int as payments,
           sum(amount_cents) as paid,
           sum(amount_cents - ${keptCents}) as returned
      from payments where status = 'paid' and paid_at >= ${new Date(since)}
     group by 1, 2`.execute(db)
  const found = new Map(rows.map((row) => [`${row.month} ${row.currency}`, row]))
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted()
  return months.flatMap((month) =>
    currencies.map((currency) => {
      const { payments, paid, returned } = found.get(`${month} ${currency}`) ?? { payments: 0, paid: 0, returned: 0 }
      return { month, currency, payments, paid: Number(paid), returned: Number(returned) }
    }),
  )
}

async function readDownloads(
  { db, listing }: Reader,
  viewer: Viewer,
  span: Span,
): Promise<StatisticsReport['downloads']> {
  const tiers = sql`
    (coalesce(sum(downloads) filter (where tier = 'free'), 0))::int as free,
    (coalesce(sum(downloads) filter (where tier = 'vip'), 0))::int as vip`
  const inSpan = sql`from download_days where day >= ${span.from}::date`
  const [periods, hosts, items] = await Promise.all([
    sql<{ period: string; free: number; vip: number }>`
      select to_char(day, ${sql.lit(periodFormat(span))}) as period, ${tiers} ${inSpan} group by 1`.execute(db),
    sql<{ host: string; free: number; vip: number }>`
      select host, ${tiers} ${inSpan} group by 1 order by sum(downloads) desc, host`.execute(db),
    sql<{ id: string; free: number; vip: number }>`
      select item_id as id, (count(*) filter (where tier = 'free'))::int as free,
             (count(*) filter (where tier = 'vip'))::int as vip
        from download_events where day >= ${span.from}::date
       group by 1 order by count(*) desc, 1 limit ${topItems}`.execute(db),
  ])
  const names = await listing.readNames(
    items.rows.map(({ id }) => id),
    viewer,
  )
  const byPeriod = new Map(periods.rows.map((row) => [row.period, row]))
  return {
    byPeriod: span.periods.map((period) => byPeriod.get(period) ?? { period, free: 0, vip: 0 }),
    byHost: hosts.rows,
    byItem: items.rows.map(({ id, free, vip }) => {
      const { name = null, path: to = null } = names.get(id) ?? {}
      return { id, name, to, free, vip }
    }),
  }
}

async function readConversion(
  { db, listing }: Reader,
  viewer: Viewer,
  span: Span,
): Promise<StatisticsReport['conversion']> {
  const { rows } = await sql<{ slug: string; checkouts: number; purchases: number; downloads: number }>`
    select slug, checkouts, purchases,
           (select count(*)::int from download_events d join items i on i.id = d.item_id
             where i.slug = c.slug and d.day >= ${span.from}::date and d.tier = 'free') as downloads
      from (
        select slug, sum(checkouts)::int as checkouts, sum(purchases)::int as purchases
          from entry_conversions where day >= ${span.from}::date
         group by slug order by sum(purchases) desc, sum(checkouts) desc, slug limit ${topItems}
      ) c order by purchases desc, checkouts desc, slug`.execute(db)
  const names = await listing.readNamesBySlug(
    rows.map(({ slug }) => slug),
    viewer,
  )
  return rows.map(({ slug, downloads, checkouts, purchases }) => {
    const { name = null, path: to = null } = names.get(slug) ?? {}
    return { slug, name, to, downloads, checkouts, purchases }
  })
}

async function readMisses(
  { db }: Reader,
  span: Span,
  tier: 'free' | 'vip',
): Promise<StatisticsReport['searches']['free']> {
  const { rows } = await sql<{ text: string; searches: number; total: number }>`
    select text, sum(searches)::int as searches, (sum(sum(searches)) over ())::int as total
      from search_misses where day >= ${span.from}::date and tier = ${tier}
     group by text order by text = '', sum(searches) desc, text limit ${topTexts}`.execute(db)
  const texts = rows.filter(({ text }) => text !== '').map(({ text, searches }) => ({ text, searches }))
  const listed = texts.reduce((sum, { searches }) => sum + searches, 0)
  return { texts, others: (rows[0]?.total ?? 0) - listed }
}
