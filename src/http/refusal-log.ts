import type { Log } from '../platform/log.ts'

/**
 * Counts frequent refusals: one line a minute with their number and reasons, in place of one for each
 * (`AppError.isCounted`, and refusals beyond the lines of a minute).
 */
export class RefusalLog {
  readonly #log: () => Log
  readonly #everyMs: number
  readonly #sentence: string
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(
    log: () => Log,
    { everyMs = 60_000, sentence = 'Requests were refused on purpose.' }: { everyMs?: number; sentence?: string } = {},
  ) {
    this.#log = log
    this.#everyMs = everyMs
    this.#sentence = sentence
  }

  /** @param reason the code of the error, or another word of few */
  count(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
    this.#timer ??= setTimeout(() => this.write(), this.#everyMs).unref()
  }

  /** Tells what has been counted since the last line, if anything. */
  write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#counts.size === 0) return
    this.#log().warn({ refused: Object.fromEntries(this.#counts) }, this.#sentence)
    this.#counts.clear()
  }
}
