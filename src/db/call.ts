/** How long a visitor's call may wait for the database in all. */
export const visitorLimitMs = 5_000

/**
 * One call of the site, as the database sees it: how much longer it may wait for the database, all its statements
 * together, and whether it has committed something. Its own work and other networks cost it nothing.
 */
export class DatabaseCall {
  /** A visitor waits; everyone else has the limits of the server alone. */
  readonly isVisitors: boolean
  /** How far the primary was when it was last asked for this call; the replica compares it with its own. */
  position: Promise<{ position: string; place: string }> | undefined
  readonly #isWrite: boolean
  #hasCommitted = false
  #isAnswered = false
  #leftMs: number
  #waitingSince = 0
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined

  /** @param given.limitMs how long it may wait in all; undefined for a call that is no visitor's */
  constructor({ limitMs, isWrite }: { limitMs: number | undefined; isWrite: boolean }) {
    this.isVisitors = limitMs !== undefined
    this.#leftMs = limitMs ?? Infinity
    this.#isWrite = isWrite
  }

  /** Whether something of this call stays done, whatever fails from now on. A read only leaves notes for ourselves. */
  get hasCommitted(): boolean {
    return this.#hasCommitted
  }

  /** Whether the answer is out. Work that goes on after it has no caller who waits. */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  committed(): void {
    this.#hasCommitted ||= this.#isWrite
  }

  answered(): void {
    this.#isAnswered = true
  }

  /**
   * Waits for the database while the call has time left.
   * @param begin asks the database; not called when no time is left
   * @param onExpired makes the error for a call whose time is over
   */
  wait<T>(begin: () => Promise<T>, onExpired: (work: Promise<T> | undefined) => Error): Promise<T> {
    if (!this.isVisitors) return begin()
    if (this.#leftMs <= 0) return Promise.reject(onExpired(undefined))
    const work = begin()
    return new Promise((resolve, reject) => {
      const expire = (): void => reject(onExpired(work))
      this.#start(expire)
      work.then(resolve, reject).finally(() => this.#stop(expire))
    })
  }

  /** Waits at the same time are counted once. */
  #start(expire: () => void): void {
    if (this.#waiting.size === 0) {
      this.#waitingSince = performance.now()
      this.#timer = setTimeout(() => this.#expire(), this.#leftMs)
    }
    this.#waiting.add(expire)
  }

  #stop(expire: () => void): void {
    if (!this.#waiting.delete(expire) || this.#waiting.size > 0) return
    clearTimeout(this.#timer)
    this.#leftMs -= performance.now() - this.#waitingSince
  }

  #expire(): void {
    this.#leftMs = 0
    const all = [...this.#waiting]
    this.#waiting.clear()
    for (const expire of all) expire()
  }
}
