import { type NetworkOptions, PublicNetwork } from '../../../platform/public-network.ts'
import type { CatalogueConfig } from '../catalogue-config.server.ts'
import { maxPictureBytes } from './read-picture.server.ts'

export interface CoverSourceOptions extends NetworkOptions {
  /** How long a whole picture may take, with all redirects. */
  pictureMs?: number
  /** While it says so, nothing is fetched. */
  isRehearsal?: () => boolean
}

/** The picture could not be fetched; the message goes on from its address. */
export class CoverFetchError extends Error {}

const maxRedirects = 3

/**
 * Fetches pictures for imports, from the hosts that the operator has named alone, also after a redirect
 * (docs/spec/publishing.md#covers-of-imports). It connects to public addresses only, asks no proxy and keeps no cookie.
 */
export class CoverSource {
  readonly #hosts: readonly string[]
  readonly #userAgent: string
  readonly #network: PublicNetwork
  readonly #pictureMs: number
  readonly #isRehearsal: () => boolean

  constructor(
    { coverHosts, publicUrl, publicUrlIsSet }: Pick<CatalogueConfig, 'coverHosts' | 'publicUrl' | 'publicUrlIsSet'>,
    { pictureMs = 10_000, isRehearsal = () => false, ...network }: CoverSourceOptions = {},
  ) {
    this.#hosts = coverHosts
    this.#userAgent = `Daybook covers${publicUrlIsSet ? ` (+${publicUrl})` : ''}`
    this.#network = new PublicNetwork([], { ...network, requestMs: pictureMs })
    this.#pictureMs = pictureMs
    this.#isRehearsal = isRehearsal
  }

  allows(address: string): boolean {
    const host = URL.parse(address)?.hostname.replace(/\.$/, '')
    if (host === undefined) return false
    return this.#hosts.some((named) => (named.startsWith('*.') ? host.endsWith(named.slice(1)) : host === named))
  }

  /**
   * @returns the bytes, at most 10 MiB
   * @throws {CoverFetchError}
   */
  async fetch(address: string): Promise<Buffer> {
    if (this.#isRehearsal()) throw new CoverFetchError('was not fetched: this is a rehearsal.')
    const signal = AbortSignal.timeout(this.#pictureMs)
    try {
      let url = new URL(address)
      for (let hops = 0; hops <= maxRedirects; hops += 1) {
        const answer = await this.#get(url, signal)
        if (Buffer.isBuffer(answer)) return answer
        url = answer
      }
      throw new CoverFetchError('was not fetched: it leads on more than three times.')
    } catch (error) {
      if (error instanceof CoverFetchError) throw error
      if (signal.aborted) throw new CoverFetchError('was not fetched: no whole picture came in time.', { cause: error })
      const { code } = error as { code?: unknown }
      const reason =
        code === 'PRIVATE_ADDRESS'
          ? 'its host leads to a private, local or reserved network address.'
          : code === 'OTHER_PORT'
            ? 'pictures are fetched at the ports 80 and 443 only.'
            : 'its host could not be reached.'
      throw new CoverFetchError(`was not fetched: ${reason}`, { cause: error })
    }
  }

  async #get(url: URL, signal: AbortSignal): Promise<Buffer | URL> {
    if (!/^https?:$/.test(url.protocol) || url.username !== '' || !this.allows(url.href))
      throw new CoverFetchError('was not fetched: it leads on to a host that is not in COVER_HOSTS.')
    this.#network.assertPublic(url)
    const agent = await this.#network.agentFor(url, signal)
    try {
      const { request } = await import('undici')
      const { statusCode, headers, body } = await request(url, {
        dispatcher: agent,
        signal,
        headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': this.#userAgent },
      })
      // The connection is cut below, in the middle of whatever is left.
      body.on('error', () => {})
      const [location] = [headers.location].flat()
      if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
        const next = URL.parse(location, url)
        if (next !== null) return next
      }
      if (statusCode !== 200) throw new CoverFetchError(`was not fetched: its host answers with ${statusCode}.`)
      const pieces: Buffer[] = []
      let bytes = 0
      for await (const piece of body as AsyncIterable<Buffer>) {
        bytes += piece.length
        if (bytes > maxPictureBytes) throw new CoverFetchError('is larger than 10 MB.')
        pieces.push(piece)
      }
      return Buffer.concat(pieces)
    } finally {
      await agent.destroy()
    }
  }
}
