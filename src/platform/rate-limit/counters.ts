import type { Redis } from 'ioredis'
import { hash } from 'node:crypto'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Log } from '../log.ts'

const connectWithinMs = 1_000
const seekAgainAfterMs = 1_000
/** An abandoned connection is closed by force after this long. */
const closeWithinMs = 50

/** A counter holds at most so many keys in this process, some 25 MB, and then so many more that share their counts. */
const maxLocalKeys = 50_000
const recountEveryMs = 10_000

export interface Count {
  value: number
  /** Until the count begins anew. */
  msLeft: number
}

/**
 * The Redis that all instances count in. It is a help, not a condition: whatever it does, `request` answers soon, and what
 * it could not answer is counted in this process.
 */
export class SharedStore {
  readonly #url: string
  readonly #log: Log
  readonly #probeKey: string
  readonly #opened: Promise<void>
  readonly #answerWithinMs: number
  #client: Redis | undefined
  #state: 'unknown' | 'here' | 'away' | 'closed' = 'unknown'
  #timer: NodeJS.Timeout | undefined
  #fault = ''

  /**
   * Begins to connect, and does not wait for it.
   * @param answerWithinMs how long anybody waits for Redis. After the first answer that is late nobody waits, until it
   * answers again.
   */
  constructor(url: string, prefix: string, log: Log, answerWithinMs: number) {
    this.#url = url
    this.#log = log
    this.#answerWithinMs = answerWithinMs
    this.#probeKey = `${prefix}:probe`
    this.#opened = within(this.#answerWithinMs, this.#seek()).catch(() => undefined)
  }

  /** The answer of Redis, or undefined when it cannot be asked. Never throws. */
  async request<T extends object | boolean | null>(query: (client: Redis) => Promise<T>): Promise<T | undefined> {
    if (this.#state === 'unknown') await this.#opened
    if (this.#client === undefined || this.#state !== 'here') return undefined
    try {
      return await within(this.#answerWithinMs, query(this.#client))
    } catch (error) {
      this.#leave((error as Error).message)
      return undefined
    }
  }

  /** Whether it was asked and does not answer. */
  get isAway(): boolean {
    return this.#state === 'away'
  }

  close(): void {
    this.#state = 'closed'
    clearTimeout(this.#timer)
    this.#client?.disconnect()
  }

  async #seek(): Promise<void> {
    this.#fault = ''
    try {
      const client = (this.#client ??= await this.#openClient())
      await within(connectWithinMs, this.#connect(client))
      if (this.#state === 'closed') return
      if (this.#state === 'away') this.#log.info('Redis answers again: all instances share their limits.')
      this.#state = 'here'
    } catch (error) {
      this.#giveUp(this.#fault === '' ? (error as Error).message : this.#fault)
    }
  }

  async #openClient(): Promise<Redis> {
    const { Redis: Client } = await import('ioredis')
    const client = new Client(this.#url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      // This class looks for the store when it is away: one loop, which also tries whether it can be written to.
      retryStrategy: null,
      connectTimeout: connectWithinMs,
      disconnectTimeout: closeWithinMs,
    })
    // The connection's own word for why it failed; the promise of `connect` knows only that it was closed.
    client.on('error', (error: Error) => (this.#fault = error.message))
    client.on('close', () => this.#leave('The connection was closed.'))
    return client
  }

  async #connect(client: Redis): Promise<void> {
    if (this.#state === 'closed') throw new Error('It was closed.')
    await client.connect()
    // A replica, or a full one, answers and does not count.
    await client.set(this.#probeKey, 1, 'EX', 60)
  }

  /** The first caller who misses an answer gives Redis up for everybody. */
  #leave(reason: string): void {
    if (this.#state === 'here') this.#giveUp(reason)
  }

  /** @param reason a sentence only: an error of the client carries its command, and that may carry the password */
  #giveUp(reason: string): void {
    if (this.#state === 'closed') return
    if (this.#state !== 'away') {
      this.#log.warn({ reason }, 'Redis does not answer: until it does, each instance counts its own limits.')
    }
    this.#state = 'away'
    this.#client?.disconnect()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#seek(), seekAgainAfterMs)
    this.#timer.unref()
  }
}

/**
 * Rejects when the answer takes longer. An answer that has come while this process was busy is no late one: the sockets
 * are read once more before the timer is believed.
 */
function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(reject, new Error(`There was no answer within ${ms} ms.`)), ms)
    void answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * Counts by key, each ending by itself: in Redis while it answers, else in this process. Keys are not readable in the
 * store. Time is the store's or the process's own, not the application's clock: a count is no rule of the product, and
 * Redis takes no other time.
 */
export class Counter {
  readonly #store: SharedStore | undefined
  #shared: RateLimiterRedis | undefined
  readonly #local: RateLimiterMemory
  readonly #options: { keyPrefix: string; points: number; duration: number }
  readonly #seconds: number
  #localKeys = 0
  #localKeysCountedAt = -Infinity

  /** @param name unique; with a prefix, because it is the beginning of the keys in Redis */
  constructor(store: SharedStore | undefined, name: string, seconds: number) {
    this.#store = store
    // The comparison is the caller's: here nothing is ever too much.
    this.#options = { keyPrefix: name, points: Number.MAX_SAFE_INTEGER, duration: seconds }
    this.#local = new RateLimiterMemory(this.#options)
    this.#seconds = seconds
  }

  /**
   * Adds one, at once for all who count: of two who add, one is told more.
   * @param seconds how long a count lasts that begins with this; one that runs already keeps its end
   */
  async add(key: string, seconds = this.#seconds): Promise<Count> {
    const more = (limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> =>
      limiter.penalty(key, 1, { customDuration: seconds })
    const shared = await this.#ask((limiter) => more(limiter, digest(key)))
    const result = shared ?? (await this.#addLocally(digest(key), more))
    return { value: result.consumedPoints, msLeft: result.msBeforeNext }
  }

  /** Takes one away again; a count that has ended meanwhile, or was made elsewhere, does not fall below nothing. */
  async refund(key: string): Promise<void> {
    const less = async (limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> => {
      const left = await limiter.reward(key)
      return left.consumedPoints < 0 ? limiter.penalty(key) : left
    }
    const shared = await this.#ask((limiter) => less(limiter, digest(key)))
    if (shared === undefined) await less(this.#local, await this.#localKey(digest(key)))
  }

  /** The value is 0 when nothing is counted. */
  async read(key: string): Promise<Count> {
    const shared = await this.#ask((limiter) => limiter.get(digest(key)))
    const result = shared === undefined ? await this.#local.get(await this.#localKey(digest(key))) : shared
    // In this process a count that has just ended may still lie about.
    if (result === null || result.msBeforeNext <= 0) return { value: 0, msLeft: 0 }
    return { value: result.consumedPoints, msLeft: result.msBeforeNext }
  }

  /** Sets the count, and lets it end so many seconds from now. */
  async write(key: string, value: number, seconds: number): Promise<void> {
    const put = (limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> => limiter.set(key, value, seconds)
    const shared = await this.#ask((limiter) => put(limiter, digest(key)))
    if (shared === undefined) await this.#addLocally(digest(key), put)
  }

  /** Also what was counted here while Redis was away. */
  async delete(key: string): Promise<void> {
    await this.#local.delete(digest(key))
    await this.#ask((limiter) => limiter.delete(digest(key)))
  }

  async #ask<T extends object | boolean | null>(
    query: (limiter: RateLimiterRedis) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#store?.request((client) => {
      this.#shared ??= new RateLimiterRedis({ ...this.#options, storeClient: client })
      return query(this.#shared)
    })
  }

  async #addLocally(
    key: string,
    change: (limiter: RateLimiterAbstract, key: string) => Promise<RateLimiterRes>,
  ): Promise<RateLimiterRes> {
    const result = await change(this.#local, await this.#localKey(key))
    if (result.isFirstInDuration) this.#localKeys += 1
    return result
  }

  /**
   * Memory has a bound that no flood of keys can move. Beyond it, keys that are not held yet share 4,096 counts: they
   * are limited more strictly, and those that are held stay as they are.
   */
  async #localKey(key: string): Promise<string> {
    if (!this.#isFull()) return key
    return (await this.#local.get(key)) === null ? `shared-${key.slice(0, 2)}` : key
  }

  /** Expired keys are not reported: the number is an upper bound, and counted anew when it reaches the bound. */
  #isFull(): boolean {
    if (this.#localKeys < maxLocalKeys) return false
    if (Date.now() - this.#localKeysCountedAt >= recountEveryMs) {
      this.#localKeys = this.#local.dump().storage.length
      this.#localKeysCountedAt = Date.now()
    }
    return this.#localKeys >= maxLocalKeys
  }
}

/** E-mail addresses do not lie about in Redis, and the longest key is as long as any other. */
function digest(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, 22)
}
