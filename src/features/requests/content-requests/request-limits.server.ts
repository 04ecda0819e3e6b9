import { consumeAll, defineLimit, ipKeys, limitKey } from '../../../platform/rate-limit/consume-all.ts'
import type { RequestsApp } from '../app.ts'

/** New requests of accounts that are younger than a day: else one address, with ten accounts an hour, fills the list. */
const newOfFreshAccounts = defineLimit({ name: 'request.fresh', points: 20, seconds: 86_400 })

/** A title is looked for at each pause while it is typed, a vote costs a row: what a person does fits in easily. */
export const limitLooks = limitKey({ name: 'request.look', points: 120, seconds: 60 })

export const limitVotes = limitKey({ name: 'request.vote', points: 120, seconds: 60 })

/** Requests sent, also those that are refused or turn out to be votes: each has its text looked through. */
export const limitSubmissions = limitKey({ name: 'request.submission', points: 60, seconds: 3_600 })

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
