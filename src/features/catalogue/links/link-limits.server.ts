import { consumeAll, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import type { LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { CatalogueApp } from '../app.ts'

const hour = 3_600

/* A report makes this server send requests to another host, at most every ten minutes for a link (docs/spec/links.md#reports). */
const reportsForBlock: LimitRule = { name: 'link-report.block', points: 20, seconds: hour }
const reportsForSite: LimitRule = { name: 'link-report.site', points: 600, seconds: hour }

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitLinkReports({ limits }: Pick<CatalogueApp, 'limits'>, address: string): Promise<void> {
  await consumeAll(limits, [...ipKeys(reportsForBlock, address), [reportsForSite, 'site']])
}
