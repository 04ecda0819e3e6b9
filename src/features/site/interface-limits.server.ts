import { consumeAll, ipKeys } from '../../platform/rate-limit/consume-all.ts'
import type { LimitRule } from '../../platform/rate-limit/rate-limits.ts'
import type { SiteApp } from './app.ts'

/** A program reads it once; it is the largest answer that is open to anybody. */
const interfaceForBlock: LimitRule = { name: 'interface.block', points: 60, seconds: 600 }

/** All of these, as docs/operating.md tells them. */
export const interfaceLimits: readonly LimitRule[] = [interfaceForBlock]

/**
 * Counted for each look at the description of the interface.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitInterface({ limits }: Pick<SiteApp, 'limits'>, address: string): Promise<void> {
  await consumeAll(limits, ipKeys(interfaceForBlock, address))
}
