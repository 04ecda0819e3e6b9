import type { CachedResponse } from './cached-response.ts'

/** Until when a kept answer is true: while the version is this one and the clock has not passed the instant. */
export interface Freshness {
  version: number
  until: number
}

/** The dependencies of a response, by the code that computed it. */
export interface Scope {
  /**
   * Whether an answer that was true at this version may be another one now. It must be false only if the very same
   * would be computed.
   */
  isTouchedSince(version: number): boolean
  /** Whether something better can be computed by now, though nothing has changed. */
  isOver?(): boolean
}

/** The answer that `make` builds for a key. */
export interface Rendered {
  /** Tells the content, where building is dear: what has the same one under the same key is not built again. */
  contentKey?: string
  /** Without one, every new version makes the answer doubtful. */
  scope?: Scope | undefined
  /** Builds the answer; not called when one with the same content key is cached. */
  build: () => CachedResponse
}

interface CacheEntry extends Freshness {
  answer: CachedResponse
  contentKey: string | undefined
  /** Undefined: a new version is enough to make it doubtful. */
  scope: Scope | undefined
  /** Bytes that it takes in memory, with its key. */
  weight: number
  /** When it was last put at the end of the order. */
  touchedAt: number
}

/**
 * Finished responses by key, bounded in bytes; the least recently asked, to the second, leaves first. An answer is
 * given only while it is exactly what would be computed now: a write elsewhere lifts it to the new version. Many who ask
 * the same at once wait for one computation.
 *
 * An answer that a write has made doubtful stays until it is asked for again: if the new one is the same, the kept one is sent
 * again, with its compressed bytes.
 */
export class ResponseCache {
  readonly #capacityBytes: number
  readonly #cached = new Map<string, CacheEntry>()
  readonly #underway = new Map<string, Promise<CachedResponse>>()
  #bytes = 0
  #hits = 0
  #misses = 0

  constructor(capacityBytes: number) {
    this.#capacityBytes = capacityBytes
  }

  /** Its contents, and how often an answer was found in it or had to be made. */
  get figures(): { bytes: number; entries: number; hits: number; misses: number } {
    return { bytes: this.#bytes, entries: this.#cached.size, hits: this.#hits, misses: this.#misses }
  }

  /** The answer, if it is kept and still true. */
  peek(key: string, version: number, now: number): CachedResponse | undefined {
    const cached = this.#cached.get(key)
    // An answer of a clock that was ahead may hold what is not to be seen yet.
    if (cached === undefined || now < cached.touchedAt || cached.until <= now) return undefined
    if (!isTrueAt(version, cached)) return undefined
    if (cached.scope?.isOver?.() === true) return undefined
    this.#hits += 1
    // Last in the map is last to leave. Moving it costs more than finding it: once a second is order enough.
    if (now - cached.touchedAt >= touchMs) {
      cached.touchedAt = now
      this.#cached.delete(key)
      this.#cached.set(key, cached)
    }
    return cached.answer
  }

  /** The answer that is being made for this key at this version, for somebody else. */
  underway(key: string, version: number): Promise<CachedResponse> | undefined {
    return this.#underway.get(flightOf(key, version))
  }

  /**
   * The kept answer, or what `make` gives. Only answers of status 200 are kept: anybody can ask for what is not there
   * in endless ways.
   * @param freshness asked before and after: what changed meanwhile is given, and not kept
   */
  async get(
    key: string,
    now: number,
    freshness: () => Freshness,
    make: () => Promise<Rendered>,
  ): Promise<CachedResponse> {
    const before = freshness()
    const cached = this.peek(key, before.version, now)
    if (cached !== undefined) return cached
    const flight = flightOf(key, before.version)
    const underway = this.#underway.get(flight)
    if (underway !== undefined) return underway
    const work = this.#make(key, now, before, freshness, make)
    this.#underway.set(flight, work)
    try {
      return await work
    } finally {
      this.#underway.delete(flight)
    }
  }

  clear(): void {
    for (const [key, cached] of this.#cached) this.#drop(key, cached)
  }

  async #make(
    key: string,
    now: number,
    before: Freshness,
    freshness: () => Freshness,
    make: () => Promise<Rendered>,
  ): Promise<CachedResponse> {
    this.#misses += 1
    const { contentKey, scope, build } = await make()
    const cached = this.#cached.get(key)
    const isKnown = cached !== undefined && contentKey !== undefined && cached.contentKey === contentKey
    const built = isKnown ? cached.answer : build()
    const answer = cached !== undefined && isSame(cached.answer, built) ? cached.answer : built
    if (answer.status === 200 && freshness().version === before.version) {
      if (cached !== undefined) this.#drop(key, cached)
      this.#keep(key, { ...before, answer, contentKey, scope, weight: 0, touchedAt: now })
    }
    return answer
  }

  #keep(key: string, cached: CacheEntry): void {
    const grow = (bytes: number): void => {
      cached.weight += bytes
      this.#bytes += bytes
      for (const [oldestKey, oldest] of this.#cached) {
        if (this.#bytes <= this.#capacityBytes) break
        this.#drop(oldestKey, oldest)
      }
    }
    this.#cached.set(key, cached)
    cached.answer.watch(grow)
    grow(cached.answer.cachedBytes + key.length * 2 + overheadBytes)
  }

  #drop(key: string, cached: CacheEntry): void {
    cached.answer.watch(undefined)
    this.#cached.delete(key)
    this.#bytes -= cached.weight
  }
}

function flightOf(key: string, version: number): string {
  return `${version} ${key}`
}

function isSame(one: CachedResponse, other: CachedResponse): boolean {
  return one.etag === other.etag && one.status === other.status && one.contentType === other.contentType
}

/** Whether a kept answer is true at this version; one that is carries it from then on. */
function isTrueAt(version: number, cached: CacheEntry): boolean {
  if (cached.version === version) return true
  if (cached.scope === undefined || cached.scope.isTouchedSince(cached.version)) {
    // Once doubtful, it stays so.
    cached.scope = undefined
    return false
  }
  cached.version = version
  return true
}

/** About what a response takes besides its bytes and its key. */
const overheadBytes = 1_000

/** How often an answer that is asked for all the time moves to the end of the order. */
const touchMs = 1_000
