import { type ExpressionBuilder, sql } from 'kysely'
import { isoOf } from '../../../platform/time/iso-of.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { LinkSlot } from '../item/link-slots.ts'
import { noSuchLink } from './request-link-check.server.ts'
import { consumeAll, defineLimit, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import { addressBlockOf } from '../../../platform/client-address.ts'
import type { SiteLimitRule } from '../../../platform/rate-limit/rate-limits.ts'

/**
 * A link that was checked within this time is not checked again for a report. A second failure makes a link dead, so a
 * suspect one waits for its regular second check: a host that is away for some hours must not lose its links by reports.
 */
const recentMs = 10 * 60_000

/**
 * Accepts a visitor's report of a dead link: its check moves to the front. A second report of the same link changes
 * nothing, and takes none from the limit of the site. An invisible item is answered as an unknown one.
 * @param address the reporter's, for the limit
 * @throws {AppError} `item.link_not_found`, 404; `limit.exceeded`, 429
 */
export async function reportLink(
  app: Pick<CatalogueApp, 'db' | 'clock' | 'limits' | 'listing'>,
  viewer: Viewer,
  { slug, slot, address }: { slug: string; slot: LinkSlot; address: string },
): Promise<void> {
  const refundReport = await limitLinkReports(app, address)
  const found = await app.listing.findItem(slug, viewer)
  if (found?.links.has(slot) !== true) throw noSuchLink()
  const now = app.clock.now()
  const instant = sql<Date>`${isoOf(now)}::timestamptz`
  const isReportable = (where: ExpressionBuilder<CatalogueDatabase, 'link_checks'>) =>
    where.and([
      where('id', 'in', (links) =>
        links.selectFrom('item_links').select('link_id').where('item_no', '=', found.no).where('slot', '=', slot),
      ),
      where.or([where('front_at', 'is', null), where('reported_at', 'is', null)]),
      where.or([
        where('checked_at', 'is', null),
        where.and([
          where('checked_at', '<', new Date(now - recentMs)),
          where.or([where('state', '<>', 'suspect'), where('next_check_at', '<=', new Date(now))]),
        ]),
      ]),
    ])
  const link = await app.db.selectFrom('link_checks').select('front_at').where(isReportable).executeTakeFirst()
  if (link === undefined) return
  let refundCheck: (() => Promise<void>) | undefined
  if (link.front_at === null) {
    try {
      refundCheck = await limitReportedChecks(app, address)
    } catch (error) {
      await refundReport()
      throw error
    }
  }
  const moved = await app.db
    .updateTable('link_checks')
    .set({
      reported_at: sql<Date>`coalesce(reported_at, ${instant})`,
      front_at: sql<Date>`coalesce(front_at, ${instant})`,
    })
    .where(isReportable)
    .executeTakeFirst()
  // Another report of the same link came first.
  if (moved.numUpdatedRows === 0n) await refundCheck?.()
}

const hour = 3_600

/* A report makes this server send requests to another host, at most every ten minutes for a link (docs/spec/links.md#reports). */
const reportsForBlock = defineLimit({ name: 'link-report.block', points: 20, seconds: hour })
const reportsForSite = defineLimit<SiteLimitRule>({
  name: 'link-report.site',
  what: 'reports of dead links',
  points: 600,
  seconds: hour,
  inLine: { points: 1, seconds: 3 },
})

/**
 * Takes one report of an address.
 * @returns how to give it back
 * @throws {AppError} `limit.exceeded`, 429
 */
function limitLinkReports({ limits }: Pick<CatalogueApp, 'limits'>, address: string): Promise<() => Promise<void>> {
  return consumeAll(limits, ipKeys(reportsForBlock, address))
}

/**
 * Takes one of the checks that reports may bring forward: a report that brings none forward takes nothing from others.
 * @param address of the caller, who may have to wait in line
 * @returns how to give it back
 * @throws {AppError} `limit.exceeded`, 429
 */
function limitReportedChecks({ limits }: Pick<CatalogueApp, 'limits'>, address: string): Promise<() => Promise<void>> {
  return limits.siteLimit(reportsForSite).consume({ caller: addressBlockOf(address) })
}
