import { consumeAll, defineLimit, ipKeys } from '../platform/rate-limit/consume-all.ts'
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts'

/** A bucket of its own: a flood of what is refused leaves room for what can be taken. */
const refusedForms = defineLimit({ name: 'form.refused', points: 60, seconds: 600 })

/** Whether an answer to a form says that what was sent is at fault. A limit has been counted by itself. */
export function isRefusedForm(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429
}

/**
 * Counted for each form that is refused after it was read, by page: what another website makes a browser send is refused unread.
 * @param page.path the declared one
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitRefusedForms(
  { limits }: { limits: RateLimits },
  { path }: { path: string },
  address: string,
): Promise<void> {
  const keys = ipKeys(refusedForms, address)
  await consumeAll(
    limits,
    keys.map(([rule, key]) => [rule, `${path} ${key}`] as const),
  )
}
