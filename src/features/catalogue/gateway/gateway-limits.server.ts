import { consumeAll, defineLimit, ipKeys, limitAddress, limitKey } from '../../../platform/rate-limit/consume-all.ts'
import { isAppError } from '../../../platform/errors.ts'
import { tooManyAttempts } from '../../../platform/rate-limit/rate-limits.ts'
import type { CatalogueApp } from '../app.ts'

/*
 * A passage costs a signature, and a row once its ticket is opened. The limit leaves room for a school behind one address,
 * and stops a program that collects links (docs/spec/security.md#rate-limits).
 */

const countsForBlock = defineLimit({ name: 'passage.count', points: 3, seconds: 86_400 })

export const limitPassages = limitAddress({ name: 'passage.block', points: 120, seconds: 60 })

/** One for each request to the page of a ticket, whether it looks or presses. */
export const limitLooks = limitAddress({ name: 'passage.look', points: 300, seconds: 60 })

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

export const limitDownloads = limitKey({
  name: 'downloads.member',
  points: 600,
  seconds: 3_600,
  recordedAs: 'downloads',
})
