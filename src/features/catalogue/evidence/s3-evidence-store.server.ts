import { AwsClient } from 'aws4fetch'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type AppError, isAppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { lostFile, storeFailure } from './evidence-failures.ts'
import type { EvidenceStore } from './evidence-store.server.ts'

/** Pieces of a large file; all but the last must have 5 MiB. */
const pieceBytes = 16 * 1024 * 1024

/** How long the store may take for a whole answer, with all attempts. */
const usualAnswerMs = 60_000
const attempts = 3

/**
 * In a bucket of S3 or of a store that speaks its language, for several instances
 * (docs/operating.md#files-of-evidence). The objects are private: administrators get them through this site alone.
 */
export class S3EvidenceStore implements EvidenceStore {
  readonly #client: AwsClient
  /** The address of the bucket, without a slash at the end. */
  readonly #bucket: string
  /** Begins the names of this site's objects; '' or with a slash at the end. */
  readonly #prefix: string
  readonly #log: Log
  readonly #answerMs: number

  /** @param address `https://KEY:SECRET@endpoint/bucket/prefix?region=…` */
  constructor(address: string, log: Log, { answerMs = usualAnswerMs }: { answerMs?: number } = {}) {
    this.#log = log
    this.#answerMs = answerMs
    const url = new URL(address)
    const [bucket = '', ...folders] = url.pathname.split('/').filter((part) => part !== '')
    this.#prefix = folders.map((folder) => `${folder}/`).join('')
    this.#bucket = `${url.protocol}//${url.host}/${bucket}`
    this.#client = new AwsClient({
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
      service: 's3',
      region: url.searchParams.get('region') ?? 'us-east-1',
    })
  }

  async put(id: string, bytes: Buffer): Promise<void> {
    await this.#ask('PUT', this.#addressOf(id), bytes)
  }

  /** Puts a file of any size, piece by piece. It is there when its last piece is. */
  async putFile(id: string, path: string): Promise<void> {
    const address = this.#addressOf(id)
    const upload = textOf((await this.#ask('POST', `${address}?uploads=`)).toString(), 'UploadId')
    const at = `uploadId=${encodeURIComponent(upload)}`
    const file = await open(path)
    try {
      const parts: string[] = []
      const piece = Buffer.alloc(pieceBytes)
      for (let number = 1; ; number += 1) {
        const { bytesRead } = await file.read(piece, 0, pieceBytes, (number - 1) * pieceBytes)
        if (bytesRead === 0 && number > 1) break
        const { headers } = await this.#answer(
          'PUT',
          `${address}?partNumber=${number}&${at}`,
          piece.subarray(0, bytesRead),
        )
        parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${headers.get('etag') ?? ''}</ETag></Part>`)
      }
      const whole = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      await this.#ask('POST', `${address}?${at}`, Buffer.from(whole))
    } catch (error) {
      // Its pieces are kept, and paid for, until it is given up.
      await this.#ask('DELETE', `${address}?${at}`).catch(() => {})
      throw error
    } finally {
      await file.close()
    }
  }

  async read(id: string): Promise<AsyncIterable<Uint8Array>> {
    // Whole before the first byte goes on: a store that fails in the middle is told as that.
    return Readable.from([await this.#ask('GET', this.#addressOf(id))])
  }

  async *list(): AsyncGenerator<string> {
    let token = ''
    do {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: this.#prefix,
        ...(token === '' ? {} : { 'continuation-token': token }),
      })
      const xml = (await this.#ask('GET', `${this.#bucket}?${query.toString()}`)).toString()
      // Our own names are a prefix and ids: none needs more of XML than this.
      for (const [, object = ''] of xml.matchAll(/<Contents>([^]*?)<\/Contents>/g)) {
        const key = textOf(object, 'Key')
        if (key.startsWith(this.#prefix)) yield key.slice(this.#prefix.length)
      }
      token = textOf(xml, 'NextContinuationToken')
    } while (token !== '')
  }

  async delete(id: string): Promise<void> {
    await this.#ask('DELETE', this.#addressOf(id))
  }

  #addressOf(id: string): string {
    return `${this.#bucket}/${this.#prefix}${encodeURIComponent(id)}`
  }

  /** @returns the whole answer; otherwise as `#answer` */
  async #ask(method: string, address: string, body?: Buffer): Promise<Buffer> {
    return (await this.#answer(method, address, body)).content
  }

  /** @throws {AppError} `evidence.store`, 503; `evidence.lost`, 404 */
  async #answer(method: string, address: string, body?: Buffer): Promise<{ content: Buffer; headers: Headers }> {
    const signal = AbortSignal.timeout(this.#answerMs)
    try {
      for (let attempt = 1; ; attempt += 1) {
        const signed = await this.#client.sign(address, {
          method,
          ...(body === undefined ? {} : { body: new Uint8Array(body) }),
        })
        // The signal is given here: a signed request does not hold one.
        const answer = await fetch(signed, { signal })
        const content = Buffer.from(await answer.arrayBuffer())
        if (answer.ok) return { content, headers: answer.headers }
        const code = textOf(content.toString(), 'Code')
        if (answer.status === 404 && code !== 'NoSuchBucket') throw lostFile()
        const mayPass = answer.status >= 500 || answer.status === 429
        if (!mayPass || attempt === attempts)
          throw this.#failure(method, `answers with ${`${answer.status} ${code}`.trim()}`)
        await delay(100 * 2 ** attempt, undefined, { signal })
      }
    } catch (error) {
      if (isAppError(error)) throw error
      throw this.#failure(method, signal.aborted ? 'does not answer in time' : 'cannot be reached', error)
    }
  }

  /** Without the address: its query holds no secret, but nobody needs it. */
  #failure(method: string, reason: string, cause?: unknown): AppError {
    const { code } = ((cause as Error | undefined)?.cause ?? {}) as { code?: string }
    this.#log.error({ method, reason, code }, 'The store of the files of evidence fails.')
    return storeFailure(reason, { cause })
  }
}

function textOf(xml: string, element: string): string {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? ''
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
