import { ApiError } from './api-client.ts'

/** How often a request is repeated by itself, and after which pauses. */
const pausesMs = [500, 1_500]
/** A server that asks for a longer pause is left to the reader, who may try again. */
const maxRetryAfterMs = 10_000

/**
 * Whether a request that changes nothing is made once more by itself: when the network failed, and when the server says
 * that it is away for a moment (503 with `Retry-After`). A request that has hung until its timeout is not.
 * @param failures how many repetitions have failed
 */
export function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= pausesMs.length || !(error instanceof ApiError)) return false
  if (error.kind === 'network') return true
  return error.status === 503 && error.retryAfterMs !== undefined && error.retryAfterMs <= maxRetryAfterMs
}

export function retryDelay(failures: number, error: Error): number {
  const requested = error instanceof ApiError ? error.retryAfterMs : undefined
  return requested ?? pausesMs[failures] ?? 0
}
