import type { ApiError } from '../../../../browser/api-client.ts'
import type { CheckoutForMember } from '../../checkout/checkout-schema.ts'

/** How long the page after a payment asks by itself; most payments are confirmed within seconds. */
export const followMs = 120_000

/** How many queries in a row may fail before the member sees an error: a train has tunnels. */
export const maxUnanswered = 3

const pausesMs = [0, 1_000, 1_000, 2_000, 2_000, 3_000]
const usualPauseMs = 5_000

/**
 * How long to wait before a request.
 * @param made how many were made before
 */
export function pauseBefore(made: number): number {
  return pausesMs[made] ?? usualPauseMs
}

/** The state of a payment. `unknown`: none of this member's. `unanswered`: the request failed. */
export type PaymentNews = CheckoutForMember['state'] | 'unknown' | 'unanswered'

/** Undefined while nothing is known. */
export function newsIn(
  answer: CheckoutForMember | undefined,
  error: Pick<ApiError, 'status'> | undefined,
): PaymentNews | undefined {
  if (error !== undefined) return error.status === 404 ? 'unknown' : 'unanswered'
  return answer?.state
}
