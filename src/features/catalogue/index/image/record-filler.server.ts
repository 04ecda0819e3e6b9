import { setTimeout as sleep } from 'node:timers/promises'

interface FillerOptions {
  /** Reads these items from the database. The function that it returns stores those that have not changed meanwhile, if it can. */
  readBatch: (numbers: readonly number[]) => Promise<(isUnchanged: (no: number) => boolean) => boolean>
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
/** How many items are looked at in one piece, to find those without a record. */
const lookedAtOnce = 10_000
const [pausedMs, againMs] = [1_000, 5_000]

/** Reads items into the image in the background, in small pieces: it takes half of the time at most. */
export class RecordFiller {
  readonly #options: FillerOptions
  /** The last is read first. */
  #queue: number[] = []
  #underway = new Set<number>()
  #batchSize = leastInBatch
  #running: Promise<void> | undefined
  readonly #stopping = new AbortController()

  constructor(options: FillerOptions) {
    this.#options = options
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
    this.#stopping.abort()
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
      if (this.#queue.length === 0) {
        this.#options.onFilled()
        return
      }
      const batch = this.#next()
      const beganAt = performance.now()
      if (batch.length > 0) await this.#read(batch)
      await this.#pause(performance.now() - beganAt)
      while (this.#options.isPaused() && !this.#isStopped) await this.#pause(pausedMs)
    }
  }

  async #read(batch: readonly number[]): Promise<void> {
    const beganAt = performance.now()
    this.#underway = new Set(batch)
    try {
      const store = await this.#options.readBatch(batch)
      if (!store((no) => this.#underway.has(no))) {
        this.#queue.push(...batch)
        await this.#pause(pausedMs)
        return
      }
    } catch (error) {
      this.#options.onFailed(error)
      this.#queue.push(...batch)
      await this.#pause(againMs)
      return
    }
    const growth = Math.min(2, batchMs / (performance.now() - beganAt))
    this.#batchSize = Math.min(mostInBatch, Math.max(leastInBatch, Math.round(batch.length * growth)))
  }

  /** The next items without a record; fewer where many have one. */
  #next(): number[] {
    const batch: number[] = []
    for (let looked = 0; looked < lookedAtOnce && batch.length < this.#batchSize; looked += 1) {
      const no = this.#queue.pop()
      if (no === undefined) break
      if (this.#options.isMissing(no)) batch.push(no)
    }
    return batch
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  /** A stop cuts it short. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => {})
  }
}
