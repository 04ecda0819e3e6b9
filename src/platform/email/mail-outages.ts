import type { Log } from '../log.ts'

/** How often the log says that the mail server is still away. */
const logEveryMs = 60_000

/**
 * The log of a mail server that accepts no emails: one line at the beginning, one a minute at most during attempts, and
 * one at the end.
 */
export class MailOutages {
  readonly #log: Log
  readonly #now: () => number
  #away: { since: number; loggedAt: number; failures: number } | undefined

  /** @param now any milliseconds that only grow */
  constructor(log: Log, now = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  /** An email could not be handed over, for a reason that would have kept any other. */
  failed(reason: string): void {
    const now = this.#now()
    if (this.#away === undefined) {
      this.#away = { since: now, loggedAt: now, failures: 1 }
      this.#log.warn({ reason }, 'The mail server takes no emails. They wait, and are tried again.')
      return
    }
    this.#away.failures += 1
    if (now - this.#away.loggedAt < logEveryMs) return
    this.#away.loggedAt = now
    this.#log.warn({ reason, ...this.#soFar(this.#away) }, 'The mail server still takes no emails.')
  }

  /** The server has answered to an email. */
  answered(): void {
    if (this.#away === undefined) return
    this.#log.info(this.#soFar(this.#away), 'The mail server takes emails again.')
    this.#away = undefined
  }

  #soFar({ since, failures }: { since: number; failures: number }): { seconds: number; failures: number } {
    return { seconds: Math.round((this.#now() - since) / 1_000), failures }
  }
}
