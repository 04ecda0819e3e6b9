import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib'
import type { Compressions } from './compressions.ts'
import { headText } from '../ready-heads.ts'
import type { FinishedTally } from '../traffic.ts'

const brotli = promisify(brotliCompress)
const unbrotli = promisify(brotliDecompress)
const gzipped = promisify(gzip)
const gunzipped = promisify(gunzip)

export const jsonType = 'application/json; charset=utf-8'

/** Below this a compressed answer saves nothing. */
const minCompressedBytes = 1_024

/** A plain form as large as this is cached only until there is a compressed one. */
const largePlainBytes = 512 * 1_024

export type Encoding = 'br' | 'gzip' | 'identity'

/** An answer in one encoding. */
interface Form {
  bytes: Buffer | undefined
  /** While they are made. */
  underway: Promise<Buffer> | undefined
  /** Whether they were compressed in haste, and a better form is worth its time once they are asked for again. */
  isHasty: boolean
  madeAt: number
  /** The headers, names and values in turn. */
  readonly headers: readonly string[]
  /** The head as one text, for bytes of this length. */
  head: string | undefined
  headLength: number
  unchangedHead: string | undefined
}

/** In haste: a fifth of the work for a fifth more bytes. */
const qualities = { br: { hasty: 1, good: 5 }, gzip: { hasty: 1, good: 5 } }

/**
 * An answer that lasts shorter than this stays hastily compressed: under many writes better compression would be
 * wasted.
 */
const improveAfterMs = 5_000

/**
 * A finished answer: its bytes as they are sent, in the encodings that somebody has asked for. Compressed in haste for
 * who asks first, and well when it is asked for again later. Once there is a brotli form, about a sixth, the plain bytes are
 * let go: hardly anybody asks for them again, and they can be had from it.
 */
export class CachedResponse {
  readonly status: number
  readonly contentType: string
  /** Further headers, the same for everybody. */
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  /** Called each time it is sent to somebody who asked with GET, with the address that they ask from. */
  onSend: ((callerAddress: string) => void) | undefined
  /** Whether it is for callers with the client's key alone. */
  needsClientKey = false
  /** Where its sendings are counted, once it was sent as a finished answer. */
  tally: FinishedTally | undefined
  readonly #isWorthCompressing: boolean
  readonly #forms: Record<Encoding, Form | undefined> = { br: undefined, gzip: undefined, identity: undefined }
  #cachedBytes = 0
  /** Whether the plain form is about to go. */
  #isShrinking = false
  #onRetained: ((difference: number) => void) | undefined

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
    this.#isWorthCompressing = (isSmallerAlready || body.length >= minCompressedBytes) && isCompressible(contentType)
    this.#retain('identity', body)
    if (brotli !== undefined) this.#retain('br', brotli)
  }

  /** How many bytes it takes in memory at the moment, in all encodings. */
  get cachedBytes(): number {
    return this.#cachedBytes
  }

  /** Has one told how many bytes more, or fewer, it takes whenever that changes; undefined: nobody any longer. */
  watch(onRetained: ((difference: number) => void) | undefined): void {
    this.#onRetained = onRetained
  }

  /** The encoding to send to a client that accepts these. */
  encodingFor(acceptEncoding: string | undefined): Encoding {
    if (acceptEncoding === undefined || !this.#isWorthCompressing) return 'identity'
    if (accepts(acceptEncoding, 'br')) return 'br'
    return accepts(acceptEncoding, 'gzip') ? 'gzip' : 'identity'
  }

  /** The headers that go with an encoding, names and values in turn, as `writeHead` takes them; without the length. */
  headersFor(encoding: Encoding): readonly string[] {
    return this.#form(encoding).headers
  }

  /** Status, headers and length as one text, for bytes that `ready` gave. */
  headFor(encoding: Encoding, bytes: Buffer): string {
    const form = this.#form(encoding)
    if (form.head === undefined || form.headLength !== bytes.length) {
      form.head = headText(this.status, [...form.headers, 'content-length', String(bytes.length)])
      form.headLength = bytes.length
    }
    return form.head
  }

  /** The headers for a client that has this response already. Without content there is no type. */
  unchangedHeadersFor(encoding: Encoding): readonly string[] {
    // The type comes first.
    return this.headersFor(encoding).slice(2)
  }

  /** The same as one text, with the status. */
  unchangedHeadFor(encoding: Encoding): string {
    const form = this.#form(encoding)
    form.unchangedHead ??= headText(304, this.unchangedHeadersFor(encoding))
    return form.unchangedHead
  }

  /** The bytes, at once, if they were asked for before. */
  ready(encoding: Encoding): Buffer | undefined {
    return this.#forms[encoding]?.bytes
  }

  /** The bytes; compressed once, off the main thread, for the first caller. */
  async bytes(encoding: Encoding, compressions: Compressions): Promise<Buffer> {
    const form = this.#form(encoding)
    if (form.bytes !== undefined) return form.bytes
    form.underway ??= this.#make(encoding, form, compressions)
    return form.underway
  }

  /** To be called when bytes that were ready are asked for again: has them made better, once, when there is time. */
  improve(encoding: Encoding, compressions: Compressions, now: () => number = Date.now): void {
    const form = this.#form(encoding)
    if (encoding === 'identity') {
      this.#shrink(compressions)
      return
    }
    if (!form.isHasty || now() - form.madeAt < improveAfterMs) return
    form.isHasty = !compressions.whenIdle(async () => {
      const { bytes } = form
      const plain = this.ready('identity') ?? (bytes === undefined ? undefined : await uncompressed(encoding, bytes))
      if (plain === undefined) return
      const better = await compressed(encoding, plain, 'good')
      if (better.length < (form.bytes?.length ?? 0)) this.#retain(encoding, better)
    })
  }

  /** Compresses a large plain form and lets go of it, when there is time. */
  #shrink(compressions: Compressions): void {
    const plain = this.ready('identity')
    if (this.#isShrinking || !this.#isWorthCompressing || plain === undefined || plain.length < largePlainBytes) return
    this.#isShrinking = compressions.whenIdle(async () => {
      if (this.ready('br') === undefined) this.#retain('br', await compressed('br', plain, 'good'))
      this.#letGoOfPlain()
    })
  }

  async #make(encoding: Encoding, form: Form, compressions: Compressions): Promise<Buffer> {
    try {
      const bytes = await this.#encode(encoding, compressions)
      if (encoding === 'identity' && bytes.length >= largePlainBytes) return bytes
      this.#retain(encoding, bytes)
      form.isHasty = encoding !== 'identity'
      form.madeAt = Date.now()
      if (encoding === 'br') this.#letGoOfPlain()
      return bytes
    } finally {
      form.underway = undefined
    }
  }

  async #encode(encoding: Encoding, compressions: Compressions): Promise<Buffer> {
    if (encoding === 'identity') {
      const brotli = await this.bytes('br', compressions)
      return compressions.inTurn(() => uncompressed('br', brotli))
    }
    const plain = await this.bytes('identity', compressions)
    return compressions.inTurn(() => compressed(encoding, plain, 'hasty'))
  }

  #form(encoding: Encoding): Form {
    const known = this.#forms[encoding]
    if (known !== undefined) return known
    const headers: Record<string, string> = {
      'content-type': this.contentType,
      etag: this.etag,
      vary: 'accept-encoding',
      'cache-control': 'no-cache',
      ...this.headers,
    }
    if (encoding !== 'identity') headers['content-encoding'] = encoding
    const form: Form = {
      bytes: undefined,
      underway: undefined,
      isHasty: false,
      madeAt: 0,
      headers: Object.entries(headers).flat(),
      head: undefined,
      headLength: 0,
      unchangedHead: undefined,
    }
    this.#forms[encoding] = form
    return form
  }

  #retain(encoding: Encoding, bytes: Buffer | undefined): void {
    const form = this.#form(encoding)
    const difference = (bytes?.length ?? 0) - (form.bytes?.length ?? 0)
    form.bytes = bytes
    this.#cachedBytes += difference
    this.#onRetained?.(difference)
  }

  #letGoOfPlain(): void {
    this.#retain('identity', undefined)
  }
}

async function compressed(encoding: 'br' | 'gzip', plain: Buffer, how: 'hasty' | 'good'): Promise<Buffer> {
  const quality = qualities[encoding][how]
  if (encoding === 'gzip') return exact(await gzipped(plain, { level: quality }))
  const bytes = await brotli(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      // A window as large as an answer: the default one takes megabytes for each answer under way.
      [constants.BROTLI_PARAM_LGWIN]: 18,
    },
  })
  return exact(bytes)
}

async function uncompressed(encoding: 'br' | 'gzip', bytes: Buffer): Promise<Buffer> {
  return exact(await (encoding === 'br' ? unbrotli(bytes) : gunzipped(bytes)))
}

/** The same bytes without the rest of the 16 kB that zlib writes them into: they may be kept, and are weighed by their length. */
function exact(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

function isCompressible(contentType: string): boolean {
  return /^(text\/|application\/(json|javascript|xml|[\w.-]+\+(json|xml))|image\/svg)/.test(contentType)
}

function accepts(header: string, encoding: string): boolean {
  // Two finds on a short string; a refusal by `q=0` is looked for only where there is a weight at all.
  if (!header.includes(encoding)) return false
  return !header.includes('q=0') || !new RegExp(`${encoding}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(header)
}
