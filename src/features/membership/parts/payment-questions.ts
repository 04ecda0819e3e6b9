import type { Reply } from '../../accounts/call-api.ts'

/** How long the page after a payment asks by itself; most payments are confirmed within seconds. */
export const patienceMs = 120_000

/** How many questions in a row may go unanswered before the member is told: a train has tunnels. */
export const mostUnanswered = 3

const pausesMs = [0, 1_000, 1_000, 2_000, 2_000, 3_000]
const usualPauseMs = 5_000

/**
 * How long to wait before a question.
 * @param question how many were asked before
 */
export function pauseBefore(question: number): number {
  return pausesMs[question] ?? usualPauseMs
}

/** What is known of a payment. `unknown`: none of this member's. `unanswered`: nothing could be learned this time. */
export type PaymentNews = 'confirming' | 'active' | 'failed' | 'unknown' | 'unanswered'

/**
 * What an answer about a payment says.
 * @param reply undefined when no answer came
 */
export function newsIn(reply: Reply | undefined): PaymentNews {
  if (reply === undefined) return 'unanswered'
  if (reply.status === 404) return 'unknown'
  const state = reply.ok ? (reply.data as { state?: unknown } | null | undefined)?.state : undefined
  return state === 'confirming' || state === 'active' || state === 'failed' ? state : 'unanswered'
}
