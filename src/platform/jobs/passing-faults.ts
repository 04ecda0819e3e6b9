import { setTimeout as wait } from 'node:timers/promises'
import type { Attempt } from './job.ts'

/** SQLSTATE of what passes by itself: a lock that was not free in time, transactions in each other's way, a deadlock. */
const passing: ReadonlySet<unknown> = new Set(['55P03', '40001', '40P01'])

/** Whether the same work may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (passing.has((at as { code?: unknown }).code)) return true
  }
  return false
}

/** The pauses before the further tries of a job that would be given up for such a fault. */
export const passingWaitsMs: readonly number[] = [2_000, 10_000, 30_000]

/**
 * Does the last attempt of a job: what fails for a lock or a deadlock is tried again after each of these pauses. The
 * attempts before it have the retries of their queue.
 * @param options.stopping ends a pause
 */
export async function overcomeLocks(
  work: () => Promise<void>,
  { isLast, signal }: Attempt,
  { waitsMs, stopping, onAgain }: { waitsMs: readonly number[]; stopping: AbortSignal; onAgain(error: unknown): void },
): Promise<void> {
  for (const waitMs of isLast ? waitsMs : []) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error
      onAgain(error)
      const isOver = AbortSignal.any([signal, stopping])
      if (!(await wait(waitMs, true, { signal: isOver }).catch(() => false))) throw error
    }
  }
  return work()
}
