import { consumeAll, defineLimit, ipKeys } from '../../platform/rate-limit/consume-all.ts'
import type { SiteApp } from './app.ts'

/** A browser sends together what a page has refused (docs/spec/http.md#policy-reports). */
const reportsForBlock = defineLimit({ name: 'policy-reports.block', points: 60, seconds: 600 })

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
