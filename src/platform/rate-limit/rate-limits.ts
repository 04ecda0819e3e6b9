import type { PlatformConfig } from '../config/platform-config.ts'
import { Counter, SharedStore } from './counters.ts'
import { type AppError, defineError, isAppError, tryLater } from '../errors.ts'
import type { Log } from '../log.ts'
import { Turns } from '../turns.ts'

export interface LimitRule {
  /** Unique; a rule of the same name is the same limit. */
  name: string
  /** How many may be taken in one window. */
  points: number
  /** The window; it begins with the first that is taken. */
  seconds: number
  /**
   * The limited acts in words for the audit log: 'sign-ins'. Its keys are ids or folded addresses of accounts, or ids
   * of devices. Without it refusals are not recorded.
   */
  recordedAs?: string
}

/** A number of points for each key in a window, and then none until it ends. */
export interface Limit {
  /**
   * Takes one. Concurrent calls all count, in whatever instance.
   * @throws {AppError} `limit.exceeded`, 429, with `retryAfterSeconds`, when none is left; a refusal costs nothing
   */
  consume(key: string): Promise<void>
  /**
   * Takes none, for what is known only later to count.
   * @throws {AppError} as `consume`
   */
  check(key: string): Promise<void>
  /** Takes none, and tells whether one is left: for what comes with every refusal, and must cost less than an error. */
  hasLeft(key: string): Promise<boolean>
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

/** A number of points for each key in a window, and then one after each of growing waits. */
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

/** A limit that all callers of the site share. */
export interface SiteLimitRule extends LimitRule {
  /** The limited act, in the operator's words: 'wrong passwords'. */
  what: string
  /** The rate that still comes through in line once all is taken. */
  inLine: { points: number; seconds: number }
}

/**
 * A number of points for all callers together in a window. Once they are taken, the operator is notified, and callers
 * wait in line. A caller has one place in it, so their many requests delay others no longer than one does.
 */
export interface SiteLimit {
  /**
   * Takes one, after a wait if need be.
   * @param options.caller who asks: the block of an address, or an account
   * @param options.isSpared asked once all is taken: whether this caller has a budget of their own that is enough
   * @returns how to give it back
   * @throws {AppError} `limit.exceeded`, 429, with `retryAfterSeconds`, where the line is longer than anybody waits
   */
  consume(options: { caller: string; isSpared?: () => Promise<boolean> }): Promise<() => Promise<void>>
}

/** So long a caller waits in line at most; a browser still gets its answer then. */
const maxLineMs = 6_000
/** How many callers wait at once, and how many requests of each, beside the one that stands in line. */
const maxLineCallers = 200
const maxLineOfCaller = 3

/**
 * The limits of this site: shared by all instances over Redis where there is one, else of this process. A Redis that is
 * down, hangs or refuses to be written to is not waited for; meanwhile each instance counts for itself.
 */
export class RateLimits {
  readonly #prefix: string
  readonly #store: SharedStore | undefined
  readonly #limits = new Map<string, WindowLimit>()
  readonly #growingLimits = new Map<string, WaitLimit>()
  readonly #siteLimits = new Map<string, LineLimit>()
  /** Told each time that all of a site's limit is taken, by the one who found it so. It must not throw or wait. */
  onCrowded: (rule: SiteLimitRule) => void = () => {}
  /** Told of each refusal by a rule that is recorded. It must not throw or wait. */
  onRefused: (recordedAs: string, key: string) => void = () => {}

  constructor(store: SharedStore | undefined, prefix: string) {
    this.#store = store
    this.#prefix = prefix
  }

  limit(rule: LimitRule): Limit {
    let limit = this.#limits.get(rule.name)
    if (limit === undefined) {
      limit = new WindowLimit(rule, this.#counter(rule.name, rule.seconds), this.#refusals(rule))
      this.#limits.set(rule.name, limit)
    }
    return limit
  }

  growingLimit(rule: GrowingLimitRule): GrowingLimit {
    let limit = this.#growingLimits.get(rule.name)
    if (limit === undefined) {
      const counters = {
        taken: this.#counter(`${rule.name}.taken`, rule.seconds),
        waits: this.#counter(`${rule.name}.waits`, rule.rememberSeconds),
        locks: this.#counter(`${rule.name}.locks`, rule.longestWaitSeconds),
      }
      limit = new WaitLimit(rule, counters, this.#refusals(rule))
      this.#growingLimits.set(rule.name, limit)
    }
    return limit
  }

  siteLimit(rule: SiteLimitRule): SiteLimit {
    let limit = this.#siteLimits.get(rule.name)
    if (limit === undefined) {
      const inLine = { ...rule.inLine, name: `${rule.name}.line` }
      limit = new LineLimit(this.limit(rule), this.limit(inLine), () => this.onCrowded(rule))
      this.#siteLimits.set(rule.name, limit)
    }
    return limit
  }

  /** Whether each instance counts for itself because Redis does not answer. */
  get isAlone(): boolean {
    return this.#store?.isAway === true
  }

  close(): void {
    this.#store?.close()
  }

  #refusals({ recordedAs }: LimitRule): (key: string) => void {
    return recordedAs === undefined ? () => {} : (key) => this.onRefused(recordedAs, key)
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
  config: Pick<PlatformConfig, 'redisUrl'>,
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
  readonly #onRefused: (key: string) => void

  constructor({ points }: LimitRule, counter: Counter, onRefused: (key: string) => void) {
    this.#points = points
    this.#counter = counter
    this.#onRefused = onRefused
  }

  async consume(key: string): Promise<void> {
    const { value, msLeft } = await this.#counter.add(key)
    if (value <= this.#points) return
    // Else those who were refused would take the place of those who give back.
    await this.#counter.refund(key)
    this.#onRefused(key)
    throw exceeded(msLeft)
  }

  async check(key: string): Promise<void> {
    const { value, msLeft } = await this.#counter.read(key)
    if (value < this.#points) return
    this.#onRefused(key)
    throw exceeded(msLeft)
  }

  async hasLeft(key: string): Promise<boolean> {
    return (await this.#counter.read(key)).value < this.#points
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

/** There is one site: its limits have one key. */
const site = 'site'

class LineLimit implements SiteLimit {
  readonly #limit: Limit
  readonly #inLine: Limit
  readonly #tell: () => void
  readonly #turns = new Turns()

  constructor(limit: Limit, inLine: Limit, tell: () => void) {
    this.#limit = limit
    this.#inLine = inLine
    this.#tell = tell
  }

  async consume({
    caller,
    isSpared,
  }: {
    caller: string
    isSpared?: () => Promise<boolean>
  }): Promise<() => Promise<void>> {
    try {
      await this.#limit.consume(site)
      return () => this.#limit.refund(site)
    } catch (error) {
      if (!isExceeded(error)) throw error
    }
    this.#tell()
    if ((await isSpared?.()) === true) return () => Promise.resolve()
    await this.#waitInLine(caller)
    return () => this.#inLine.refund(site)
  }

  async #waitInLine(caller: string): Promise<void> {
    const until = performance.now() + maxLineMs
    const rest = (): number => Math.max(0, until - performance.now())
    const leaveOwn = await this.#turns.enter(`caller ${caller}`, {
      max: 1,
      maxWaiting: maxLineOfCaller,
      withinMs: rest(),
    })
    if (leaveOwn === undefined) throw exceeded(maxLineMs)
    // The next request of a caller goes to the end: each caller has its turn.
    const leave = await this.#turns.enter('head', { max: 1, maxWaiting: maxLineCallers, withinMs: rest() })
    try {
      if (leave === undefined) throw exceeded(maxLineMs)
      for (;;) {
        try {
          return await this.#inLine.consume(site)
        } catch (error) {
          if (!isExceeded(error)) throw error
          const waitMs = error.retryAfterMs
          if (waitMs > rest()) throw error
          await new Promise((wake) => setTimeout(wake, waitMs))
        }
      }
    } finally {
      leave?.()
      leaveOwn()
    }
  }
}

interface WaitCounters {
  /** Points taken before there were waits. */
  taken: Counter
  /** How many waits there were. */
  waits: Counter
  /** Held while there is to be waited: whoever adds the first has it. */
  locks: Counter
}

class WaitLimit implements GrowingLimit {
  readonly #rule: GrowingLimitRule
  readonly #counters: WaitCounters
  readonly #onRefused: (key: string) => void

  constructor(rule: GrowingLimitRule, counters: WaitCounters, onRefused: (key: string) => void) {
    this.#rule = rule
    this.#counters = counters
    this.#onRefused = onRefused
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
      this.#onRefused(key)
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

export const tooManyAttempts = defineError({
  code: 'limit.exceeded',
  status: 429,
  sentence: (wait: string) => `Too many attempts. Please try again in ${wait}.`,
  remedy: tryLater,
  isCounted: true,
})

/** Nothing is left. `retryAfterMs` is the wait to the millisecond. */
function exceeded(msLeft: number): AppError & { retryAfterMs: number } {
  const seconds = Math.max(1, Math.ceil(msLeft / 1_000))
  const error = tooManyAttempts(inWords(seconds), { retryAfterSeconds: seconds })
  return Object.assign(error, { retryAfterMs: Math.max(1, Math.ceil(msLeft)) })
}

function isExceeded(error: unknown): error is ReturnType<typeof exceeded> {
  return isAppError(error) && 'retryAfterMs' in error
}

/** Minutes from one minute on, and never fewer than there are. */
function inWords(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
