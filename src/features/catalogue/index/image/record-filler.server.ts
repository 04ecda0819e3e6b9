import { setTimeout as sleep } from 'node:timers/promises'

interface Filled {
  /** Reads these items from the database. The function that it returns stores those that have not changed meanwhile. */
  readBatch: (numbers: readonly number[]) => Promise<(isUnchanged: (no: number) => boolean) => void>
  /** Whether an item has no record yet. */
  isMissing: (no: number) => boolean
  isPaused: () => boolean
  onFilled: () => void
  /** A batch could not be read; it is tried again. */
  onFailed: (error: unknown) => void
}

/** A batch grows and shrinks to take so long: the embedded database does nothing else meanwhile. */
const batchMs = 20
const [leastInBatch, mostInBatch] = [20, 500]
const [pausedMs, againMs] = [1_000, 5_000]

/** Reads items into the image in the background, in small pieces: it takes half of the time at most. */
export class RecordFiller {
  readonly #filled: Filled
  /** The last is read first. */
  #queue: number[] = []
  #underway = new Set<number>()
  #batchSize = leastInBatch
  #running: Promise<void> | undefined
  #isStopped = false

  constructor(filled: Filled) {
    this.#filled = filled
  }

  /** Puts items in line, those that come first at once. Those that have a record are left out when their turn comes. */
  add(numbers: readonly number[]): void {
    for (const no of numbers) this.#underway.delete(no)
    this.#queue.push(...numbers.toReversed())
    this.#begin()
  }

  /** Puts all items in line in place of those that are. */
  addAll(numbers: readonly number[]): void {
    this.#underway.clear()
    this.#queue = numbers.toReversed()
    this.#begin()
  }

  /** Resolves when nothing is in line. */
  async whenFilled(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  #begin(): void {
    if (this.#queue.length === 0 || this.#isStopped) return
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Something may have come in line since it was found empty.
      this.#begin()
    })
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const batch = this.#next()
      if (batch.length === 0) {
        this.#filled.onFilled()
        return
      }
      const beganAt = performance.now()
      this.#underway = new Set(batch)
      try {
        const store = await this.#filled.readBatch(batch)
        store((no) => this.#underway.has(no))
      } catch (error) {
        this.#filled.onFailed(error)
        this.#queue.push(...batch)
        await sleep(againMs, undefined, { ref: false })
      }
      const tookMs = performance.now() - beganAt
      this.#batchSize = Math.min(
        mostInBatch,
        Math.max(leastInBatch, Math.round(batch.length * Math.min(2, batchMs / tookMs))),
      )
      await sleep(tookMs, undefined, { ref: false })
      while (this.#filled.isPaused() && !this.#isStopped) await sleep(pausedMs, undefined, { ref: false })
    }
  }

  #next(): number[] {
    const batch: number[] = []
    while (batch.length < this.#batchSize) {
      const no = this.#queue.pop()
      if (no === undefined) break
      if (this.#filled.isMissing(no)) batch.push(no)
    }
    return batch
  }
}
