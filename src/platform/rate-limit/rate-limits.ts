import type { PlatformConfig } from '../config/platform-config.ts'
import { type AppError, defineError, tryLater } from '../errors.ts'
import { currentRequest, takenByRequest } from '../current-request.ts'
import { FairQueue } from '../fair-queue/fair-queue.ts'
import type { Log } from '../log.ts'
import { Counter, SharedStore } from './counters.ts'

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
  /** Each process counts for itself, without Redis: for what happens thousands of times a second. */
  isLocal?: boolean
}

export interface GrowingLimitRule extends LimitRule {
  /** How long to wait after the last of the points; then one may be taken after each wait, which is twice the one before. */
  firstWaitSeconds: number
  longestWaitSeconds: number
  /** How long after the last that was taken it is forgotten that there were waits. */
  rememberSeconds: number
}

/** A limit that all callers of the site share. */
export interface SiteLimitRule extends LimitRule {
  /** The limited act, in the operator's words: 'wrong passwords'. */
  what: string
  /** The rate that still comes through in line once all is taken. */
  inLine: { points: number; seconds: number }
}

/** The longest wait of a caller in line; a browser still gets its answer then. */
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
  readonly #limits = new Map<string, Limit>()
  readonly #growingLimits = new Map<string, GrowingLimit>()
  readonly #siteLimits = new Map<string, SiteLimit>()
  readonly #refused = new Map<string, number>()
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
      limit = new Limit(rule, this.#counter(rule.name, rule.seconds, rule.isLocal), this.#refusals(rule))
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
      limit = new GrowingLimit(rule, counters, this.#refusals(rule))
      this.#growingLimits.set(rule.name, limit)
    }
    return limit
  }

  siteLimit(rule: SiteLimitRule): SiteLimit {
    let limit = this.#siteLimits.get(rule.name)
    if (limit === undefined) {
      const inLine = { ...rule.inLine, name: `${rule.name}.line` }
      limit = new SiteLimit(this.limit(rule), this.limit(inLine), () => this.onCrowded(rule))
      this.#siteLimits.set(rule.name, limit)
    }
    return limit
  }

  /** How often each limit has refused since the start, by the name of its rule. */
  get refused(): ReadonlyMap<string, number> {
    return this.#refused
  }

  /** Whether each instance counts for itself because Redis does not answer. */
  get isAlone(): boolean {
    return this.#store?.isAway === true
  }

  close(): void {
    this.#store?.close()
  }

  #refusals({ name, recordedAs }: LimitRule): (key: string) => void {
    return (key) => {
      this.#refused.set(name, (this.#refused.get(name) ?? 0) + 1)
      if (recordedAs !== undefined) this.onRefused(recordedAs, key)
    }
  }

  #counter(name: string, seconds: number, isLocal = false): Counter {
    return new Counter(isLocal ? undefined : this.#store, `${this.#prefix}:${name}`, seconds)
  }
}

/**
 * Begins to connect to Redis where there is one; whether it answers is not waited for.
 * @param prefix the beginning of all keys in Redis
 */
export function openRateLimits(
  config: Pick<PlatformConfig, 'redisUrl'>,
  log: Log,
  { prefix = 'daybook:limits', answerWithinMs = 200 }: { prefix?: string; answerWithinMs?: number | undefined } = {},
): RateLimits {
  return new RateLimits(
    config.redisUrl === undefined ? undefined : new SharedStore(config.redisUrl, prefix, log, answerWithinMs),
    prefix,
  )
}

/** A number of points for each key in a window, and then none until it ends. */
export class Limit {
  readonly #points: number
  readonly #counter: Counter
  readonly #onRefused: (key: string) => void

  constructor({ points }: LimitRule, counter: Counter, onRefused: (key: string) => void) {
    this.#points = points
    this.#counter = counter
    this.#onRefused = onRefused
  }

  /**
   * Takes one. Concurrent calls all count, in whatever instance.
   * @returns how to give it back, which the server does by itself for a request that it could not do
   * @throws {AppError} `limit.exceeded`, 429, with `retryAfterSeconds`, when none is left; a refusal costs nothing
   */
  async consume(key: string): Promise<() => Promise<void>> {
    const msLeft = await this.#take(key)
    if (msLeft !== undefined) throw this.#refuse(key, msLeft)
    return takenByRequest(() => this.refund(key))
  }

  /** Takes one, or tells that none is left: for what comes with every refusal, and must cost less than an error. */
  async tryConsume(key: string): Promise<boolean> {
    return (await this.tryTake(key)) !== undefined
  }

  /** As `tryConsume`. @returns how to give it back, as `consume`; undefined where none is left */
  async tryTake(key: string): Promise<(() => Promise<void>) | undefined> {
    return (await this.#take(key)) === undefined ? takenByRequest(() => this.refund(key)) : undefined
  }

  /**
   * Takes one, after a wait if need be.
   * @param options.until by `performance.now()`: no wait is longer
   * @throws {AppError} as `consume`, as soon as the wait would be longer; the reason of the signal when it is aborted first
   */
  async consumeInTime(
    key: string,
    { until = Infinity, signal }: { until?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      const msLeft = await this.#take(key)
      if (msLeft === undefined) return
      if (performance.now() + msLeft > until) throw this.#refuse(key, msLeft)
      await pause(msLeft, signal)
    }
  }

  /**
   * Takes none, for what is known only later to count.
   * @throws {AppError} as `consume`
   */
  async check(key: string): Promise<void> {
    const msLeft = await this.msLeft(key)
    if (msLeft > 0) throw this.#refuse(key, msLeft)
  }

  /** How long there is none, in milliseconds; 0 where one can be taken. Takes none. */
  async msLeft(key: string): Promise<number> {
    const { value, msLeft } = await this.#counter.read(key)
    return value >= this.#points ? msLeft : 0
  }

  /** Takes one that cannot be refused any more, also where none is left. */
  async count(key: string): Promise<void> {
    await this.#counter.add(key)
    takenByRequest(() => this.refund(key))
  }

  /** For one that was taken and turned out not to count. */
  refund(key: string): Promise<void> {
    return this.#counter.refund(key)
  }

  /** As if nothing had ever been taken. */
  delete(key: string): Promise<void> {
    return this.#counter.delete(key)
  }

  /** @returns how long there is none, in milliseconds; undefined for one that was taken */
  async #take(key: string): Promise<number | undefined> {
    const { value, msLeft } = await this.#counter.add(key)
    if (value <= this.#points) return undefined
    // Else those who were refused would take the place of those who give back.
    await this.#counter.refund(key)
    return msLeft
  }

  #refuse(key: string, msLeft: number): AppError {
    this.#onRefused(key)
    return exceeded(msLeft)
  }
}

/** There is one site: its limits have one key. */
const site = 'site'

/**
 * A number of points for all callers together in a window. Once they are taken, the operator is notified, and callers
 * wait in line. A caller has one place in it, so their many requests delay others no longer than one does.
 */
export class SiteLimit {
  readonly #limit: Limit
  readonly #inLine: Limit
  readonly #onCrowded: () => void
  readonly #queue = new FairQueue({
    atOnce: 1,
    maxWaiting: maxLineCallers,
    perAccount: 1,
    maxWaitingOfCaller: maxLineOfCaller,
    maxWaitMs: maxLineMs,
    endsWithRequest: true,
    busy: () => exceeded(maxLineMs),
  })

  constructor(limit: Limit, inLine: Limit, onCrowded: () => void) {
    this.#limit = limit
    this.#inLine = inLine
    this.#onCrowded = onCrowded
  }

  /**
   * Takes one, after a wait if need be.
   * @param options.caller who asks: the block of an address, or an account
   * @param options.isSpared asked once all is taken: whether this caller has a budget of their own that is enough
   * @returns how to give it back
   * @throws {AppError} `limit.exceeded`, 429, with `retryAfterSeconds`, where the line is longer than anybody waits
   */
  async consume({
    caller,
    isSpared,
  }: {
    caller: string
    isSpared?: () => Promise<boolean>
  }): Promise<() => Promise<void>> {
    const refund = await this.#limit.tryTake(site)
    if (refund !== undefined) return refund
    this.#onCrowded()
    if ((await isSpared?.()) === true) return () => Promise.resolve()
    const until = performance.now() + maxLineMs
    const signal = currentRequest()?.signal
    await this.#queue.run({ account: caller }, () => this.#inLine.consumeInTime(site, { until, signal }))
    return takenByRequest(() => this.#inLine.refund(site))
  }
}

interface WaitCounters {
  /** Points taken before there were waits. */
  taken: Counter
  /** How many waits there were. */
  waits: Counter
  /** Held while there is to be waited, by the first that adds. */
  locks: Counter
}

/** A number of points for each key in a window, and then one after each of growing waits. */
export class GrowingLimit {
  readonly #rule: GrowingLimitRule
  readonly #counters: WaitCounters
  readonly #onRefused: (key: string) => void

  constructor(rule: GrowingLimitRule, counters: WaitCounters, onRefused: (key: string) => void) {
    this.#rule = rule
    this.#counters = counters
    this.#onRefused = onRefused
  }

  /**
   * Takes one. An attempt during a wait is refused and does not lengthen it.
   * @returns how to give it back, for one that turned out not to count
   * @throws {AppError} `limit.exceeded`, 429, with `retryAfterSeconds`, while there is to be waited
   */
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

  /** How long there is to be waited, in milliseconds; 0 where one can be taken. Takes none. */
  async msLeft(key: string): Promise<number> {
    return (await this.#counters.locks.read(key)).msLeft
  }

  /** As if nothing had ever been taken, and without any wait. */
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

/** Nothing is left. */
function exceeded(msLeft: number): AppError {
  const seconds = Math.max(1, Math.ceil(msLeft / 1_000))
  return tooManyAttempts(inWords(seconds), { retryAfterSeconds: seconds })
}

/** @throws the reason of the signal when it is aborted first */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Minutes from one minute on, and never fewer than there are. */
function inWords(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
