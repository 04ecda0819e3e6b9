import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const unbrotli = promisify(brotliDecompress)
const gzipped = promisify(gzip)

/** Below this a compressed answer saves nothing. */
const leastCompressedBytes = 1_024

export type Encoding = 'br' | 'gzip' | 'identity'

/**
 * A finished answer: its bytes as they are sent, in the encodings that somebody has asked for. Once there is a brotli
 * form, about a sixth, the plain bytes are let go: hardly anybody asks for them again, and they can be had from it.
 */
export class Answer {
  readonly status: number
  readonly contentType: string
  /** Further headers, the same for everybody. */
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly #isWorthCompressing: boolean
  readonly #bodies = new Map<Encoding, Buffer | Promise<Buffer>>()
  readonly #headerLines = new Map<Encoding, { beside: readonly string[]; lines: readonly string[] }>()
  #heldBytes = 0
  #onHeld: ((difference: number) => void) | undefined

  /** @param brotli the brotli form, where there is one already */
  constructor(
    status: number,
    contentType: string,
    body: Buffer,
    headers: Record<string, string> = {},
    brotli?: Buffer,
  ) {
    this.status = status
    this.contentType = contentType
    this.headers = headers
    // Weak: the same content in each encoding.
    this.etag = `W/"${hash('sha1', body, 'base64url')}"`
    const isSmallerAlready = brotli !== undefined && brotli.length < body.length
    this.#isWorthCompressing = (isSmallerAlready || body.length >= leastCompressedBytes) && isCompressible(contentType)
    this.#hold('identity', body)
    if (brotli !== undefined) this.#hold('br', brotli)
  }

  /** How many bytes it takes in memory at the moment, in all encodings. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Has one told how many bytes more, or fewer, it takes whenever that changes; undefined: nobody any longer. */
  watch(onHeld: ((difference: number) => void) | undefined): void {
    this.#onHeld = onHeld
  }

  /** The encoding to send to a client that accepts these. */
  encodingFor(acceptEncoding: string | undefined): Encoding {
    if (acceptEncoding === undefined || !this.#isWorthCompressing) return 'identity'
    if (accepts(acceptEncoding, 'br')) return 'br'
    return accepts(acceptEncoding, 'gzip') ? 'gzip' : 'identity'
  }

  /**
   * The headers that go with an encoding, names and values in turn, as `writeHead` takes them; without the length.
   * @param beside what the server adds to all such answers: one list, always the same, so that the sum is made once
   */
  headerLines(encoding: Encoding, beside: readonly string[]): readonly string[] {
    const known = this.#headerLines.get(encoding)
    if (known?.beside === beside) return known.lines
    const headers: Record<string, string> = {
      'content-type': this.contentType,
      etag: this.etag,
      vary: 'accept-encoding',
      'cache-control': 'no-cache',
      ...this.headers,
    }
    if (encoding !== 'identity') headers['content-encoding'] = encoding
    const lines = [...Object.entries(headers).flat(), ...beside]
    this.#headerLines.set(encoding, { beside, lines })
    return lines
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
    const work = this.#encode(encoding)
    this.#bodies.set(encoding, work)
    const bytes = await work
    this.#hold(encoding, bytes)
    if (encoding === 'br') this.#letGoOfPlain()
    return bytes
  }

  async #encode(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return unbrotli(await this.bytes('br'))
    const plain = await this.bytes('identity')
    if (encoding === 'gzip') return gzipped(plain, { level: 5 })
    // Half the work of the next level for a twentieth more bytes.
    return brotli(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        // A window as large as an answer: the default one takes megabytes for each answer under way.
        [constants.BROTLI_PARAM_LGWIN]: 18,
      },
    })
  }

  #hold(encoding: Encoding, bytes: Buffer): void {
    this.#bodies.set(encoding, bytes)
    this.#heldBytes += bytes.length
    this.#onHeld?.(bytes.length)
  }

  #letGoOfPlain(): void {
    const plain = this.ready('identity')
    if (plain === undefined) return
    this.#bodies.delete('identity')
    this.#heldBytes -= plain.length
    this.#onHeld?.(-plain.length)
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

/** What answers a question. */
export interface Made {
  /**
   * Tells the content: two answers to a question with the same stamp are the same. Without one, every answer is
   * taken for another.
   */
  stamp?: string
  /** Builds the answer; not called when one with the same stamp is kept. */
  build: () => Answer
}

interface Kept extends Freshness {
  answer: Answer
  stamp: string | undefined
  /** Bytes that it takes in memory, with its question. */
  weight: number
}

/**
 * Finished answers by question, bounded in bytes; the least recently asked leaves first. An answer is given only while
 * it is exactly what would be computed now. Many who ask the same at once wait for one computation.
 *
 * An answer that a write has made doubtful stays until it is asked for again: if what would be answered has the same
 * stamp, it is given on, with its compressed bytes, and nothing is built.
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
    if (kept === undefined || kept.version !== version || kept.until <= now) return undefined
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
  async get(key: string, now: number, freshness: () => Freshness, make: () => Promise<Made>): Promise<Answer> {
    const before = freshness()
    const kept = this.peek(key, before.version, now)
    if (kept !== undefined) return kept
    const flight = `${before.version} ${key}`
    const underway = this.#underway.get(flight)
    if (underway !== undefined) return underway
    const work = this.#make(key, before, freshness, make)
    this.#underway.set(flight, work)
    try {
      return await work
    } finally {
      this.#underway.delete(flight)
    }
  }

  clear(): void {
    for (const [key, kept] of this.#kept) this.#drop(key, kept)
  }

  async #make(key: string, before: Freshness, freshness: () => Freshness, make: () => Promise<Made>): Promise<Answer> {
    const { stamp, build } = await make()
    const kept = this.#kept.get(key)
    const answer = kept !== undefined && stamp !== undefined && kept.stamp === stamp ? kept.answer : build()
    if (answer.status === 200 && freshness().version === before.version) {
      if (kept !== undefined) this.#drop(key, kept)
      this.#keep(key, { ...before, answer, stamp, weight: 0 })
    }
    return answer
  }

  #keep(key: string, kept: Kept): void {
    const grow = (bytes: number): void => {
      kept.weight += bytes
      this.#bytes += bytes
      for (const [oldestKey, oldest] of this.#kept) {
        if (this.#bytes <= this.#capacityBytes) break
        this.#drop(oldestKey, oldest)
      }
    }
    this.#kept.set(key, kept)
    kept.answer.watch(grow)
    grow(kept.answer.heldBytes + key.length * 2 + overheadBytes)
  }

  #drop(key: string, kept: Kept): void {
    kept.answer.watch(undefined)
    this.#kept.delete(key)
    this.#bytes -= kept.weight
  }
}

/** About what an answer takes besides its bytes and its question. */
const overheadBytes = 500
