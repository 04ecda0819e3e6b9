import type { LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { RequestsApp } from '../app.ts'

/** A title is looked for at each pause while it is typed, a vote costs a row: what a person does fits in easily. */
const looksForMember: LimitRule = { name: 'request.look', points: 120, seconds: 60 }
const votesForMember: LimitRule = { name: 'request.vote', points: 120, seconds: 60 }

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitLooks({ limits }: Pick<RequestsApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(looksForMember).consume(userId)
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitVotes({ limits }: Pick<RequestsApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(votesForMember).consume(userId)
}
