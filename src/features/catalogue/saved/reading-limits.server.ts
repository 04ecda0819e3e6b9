import type { LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { CatalogueApp } from '../app.ts'

/** A page asks once, a press of a key writes a row: what a person does fits in easily. */
const callsOfMember: LimitRule = { name: 'memory.member', points: 240, seconds: 60 }

/** A tab signs in five minutes once. */
const visitsOfMember: LimitRule = { name: 'memory.visits', points: 30, seconds: 300 }

/** All of these, as docs/operating.md tells them. */
export const readingLimits: readonly LimitRule[] = [callsOfMember, visitsOfMember]

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitMemory({ limits }: Pick<CatalogueApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(callsOfMember).consume(userId)
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitVisits({ limits }: Pick<CatalogueApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(visitsOfMember).consume(userId)
}
