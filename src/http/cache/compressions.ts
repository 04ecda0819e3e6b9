import { FairQueue } from '../../platform/fair-queue/fair-queue.ts'
import type { Log } from '../../platform/log.ts'

/** Two of the four threads that Node has for such work, so that passwords and files find one. */
const maxAtOnce = 2
const maxWaiting = 32
const maxImprovements = 64

/**
 * The queue in which answers are compressed. Each compression under way takes megabytes off the heap, and each answer in
 * line its plain bytes: few are made at once, and where many wait, plain bytes are sooner there.
 */
export class Compressions {
  readonly #log: Log
  readonly #queue = new FairQueue({ atOnce: maxAtOnce })
  readonly #improvements: (() => Promise<void>)[] = []

  constructor(log: Log) {
    this.#log = log
  }

  get running(): number {
    return this.#queue.running
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  /** Whether the queue is so long that plain bytes should be sent instead. */
  get isBusy(): boolean {
    return this.#queue.waiting >= maxWaiting
  }

  /** Does this in its turn. The work must not ask for a turn of its own. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#queue.run({}, work)
    } finally {
      this.#improve()
    }
  }

  /**
   * Does this when nobody waits.
   * @returns false where too much is put off already
   */
  whenIdle(work: () => Promise<void>): boolean {
    if (this.#improvements.length >= maxImprovements) return false
    this.#improvements.push(work)
    this.#improve()
    return true
  }

  /** One at a time: a request that comes meanwhile still finds a place. */
  #improve(): void {
    if (this.#queue.running > 0) return
    const work = this.#improvements.shift()
    if (work === undefined) return
    this.inTurn(work).catch((error: unknown) => this.#log.error({ err: error }, 'An answer could not be compressed.'))
  }
}
