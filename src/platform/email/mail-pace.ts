import { setTimeout as sleep } from 'node:timers/promises'
import { type Attempt, ReportedFailure } from '../jobs/job.ts'

/** A wait looks this often whether the process is about to stop. */
const lookEveryMs = 500

/** Lets emails go out evenly, at most so many a minute. */
export class MailPace {
  readonly #betweenMs: number
  readonly #now: () => number
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<unknown>
  #nextAt = 0

  /** @param clock any milliseconds that only grow, and a wait on them */
  constructor(
    perMinute: number,
    clock: { now: () => number; wait: (ms: number, signal: AbortSignal) => Promise<unknown> } = {
      now: () => performance.now(),
      wait: (ms, signal) => sleep(ms, undefined, { signal }),
    },
  ) {
    this.#betweenMs = 60_000 / perMinute
    this.#now = clock.now
    this.#wait = clock.wait
  }

  /**
   * Waits for the turn of an email.
   * @throws {ReportedFailure} when the process is about to stop: the email is tried again after its start
   */
  async turn({ signal, isStopping }: Pick<Attempt, 'signal' | 'isStopping'>): Promise<void> {
    const at = Math.max(this.#now(), this.#nextAt)
    this.#nextAt = at + this.#betweenMs
    for (let left = at - this.#now(); left > 0; left = at - this.#now()) {
      if (isStopping()) throw new ReportedFailure('The process stops.')
      await this.#wait(Math.min(left, lookEveryMs), signal)
    }
  }
}
