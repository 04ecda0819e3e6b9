import { consumeAll, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import type { LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { RequestsApp } from '../app.ts'

/** Each inquiry is an email to the operator (docs/spec/security.md#rate-limits). */
const inquiriesForBlock: LimitRule = { name: 'inquiry.block', points: 10, seconds: 3_600 }
const inquiriesForSite: LimitRule = { name: 'inquiry.site', points: 600, seconds: 3_600 }

/**
 * Counted for an inquiry that keeps the rules.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitInquiries({ limits }: Pick<RequestsApp, 'limits'>, address: string): Promise<void> {
  await consumeAll(limits, [...ipKeys(inquiriesForBlock, address), [inquiriesForSite, 'site']])
}
