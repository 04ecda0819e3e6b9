import { consumeAll, defineLimit, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import { addressBlockOf } from '../../../platform/client-address.ts'
import type { SiteLimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { CatalogueApp } from '../app.ts'

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
export function limitLinkReports(
  { limits }: Pick<CatalogueApp, 'limits'>,
  address: string,
): Promise<() => Promise<void>> {
  return consumeAll(limits, ipKeys(reportsForBlock, address))
}

/**
 * Takes one of the checks that reports may bring forward: a report that brings none forward takes nothing from others.
 * @param address of the caller, who may have to wait in line
 * @returns how to give it back
 * @throws {AppError} `limit.exceeded`, 429
 */
export function limitReportedChecks(
  { limits }: Pick<CatalogueApp, 'limits'>,
  address: string,
): Promise<() => Promise<void>> {
  return limits.siteLimit(reportsForSite).consume({ caller: addressBlockOf(address) })
}
