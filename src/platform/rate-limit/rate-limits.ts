import type { Config } from '../config/config.ts'
import { Counter, SharedStore } from './counters.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'

export interface LimitRule {
  /** Unique; a rule of the same name is the same limit. */
  name: string
  /** How many may be taken in one window. */
  points: number
  /** The window; it begins with the first that is taken. */
  seconds: number
}

/** So many for each key in a window, and then none until it ends. */
export interface Limit {
  /**
   * Takes one. Of those who take at the same time none is overlooked, in whatever instance.
   * @throws {AppError} `limit.exceeded`, 429, with `retryAfterSeconds`, when none is left; a refusal costs nothing
   */
  consume(key: string): Promise<void>
  /**
   * Takes none, for what is known only later to count.
   * @throws {AppError} as `take`
   */
  check(key: string): Promise<void>
  /** Takes one that cannot be refused any more, also where none is left. */
  count(key: string): Promise<void>
  /** For one that was taken and turned out not to count. */
  refund(key: string): Promise<void>
  /** As if nothing had ever been taken. */
  delete(key: string): Promise<void>
}

export interface GrowingLimitRule extends LimitRule {
  /** How long to wait after the last of the points; then one may be taken after each wait, which is twice the one before. */
  firstWaitSeconds: number
  longestWaitSeconds: number
  /** How long after the last that was taken it is forgotten that there were waits. */
  rememberSeconds: number
}

/** So many for each key in a window, and then one after each of growing waits. */
export interface GrowingLimit {
  /**
   * Takes one. An attempt during a wait is refused and does not lengthen it.
   * @returns how to give it back, for one that turned out not to count
   * @throws {AppError} `limit.exceeded`, 429, with `retryAfterSeconds`, while there is to be waited
   */
  consume(key: string): Promise<() => Promise<void>>
  /** As if nothing had ever been taken, and without any wait. */
  delete(key: string): Promise<void>
}

/**
 * The limits of this site: shared by all instances over Redis where there is one, else of this process. A Redis that is
 * down, hangs or refuses to be written to is not waited for; meanwhile each instance counts for itself.
 */
export class RateLimits {
  readonly #prefix: string
  readonly #store: SharedStore | undefined
  readonly #limits = new Map<string, WindowLimit>()
  readonly #growingLimits = new Map<string, WaitLimit>()

  constructor(store: SharedStore | undefined, prefix: string) {
    this.#store = store
    this.#prefix = prefix
  }

  limit(rule: LimitRule): Limit {
    let limit = this.#limits.get(rule.name)
    if (limit === undefined) {
      limit = new WindowLimit(rule, this.#counter(rule.name, rule.seconds))
      this.#limits.set(rule.name, limit)
    }
    return limit
  }

  growingLimit(rule: GrowingLimitRule): GrowingLimit {
    let limit = this.#growingLimits.get(rule.name)
    if (limit === undefined) {
      limit = new WaitLimit(rule, {
        taken: this.#counter(`${rule.name}.taken`, rule.seconds),
        waits: this.#counter(`${rule.name}.waits`, rule.rememberSeconds),
        locks: this.#counter(`${rule.name}.locks`, rule.longestWaitSeconds),
      })
      this.#growingLimits.set(rule.name, limit)
    }
    return limit
  }

  close(): void {
    this.#store?.close()
  }

  #counter(name: string, seconds: number): Counter {
    return new Counter(this.#store, `${this.#prefix}:${name}`, seconds)
  }
}

/**
 * Begins to connect to Redis where there is one; whether it answers is not waited for.
 * @param prefix the beginning of all keys in Redis
 */
export function openRateLimits(
  config: Pick<Config, 'redisUrl'>,
  log: Log,
  { prefix = 'daybook:limits', answerWithinMs = 200 }: { prefix?: string; answerWithinMs?: number } = {},
): RateLimits {
  return new RateLimits(
    config.redisUrl === undefined ? undefined : new SharedStore(config.redisUrl, prefix, log, answerWithinMs),
    prefix,
  )
}

class WindowLimit implements Limit {
  readonly #points: number
  readonly #counter: Counter

  constructor({ points }: LimitRule, counter: Counter) {
    this.#points = points
    this.#counter = counter
  }

  async consume(key: string): Promise<void> {
    const { value, msLeft } = await this.#counter.add(key)
    if (value <= this.#points) return
    // Else those who were refused would take the place of those who give back.
    await this.#counter.refund(key)
    throw exceeded(msLeft)
  }

  async check(key: string): Promise<void> {
    const { value, msLeft } = await this.#counter.read(key)
    if (value >= this.#points) throw exceeded(msLeft)
  }

  async count(key: string): Promise<void> {
    await this.#counter.add(key)
  }

  refund(key: string): Promise<void> {
    return this.#counter.refund(key)
  }

  delete(key: string): Promise<void> {
    return this.#counter.delete(key)
  }
}

interface WaitCounters {
  /** What was taken before there were waits. */
  taken: Counter
  /** How many waits there were. */
  waits: Counter
  /** Held while there is to be waited: whoever adds the first has it. */
  locks: Counter
}

class WaitLimit implements GrowingLimit {
  readonly #rule: GrowingLimitRule
  readonly #counters: WaitCounters

  constructor(rule: GrowingLimitRule, counters: WaitCounters) {
    this.#rule = rule
    this.#counters = counters
  }

  async consume(key: string): Promise<() => Promise<void>> {
    const { points, firstWaitSeconds, longestWaitSeconds, rememberSeconds } = this.#rule
    const { taken, waits, locks } = this.#counters
    const { value: before } = await waits.read(key)
    if (before === 0) {
      const { value } = await taken.add(key)
      if (value < points) return () => taken.refund(key)
    }
    // The last of the points, and each one after it, is taken together with the wait that follows it: whoever gets the
    // lock has it, and all the others wait, however many come at once.
    const lock = await locks.add(key, Math.min(firstWaitSeconds * 2 ** before, longestWaitSeconds))
    if (lock.value > 1) {
      if (before === 0) await taken.refund(key)
      throw exceeded(lock.msLeft)
    }
    await waits.write(key, before + 1, rememberSeconds)
    return async () => {
      if (before > 0) {
        await waits.write(key, before, rememberSeconds)
      } else {
        await waits.delete(key)
        await taken.refund(key)
      }
      // Last: from here on others may take.
      await locks.delete(key)
    }
  }

  async delete(key: string): Promise<void> {
    const { taken, waits, locks } = this.#counters
    await Promise.all([taken.delete(key), waits.delete(key), locks.delete(key)])
  }
}

function exceeded(msLeft: number): AppError {
  const seconds = Math.max(1, Math.ceil(msLeft / 1_000))
  return new AppError({
    code: 'limit.exceeded',
    status: 429,
    message: `Too many attempts. Please try again in ${inWords(seconds)}.`,
    retryAfterSeconds: seconds,
    isCounted: true,
  })
}

/** Minutes from one minute on, and never fewer than there are. */
function inWords(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
