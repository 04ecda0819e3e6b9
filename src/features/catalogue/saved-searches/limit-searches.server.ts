import { consumeAll, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import type { LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { CatalogueApp } from '../app.ts'

const changesOfMember: LimitRule = { name: 'searches.member', points: 120, seconds: 3_600 }

/** A provider of email ends the digests of many readers from one address. */
const unsubscribingForBlock: LimitRule = { name: 'unsubscribe.block', points: 600, seconds: 600 }

/** All of these, as docs/operating.md tells them. */
export const savedSearchLimits: readonly LimitRule[] = [changesOfMember, unsubscribingForBlock]

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitSearches({ limits }: Pick<CatalogueApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(changesOfMember).consume(userId)
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitUnsubscribing({ limits }: Pick<CatalogueApp, 'limits'>, address: string): Promise<void> {
  await consumeAll(limits, ipKeys(unsubscribingForBlock, address))
}
