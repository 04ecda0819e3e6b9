import { sql } from 'kysely'
import { addDays, dayOf } from '../../../platform/time/site-time.ts'
import { isoOf } from '../../../platform/time/iso-of.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import type { GatewayReport } from './gateway-schema.ts'
import type { Problem } from '../../office/contributions.ts'

const topItems = 10

/** The state of the gateway, and the downloads that were begun. Days are those of the site's time zone. */
export async function readGatewayReport(app: CatalogueApp, viewer: Viewer): Promise<GatewayReport> {
  const { db, clock, config, gateway, listing } = app
  const today = dayOf(clock.now(), config.timeZone)
  const [week, month] = [addDays(today, -6), addDays(today, -29)]
  const since = (day: string) => sql<boolean>`day >= ${day}::date`
  // The database keeps sums of each day; what was downloaded of an item is counted from the downloads themselves.
  const [counts, byHost, items] = await Promise.all([
    db
      .selectFrom('download_days')
      .select([
        'tier',
        sql<number>`coalesce(sum(downloads) filter (where ${since(today)}), 0)::float8`.as('today'),
        sql<number>`coalesce(sum(downloads) filter (where ${since(week)}), 0)::float8`.as('last7Days'),
        sql<number>`sum(downloads)::float8`.as('last30Days'),
      ])
      .where(since(month))
      .groupBy('tier')
      .execute(),
    db
      .selectFrom('download_days')
      .select(['host', sql<number>`sum(downloads)::float8`.as('passages')])
      .where(since(month))
      .where('tier', '=', 'free')
      .groupBy('host')
      .orderBy('passages', 'desc')
      .orderBy('host')
      .execute(),
    db
      .selectFrom('download_events')
      .select((row) => ['item_id as id', row.fn.countAll<string>().as('passages')])
      .where(since(month))
      .where('tier', '=', 'free')
      .groupBy('item_id')
      .orderBy('passages', 'desc')
      .orderBy('item_id')
      .limit(topItems)
      .execute(),
  ])
  const names = await listing.readNames(
    items.map(({ id }) => id),
    viewer,
  )
  const of = (tier: 'free' | 'vip') => {
    const found = counts.find((row) => row.tier === tier)
    return {
      today: found?.today ?? 0,
      last7Days: found?.last7Days ?? 0,
      last30Days: found?.last30Days ?? 0,
    }
  }
  const { isIdle } = gateway
  const { inForce, fault, faultSince } = gateway.state
  return {
    state: { inForce, fault: fault ?? null, faultSince: faultSince === undefined ? null : isoOf(faultSince), isIdle },
    passages: of('free'),
    vipDownloads: of('vip'),
    byHost,
    // An item that is no longer shown is counted above, and has no line.
    byItem: items.flatMap(({ id, passages }) => {
      const item = names.get(id)
      if (item === undefined) return []
      const { name, slug, path } = item
      return [{ name, slug, path, passages: Number(passages) }]
    }),
  }
}

export function readGatewayProblem({ gateway }: Pick<CatalogueApp, 'gateway'>): Promise<Problem[]> {
  const { fault, faultSince } = gateway.state
  if (fault === undefined) return Promise.resolve([])
  const since = faultSince === undefined ? {} : { since: new Date(faultSince) }
  return Promise.resolve([{ sentence: `The gateway is off: ${fault}`, to: '/admin/gateway', ...since }])
}
