import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Below this a compressed answer saves nothing. */
const leastCompressedBytes = 1_024

export type Encoding = 'br' | 'gzip' | 'identity'

/** A finished answer: its bytes as they are sent, in each encoding that somebody has asked for. */
export class Answer {
  readonly status: number
  readonly contentType: string
  /** Further headers, the same for everybody. */
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly #bodies = new Map<Encoding, Buffer | Promise<Buffer>>()

  constructor(status: number, contentType: string, body: Buffer, headers: Record<string, string> = {}) {
    this.status = status
    this.contentType = contentType
    this.headers = headers
    // Weak: the same content in each encoding.
    this.etag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
    this.#bodies.set('identity', body)
  }

  get byteLength(): number {
    let bytes = 0
    for (const body of this.#bodies.values()) bytes += body instanceof Buffer ? body.length : 0
    return bytes
  }

  /** The encoding to send to a client that accepts these. */
  encodingFor(acceptEncoding: string | undefined): Encoding {
    const plain = this.#bodies.get('identity') as Buffer
    if (acceptEncoding === undefined || plain.length < leastCompressedBytes || !isCompressible(this.contentType)) {
      return 'identity'
    }
    if (accepts(acceptEncoding, 'br')) return 'br'
    return accepts(acceptEncoding, 'gzip') ? 'gzip' : 'identity'
  }

  /** The bytes, at once, if they were asked for before. */
  ready(encoding: Encoding): Buffer | undefined {
    const body = this.#bodies.get(encoding)
    return body instanceof Buffer ? body : undefined
  }

  /** The bytes; compressed once, off the main thread, whoever asks first. */
  async bytes(encoding: Encoding): Promise<Buffer> {
    const known = this.#bodies.get(encoding)
    if (known !== undefined) return known
    const plain = this.#bodies.get('identity') as Buffer
    const work =
      encoding === 'br'
        ? brotli(plain, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
          })
        : gzipped(plain, { level: 6 })
    this.#bodies.set(encoding, work)
    const bytes = await work
    this.#bodies.set(encoding, bytes)
    return bytes
  }
}

function isCompressible(contentType: string): boolean {
  return /^(text\/|application\/(json|javascript|manifest\+json|xml)|image\/svg)/.test(contentType)
}

function accepts(header: string, encoding: string): boolean {
  // Two finds on a short string; a refusal by `q=0` is looked for only where there is a weight at all.
  if (!header.includes(encoding)) return false
  return !header.includes('q=0') || !new RegExp(`${encoding}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(header)
}

/** Until when a kept answer is true: while the version is this one and the clock has not passed the instant. */
export interface Freshness {
  version: number
  until: number
}

interface Kept extends Freshness {
  answer: Answer
}

/**
 * Finished answers by question, bounded in bytes; the least recently asked leaves first. An answer is given only while
 * it is exactly what would be computed now. Many who ask the same at once wait for one computation.
 */
export class Answers {
  readonly #capacityBytes: number
  readonly #kept = new Map<string, Kept>()
  readonly #underway = new Map<string, Promise<Answer>>()
  #bytes = 0

  constructor(capacityBytes: number) {
    this.#capacityBytes = capacityBytes
  }

  /** The answer, if it is kept and still true. */
  peek(key: string, version: number, now: number): Answer | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    if (kept.version !== version || kept.until <= now) {
      this.#drop(key, kept)
      return undefined
    }
    // Last in the map is last to leave.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.answer
  }

  /**
   * The kept answer, or what `make` gives. Only answers of status 200 are kept: anybody can ask for what is not there
   * in endless ways.
   * @param freshness asked before and after: what changed meanwhile is given, and not kept
   */
  async get(key: string, now: number, freshness: () => Freshness, make: () => Promise<Answer>): Promise<Answer> {
    const before = freshness()
    const kept = this.peek(key, before.version, now)
    if (kept !== undefined) return kept
    const flight = `${before.version} ${key}`
    const underway = this.#underway.get(flight)
    if (underway !== undefined) return underway
    const work = make()
    this.#underway.set(flight, work)
    try {
      const answer = await work
      if (answer.status === 200 && freshness().version === before.version) this.#keep(key, { ...before, answer })
      return answer
    } finally {
      this.#underway.delete(flight)
    }
  }

  clear(): void {
    this.#kept.clear()
    this.#bytes = 0
  }

  #keep(key: string, kept: Kept): void {
    const known = this.#kept.get(key)
    if (known !== undefined) this.#drop(key, known)
    this.#bytes += weight(key, kept.answer)
    this.#kept.set(key, kept)
    for (const [oldestKey, oldest] of this.#kept) {
      if (this.#bytes <= this.#capacityBytes) break
      this.#drop(oldestKey, oldest)
    }
  }

  #drop(key: string, kept: Kept): void {
    this.#kept.delete(key)
    this.#bytes -= weight(key, kept.answer)
  }
}

/** The plain bytes and, as they come later, as much again for the encodings. */
function weight(key: string, answer: Answer): number {
  return key.length * 2 + (answer.ready('identity')?.length ?? 0) * 2 + 500
}
