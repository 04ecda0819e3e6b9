import type { OutageReports } from '../open-database.ts'
import { isCrowded, reasonOf } from './faults.ts'

const againMs = 1_000
/** A statement that takes minutes is no reason to try all the time. */
const slowAgainMs = 3_000

/**
 * Knows whether PostgreSQL is there. It is away when a connection that is made for no other purpose cannot be made; one
 * that broke, or does not answer, is only a reason to try. So a dropped connection is no outage, and a network that
 * swallows everything is one after seconds.
 */
export class PostgresContact {
  readonly #connect: () => Promise<void>
  readonly #cut: () => void
  readonly #reports: OutageReports
  #isAway = false
  #isTrying = false
  #isClosed = false
  #triedAt = -Infinity
  #again: NodeJS.Timeout | undefined

  /**
   * @param connect makes a connection of its own and ends it; rejects within seconds
   * @param cut breaks every open connection, so that nobody waits for an answer any longer
   */
  constructor(connect: () => Promise<void>, cut: () => void, reports: OutageReports) {
    this.#connect = connect
    this.#cut = cut
    this.#reports = reports
  }

  get isAway(): boolean {
    return this.#isAway
  }

  /**
   * Finds out whether PostgreSQL is there.
   * @param broken why a connection was lost; undefined while one is only slow
   */
  doubt(broken?: string): void {
    if (this.#isTrying || this.#isAway || this.#isClosed) return
    if (broken === undefined && performance.now() - this.#triedAt < slowAgainMs) return
    void this.#try(broken)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#again)
  }

  async #try(broken: string | undefined): Promise<void> {
    this.#isTrying = true
    const fault = await this.#connect().then(
      () => undefined,
      (error: unknown) => (isCrowded(error) ? undefined : reasonOf(error)),
    )
    this.#isTrying = false
    this.#triedAt = performance.now()
    if (this.#isClosed) return
    if (fault === undefined) {
      if (this.#isAway) this.#reports.back()
      else if (broken !== undefined) this.#reports.broken(broken)
      this.#isAway = false
      return
    }
    if (!this.#isAway) {
      this.#isAway = true
      this.#reports.away(fault)
      this.#cut()
    }
    this.#again = setTimeout(() => void this.#try(undefined), againMs)
    this.#again.unref()
  }
}
