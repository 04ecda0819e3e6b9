import { consumeAll, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import type { LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { CatalogueApp } from '../app.ts'

const hour = 3_600

/* A report makes this server send requests to another host, at most every ten minutes for a link (docs/spec/links.md#reports). */
const reportsForBlock: LimitRule = { name: 'link-report.block', points: 20, seconds: hour }
const reportsForSite: LimitRule = { name: 'link-report.site', points: 600, seconds: hour }

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
 * @returns how to give it back
 * @throws {AppError} `limit.exceeded`, 429
 */
export function limitReportedChecks({ limits }: Pick<CatalogueApp, 'limits'>): Promise<() => Promise<void>> {
  return consumeAll(limits, [[reportsForSite, 'site']])
}
