import type { DatabaseEngine } from '../../db/open-database.ts'
import type { Log } from '../log.ts'

/** A job that has just failed is in line again within this time. */
const soonMs = 1_000

/**
 * Wakes workers whose queue holds a job that is due. One statement looks into all queues, when the next of their jobs is due
 * and, for what no notification told, now and then.
 */
export class DueQueues {
  readonly #database: DatabaseEngine
  readonly #log: Log
  readonly #isPaused: () => boolean
  readonly #lookEveryMs: number
  readonly #wake = new Map<string, () => void>()
  #timer: NodeJS.Timeout | undefined
  #looksAt = Infinity
  #isStopped = false

  constructor(
    database: DatabaseEngine,
    log: Log,
    { isPaused, lookEverySeconds }: { isPaused: () => boolean; lookEverySeconds: number },
  ) {
    this.#database = database
    this.#log = log
    this.#isPaused = isPaused
    this.#lookEveryMs = lookEverySeconds * 1_000
  }

  set(queue: string, wake: () => void): void {
    this.#wake.set(queue, wake)
  }

  lookSoon(): void {
    this.#lookWithin(soonMs)
  }

  #lookWithin(ms: number): void {
    const at = performance.now() + ms
    if (this.#isStopped || at >= this.#looksAt) return
    this.#looksAt = at
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.follow(), ms).unref()
  }

  /** Looks, and goes on looking until it is stopped. */
  async follow(): Promise<void> {
    this.#looksAt = Infinity
    let next = this.#lookEveryMs
    try {
      if (!this.#isPaused()) {
        for (const { name, inMs } of await this.#read()) {
          if (inMs <= 0) this.#wake.get(name)?.()
          else next = Math.min(next, inMs)
        }
      }
    } catch (error) {
      // The cause has lines of its own, and the next look is not far.
      this.#log.debug({ err: error }, 'The job queues could not be read.')
    }
    this.#lookWithin(next)
  }

  async #read(): Promise<{ name: string; inMs: number }[]> {
    const rows = await this.#database.run(
      `select name, ceil(extract(epoch from min(start_after) - now()) * 1000)::float8 as "inMs"
         from pgboss.job where state < 'active' and not blocked and name = any($1::text[]) group by name`,
      [[...this.#wake.keys()]],
    )
    return rows as { name: string; inMs: number }[]
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}
