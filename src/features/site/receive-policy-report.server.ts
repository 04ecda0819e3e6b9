import { consumeAll, ipKeys } from '../../platform/rate-limit/consume-all.ts'
import type { LimitRule } from '../../platform/rate-limit/rate-limits.ts'
import type { SiteApp } from './app.ts'

/** A browser sends together what a page has refused (docs/spec/http.md#policy-reports). */
const reportsForBlock: LimitRule = { name: 'policy-reports.block', points: 60, seconds: 600 }

/** All of these, as docs/operating.md tells them. */
export const policyReportLimits: readonly LimitRule[] = [reportsForBlock]

/**
 * Counts what a browser reports of the policy of a page.
 * @throws {AppError} `limit.exceeded`, 429; `report.invalid`, 400
 */
export async function receivePolicyReport(
  { limits, policyReports }: Pick<SiteApp, 'limits' | 'policyReports'>,
  body: Buffer,
  address: string,
): Promise<void> {
  await consumeAll(limits, ipKeys(reportsForBlock, address))
  policyReports.receive(body)
}
