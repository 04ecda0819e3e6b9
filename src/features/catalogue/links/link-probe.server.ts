import type { Agent } from 'undici'
import { type NetworkOptions, PublicNetwork } from '../../../platform/public-network.ts'
import type { Limit, RateLimits } from '../../../platform/rate-limit/rate-limits.ts'
import type { CatalogueConfig } from '../catalogue-config.server.ts'
import type { Finding, LinkReason } from './link-outcome.ts'

export interface LinkProbeOptions extends NetworkOptions {
  /** How long one request may take, until its answer's headers are here. */
  requestMs?: number
  /** How long all requests of a link may take together. */
  linkMs?: number
  /** Between the beginnings of two requests to one host. */
  hostGapMs?: number
}

/** The check was ended before it had a result: the server stops, or the run is over. */
export class ProbeStopped extends Error {}

const maxRedirects = 5

/**
 * Looks whether the file behind a link can be had: HEAD, then a ranged GET where that is inconclusive
 * (docs/spec/links.md#requests). It connects to public addresses and ports of the web only, and to exactly the
 * addresses that it checked. No body is read, nothing decompressed, no cookie stored.
 */
export class LinkProbe {
  readonly #userAgent: string
  readonly #network: PublicNetwork
  readonly #requestMs: number
  readonly #linkMs: number
  readonly #perHost: Limit
  readonly #closed = new AbortController()

  constructor(
    {
      config,
      limits,
    }: { config: Pick<CatalogueConfig, 'publicUrl' | 'publicUrlIsSet' | 'linkCheckPorts'>; limits: RateLimits },
    { requestMs = 10_000, linkMs = 20_000, hostGapMs = 1_000, ...network }: LinkProbeOptions = {},
  ) {
    this.#userAgent = `Daybook link check${config.publicUrlIsSet ? ` (+${config.publicUrl})` : ''}`
    this.#network = new PublicNetwork(config.linkCheckPorts, { ...network, requestMs })
    this.#requestMs = requestMs
    this.#linkMs = linkMs
    this.#perHost = limits.limit({ name: 'links.host', points: 1, seconds: hostGapMs / 1_000, isLocal: true })
  }

  /**
   * @param address as it is stored
   * @param signal ends it
   * @throws {ProbeStopped} when it was ended, and whatever is no fault of the link
   */
  async check(address: string, signal?: AbortSignal): Promise<Finding> {
    const stop = signal === undefined ? this.#closed.signal : AbortSignal.any([this.#closed.signal, signal])
    const attempt: Attempt = { stop, msLeft: this.#linkMs, isAnswered: false }
    try {
      return await this.#follow(address, attempt)
    } catch (error) {
      if (stop.aborted) throw new ProbeStopped('The check was stopped.', { cause: error })
      const reason = reasonOf(error)
      if (reason === undefined) throw error
      return { reason, status: null, isAnswered: attempt.isAnswered }
    }
  }

  /** Ends what is under way, and lets nothing begin. */
  close(): void {
    this.#closed.abort()
  }

  async #follow(address: string, attempt: Attempt): Promise<Finding> {
    let url = new URL(address)
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const { status, location, retryAfterSeconds } = await this.#fetchHeadOrGet(url, attempt)
      if (location === undefined) {
        return {
          reason: 'http',
          status,
          isAnswered: true,
          finalAddress: url.href,
          ...(url.hostname === new URL(address).hostname ? {} : { answeredBy: url.hostname }),
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        }
      }
      const next = URL.parse(location, url)
      if (next === null || !/^https?:$/.test(next.protocol) || next.username !== '' || next.password !== '')
        return { reason: 'redirect_invalid', status, isAnswered: true }
      url = next
    }
    return { reason: 'redirects', status: null, isAnswered: true }
  }

  /** HEAD is enough for a success, a redirect and a request for a pause. Anything else is followed by a GET. */
  async #fetchHeadOrGet(url: URL, attempt: Attempt): Promise<Answer> {
    try {
      const answer = await this.#send('HEAD', url, attempt)
      const { status, location, retryAfterSeconds } = answer
      const isPause = status === 429 || retryAfterSeconds !== undefined
      if ((status >= 200 && status < 300) || location !== undefined || isPause) return answer
    } catch (error) {
      // Some servers hang up on a HEAD, or answer it with what is no HTTP.
      const reason = reasonOf(error)
      if (attempt.stop.aborted || (reason !== 'reset' && reason !== 'protocol')) throw error
    }
    return this.#send('GET', url, attempt)
  }

  async #send(method: 'HEAD' | 'GET', url: URL, attempt: Attempt): Promise<Answer> {
    this.#network.assertPublic(url)
    await this.#perHost.consumeInTime(url.hostname, { signal: attempt.stop })
    const startedAt = performance.now()
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(this.#requestMs, attempt.msLeft))))
    const signal = AbortSignal.any([attempt.stop, timeout])
    let agent: Agent | undefined
    try {
      agent = await this.#network.agentFor(url, signal)
      const { request } = await import('undici')
      const { statusCode, headers, body } = await request(url, {
        method,
        dispatcher: agent,
        signal,
        headers: {
          accept: '*/*',
          'accept-encoding': 'identity',
          'user-agent': this.#userAgent,
          ...(method === 'GET' ? { range: 'bytes=0-0' } : {}),
        },
      })
      // The connection is cut below, in the middle of whatever the body is.
      body.on('error', () => {})
      attempt.isAnswered = true
      const [location] = [headers.location].flat()
      const isRedirect = [301, 302, 303, 307, 308].includes(statusCode)
      const retryAfterSeconds = secondsOf([headers['retry-after']].flat()[0])
      return {
        status: statusCode,
        location: isRedirect ? location : undefined,
        retryAfterSeconds: statusCode === 429 || statusCode === 503 ? retryAfterSeconds : undefined,
      }
    } catch (error) {
      throw timeout.aborted && !attempt.stop.aborted
        ? new RequestTimeoutError('No answer came in time.', { cause: error })
        : error
    } finally {
      attempt.msLeft -= performance.now() - startedAt
      await agent?.destroy()
    }
  }
}

interface Attempt {
  stop: AbortSignal
  msLeft: number
  isAnswered: boolean
}

interface Answer {
  status: number
  location: string | undefined
  retryAfterSeconds: number | undefined
}

class RequestTimeoutError extends Error {
  readonly code = 'TOOK_TOO_LONG'
}

const reasons: readonly [pattern: RegExp, reason: LinkReason][] = [
  [/^PRIVATE_ADDRESS$/, 'private_address'],
  [/^OTHER_PORT$/, 'port'],
  [/^(TOOK_TOO_LONG|ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timeout'],
  [/^(ENOTFOUND|ENODATA)$/, 'no_such_host'],
  [/^(ESERVFAIL|ETIMEOUT|EREFUSED|EAI_\w+|EDNS\w*|EBADNAME|EBADRESP|EFORMERR|ENOTIMP)$/, 'dns'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|EHOSTDOWN)$/, 'unreachable'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, 'reset'],
  [/^(HPE_|HTTPParserError$|UND_ERR_|ERR_HTTP|ERR_INVALID_URL$)/, 'protocol'],
  [/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/, 'tls'],
]

/** Undefined for an error that no server can cause. */
function reasonOf(error: unknown): LinkReason | undefined {
  const { code = (error as Error).name, syscall = '' } = error as { code?: string; syscall?: string }
  // The name server refuses the connection, not the host of the link.
  if (syscall.startsWith('query') && code === 'ECONNREFUSED') return 'dns'
  return reasons.find(([pattern]) => pattern.test(code))?.[1]
}

/** `Retry-After` in seconds, also where it names an instant. */
function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000))
}
