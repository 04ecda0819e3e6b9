import type { Log } from '../platform/log.ts'

/**
 * What is refused on purpose, likely many times: one line a minute with how many there were and why, in place of one for each
 * (`AppError.isCounted`).
 */
export class RefusalLog {
  readonly #log: () => Log
  readonly #everyMs: number
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(log: () => Log, everyMs = 60_000) {
    this.#log = log
    this.#everyMs = everyMs
  }

  /** @param code the error's */
  count(code: string): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1)
    this.#timer ??= setTimeout(() => this.tell(), this.#everyMs).unref()
  }

  /** Tells what has been counted since the last line, if anything. */
  tell(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#counts.size === 0) return
    this.#log().warn({ refused: Object.fromEntries(this.#counts) }, 'Requests were refused on purpose.')
    this.#counts.clear()
  }
}
