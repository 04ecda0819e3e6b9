import { isAppError } from '../../../platform/errors.ts'
import { consumeAll, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import { type LimitRule, tooManyAttempts } from '../../../platform/rate-limit/rate-limits.ts'
import type { CatalogueApp } from '../app.ts'

/*
 * A passage costs a signature, and a row once its ticket is opened. The limit leaves room for a school behind one address,
 * and stops a program that collects links (docs/spec/security.md#rate-limits).
 */

const passagesForBlock: LimitRule = { name: 'passage.block', points: 120, seconds: 60 }
const looksForBlock: LimitRule = { name: 'passage.look', points: 300, seconds: 60 }
const countsForBlock: LimitRule = { name: 'passage.count', points: 3, seconds: 86_400 }
const downloadsForMember: LimitRule = { name: 'downloads.member', points: 600, seconds: 3_600, recordedAs: 'downloads' }

/** All of these, as docs/operating.md tells them. */
export const gatewayLimits: readonly LimitRule[] = [passagesForBlock, looksForBlock, countsForBlock, downloadsForMember]

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitPassages({ limits }: Pick<CatalogueApp, 'limits'>, address: string): Promise<void> {
  await consumeAll(limits, ipKeys(passagesForBlock, address))
}

/**
 * One for each request to the page of a ticket, whether it looks or presses.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitLooks({ limits }: Pick<CatalogueApp, 'limits'>, address: string): Promise<void> {
  await consumeAll(limits, ipKeys(looksForBlock, address))
}

/** Whether a passage without a ticket still counts for this item: whoever repeats it raises no number any more. */
export async function mayCount(
  { limits }: Pick<CatalogueApp, 'limits'>,
  { address, itemId }: { address: string; itemId: string },
): Promise<boolean> {
  const keys = ipKeys(countsForBlock, address).map(([rule, key]) => [rule, `${key} ${itemId}`] as const)
  try {
    await consumeAll(limits, keys)
    return true
  } catch (error) {
    if (isAppError(error) && error.code === tooManyAttempts.code) return false
    throw error
  }
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitDownloads({ limits }: Pick<CatalogueApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(downloadsForMember).consume(userId)
}
