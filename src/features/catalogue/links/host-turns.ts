/** Above this number, hosts whose turn has passed are deleted. */
const maxRemembered = 1_000

/** Keeps the beginnings of two requests to one host apart. */
export class HostTurns {
  readonly #gapMs: number
  /** When each host may be asked next, by this process's own clock. */
  readonly #freeAt = new Map<string, number>()

  constructor(gapMs: number) {
    this.#gapMs = gapMs
  }

  /**
   * Waits until this host may be asked, and takes the turn.
   * @throws the reason of the signal when it is aborted first
   */
  async enter(host: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const now = performance.now()
    const turn = Math.max(now, this.#freeAt.get(host) ?? 0)
    this.#deletePast(now)
    this.#freeAt.set(host, turn + this.#gapMs)
    if (turn <= now) return
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, turn - now)
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  #deletePast(now: number): void {
    if (this.#freeAt.size < maxRemembered) return
    for (const [host, at] of this.#freeAt) if (at <= now) this.#freeAt.delete(host)
  }
}
