import { consumeAll, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import type { LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { RequestsApp } from '../app.ts'

/** A title is looked for at each pause while it is typed, a vote costs a row: what a person does fits in easily. */
const looksForMember: LimitRule = { name: 'request.look', points: 120, seconds: 60 }
const votesForMember: LimitRule = { name: 'request.vote', points: 120, seconds: 60 }
/** Requests sent, also those that are refused or turn out to be votes: each has its text looked through. */
const submissionsForMember: LimitRule = { name: 'request.submission', points: 60, seconds: 3_600 }

/** New requests of accounts that are younger than a day: else one address, with ten accounts an hour, fills the list. */
const newOfFreshAccounts: LimitRule = { name: 'request.fresh', points: 20, seconds: 86_400 }

/** All of these, as docs/operating.md tells them. */
export const requestLimits: readonly LimitRule[] = [
  looksForMember,
  votesForMember,
  submissionsForMember,
  newOfFreshAccounts,
]

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitLooks({ limits }: Pick<RequestsApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(looksForMember).consume(userId)
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitVotes({ limits }: Pick<RequestsApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(votesForMember).consume(userId)
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitSubmissions({ limits }: Pick<RequestsApp, 'limits'>, userId: string): Promise<void> {
  await limits.limit(submissionsForMember).consume(userId)
}

/**
 * @param address of the caller, whose account is younger than a day
 * @returns how to give it back
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitFreshAccounts(
  { limits }: Pick<RequestsApp, 'limits'>,
  address: string,
): Promise<() => Promise<void>> {
  return consumeAll(limits, ipKeys(newOfFreshAccounts, address))
}
