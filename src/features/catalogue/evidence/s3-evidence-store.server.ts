import { AwsClient } from 'aws4fetch'
import type { EvidenceStore } from './evidence-store.server.ts'

/** How long the store may take to begin an answer. */
const answerMs = 30_000

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

  /** @param address `https://KEY:SECRET@endpoint/bucket/prefix?region=…` */
  constructor(address: string) {
    const url = new URL(address)
    const [bucket = '', ...folders] = url.pathname.split('/').filter((part) => part !== '')
    this.#prefix = folders.map((folder) => `${folder}/`).join('')
    this.#bucket = `${url.protocol}//${url.host}/${bucket}`
    this.#client = new AwsClient({
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
      service: 's3',
      region: url.searchParams.get('region') ?? 'us-east-1',
      retries: 2,
    })
  }

  async put(id: string, bytes: Buffer): Promise<void> {
    await this.#ask('PUT', this.#addressOf(id), bytes)
  }

  async *read(id: string): AsyncGenerator<Uint8Array> {
    const { body } = await this.#ask('GET', this.#addressOf(id))
    if (body !== null) yield* body
  }

  async *list(): AsyncGenerator<{ id: string; storedAt: number }> {
    let token = ''
    do {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: this.#prefix,
        ...(token === '' ? {} : { 'continuation-token': token }),
      })
      const xml = await (await this.#ask('GET', `${this.#bucket}?${query.toString()}`)).text()
      // The names are our own prefix and ids: none needs more of XML than this.
      for (const [, object = ''] of xml.matchAll(/<Contents>([^]*?)<\/Contents>/g)) {
        const key = textOf(object, 'Key')
        if (key.startsWith(this.#prefix))
          yield { id: key.slice(this.#prefix.length), storedAt: Date.parse(textOf(object, 'LastModified')) }
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

  /** @throws without the address: its query holds no secret, but nobody needs it */
  async #ask(method: string, address: string, body?: Buffer): Promise<Response> {
    const answer = await this.#client.fetch(address, {
      method,
      signal: AbortSignal.timeout(answerMs),
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    })
    if (answer.ok) return answer
    const text = await answer.text()
    throw new Error(`The store of evidence answered ${method} with ${answer.status} ${textOf(text, 'Code')}`.trim())
  }
}

function textOf(xml: string, element: string): string {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? ''
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
