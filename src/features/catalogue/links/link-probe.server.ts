import { Resolver } from 'node:dns/promises'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Agent, buildConnector, request } from 'undici'
import { isIpHost, isPrivateIp } from '../../../platform/private-address.ts'
import type { Limit, RateLimits } from '../../../platform/rate-limit/rate-limits.ts'
import type { CatalogueConfig } from '../catalogue-config.server.ts'
import { isPrivateHost } from '../item/link-address.ts'
import type { Finding, LinkReason } from './link-outcome.ts'

/** The addresses of a host. @throws an error of Node's resolver */
export type Resolve = (hostname: string) => Promise<string[]>

export interface LinkProbeOptions {
  /**
   * Private addresses that may be connected to all the same, each as `address:port`. For tests alone: only the code that
   * opens the app can say them.
   */
  allowed?: readonly string[]
  resolve?: Resolve
  /** The addresses of this machine's network cards. */
  ownAddresses?: () => string[]
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
const maxHeaderBytes = 16 * 1024

/**
 * Looks whether the file behind a link can be had: HEAD, and a ranged GET where that is not conclusive
 * (docs/spec/links.md#requests). It connects to public addresses only, none of this machine's own among them, and to ports of the web. Each name is resolved once for a request, all its
 * addresses are looked at, and the connection goes to one of exactly these; so a name that answers differently the next
 * time, and a redirect, gain nothing. No body is read, nothing is decompressed, no cookie is kept, no proxy is asked.
 */
export class LinkProbe {
  readonly #userAgent: string
  readonly #allowed: ReadonlySet<string>
  readonly #ports: ReadonlySet<number>
  readonly #ownAddresses: () => string[]
  readonly #resolve: Resolve
  readonly #requestMs: number
  readonly #linkMs: number
  readonly #perHost: Limit
  readonly #closed = new AbortController()

  constructor(
    {
      config,
      limits,
    }: { config: Pick<CatalogueConfig, 'publicUrl' | 'publicUrlIsSet' | 'linkCheckPorts'>; limits: RateLimits },
    {
      allowed = [],
      resolve = resolvePublicly,
      ownAddresses = addressesOfCards,
      requestMs = 10_000,
      linkMs = 20_000,
      hostGapMs = 1_000,
    }: LinkProbeOptions = {},
  ) {
    this.#userAgent = `Daybook link check${config.publicUrlIsSet ? ` (+${config.publicUrl})` : ''}`
    this.#allowed = new Set(allowed)
    this.#ports = new Set([
      80,
      443,
      ...config.linkCheckPorts,
      ...allowed.map((place) => Number(place.split(':').at(-1))),
    ])
    this.#ownAddresses = ownAddresses
    this.#resolve = resolve
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
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
    // A name of this machine or network is not even looked up.
    if (isIpHost(url.hostname) ? !this.#isReachable(ipOf(url.hostname), port) : isPrivateHost(url.hostname))
      throw new PrivateAddressError()
    if (!this.#ports.has(port)) throw new PortError()
    await this.#perHost.consumeInTime(url.hostname, { signal: attempt.stop })
    const startedAt = performance.now()
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(this.#requestMs, attempt.msLeft))))
    const signal = AbortSignal.any([attempt.stop, timeout])
    let agent: Agent | undefined
    try {
      agent = this.#agentFor(await this.#addressesOf(url.hostname, port, signal), port)
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

  /** The addresses of a host, each of them one that may be connected to. */
  async #addressesOf(hostname: string, port: number, signal: AbortSignal): Promise<string[]> {
    const addresses = isIpHost(hostname) ? [ipOf(hostname)] : await orAborted(this.#resolve(hostname), signal)
    // One private address among public ones is enough: no public host has a reason to name one.
    if (addresses.length === 0 || !addresses.every((address) => this.#isReachable(address, port)))
      throw new PrivateAddressError()
    return addresses
  }

  /** One connection, for one request, to one of these addresses. */
  #agentFor(addresses: readonly string[], port: number): Agent {
    const pinned = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const lookup: LookupFunction = (_hostname, { all }, done) => {
      const [first] = pinned
      if (all === true) process.nextTick(done, null, pinned)
      else process.nextTick(done, null, first?.address, first?.family)
    }
    const connect = buildConnector({ lookup, timeout: this.#requestMs, maxCachedSessions: 0, allowH2: false })
    return new Agent({
      connections: 1,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: this.#requestMs,
      bodyTimeout: this.#requestMs,
      connect: (options, done) =>
        connect(options, (...[error, socket]) => {
          if (error !== null) return done(error, null)
          const { remoteAddress = '' } = socket
          // The address of the socket itself is checked once more, before a byte is sent.
          if (this.#isReachable(remoteAddress, port)) return done(null, socket)
          socket.destroy()
          done(new PrivateAddressError(), null)
        }),
    })
  }

  /** Whether an address is one of this machine's, in whatever spelling. */
  #isOwn(address: string): boolean {
    const own = new BlockList()
    for (const each of this.#ownAddresses()) own.addAddress(each, familyOf(each))
    return own.check(address, familyOf(address))
  }

  #isReachable(address: string, port: number): boolean {
    return this.#allowed.has(`${address}:${port}`) || !(isPrivateIp(address) || this.#isOwn(address))
  }
}

/** One check of a link, with all its requests. */
interface Attempt {
  stop: AbortSignal
  msLeft: number
  isAnswered: boolean
}

interface Answer {
  status: number
  /** The target of a redirect. */
  location: string | undefined
  retryAfterSeconds: number | undefined
}

/** The address is not on the public internet. */
class PrivateAddressError extends Error {
  readonly code = 'PRIVATE_ADDRESS'
}

/** The port is none that the operator allows. */
class PortError extends Error {
  readonly code = 'OTHER_PORT'
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

/**
 * The public addresses of a name, by the resolver of the network. Not by the system's, which would hold one of the few
 * threads that sign-ins and compressions need, and knows private names from files of this machine.
 */
async function resolvePublicly(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  if (addresses.length > 0) return addresses
  const errors = found.flatMap((each) => (each.status === 'rejected' ? [each.reason as NodeJS.ErrnoException] : []))
  throw errors.find(({ code }) => code === 'ENOTFOUND') ?? errors[0] ?? new Error(`${hostname} has no address.`)
}

/** Without the brackets of an address. */
const ipOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4')

/** Looked up anew each time: cards come and go, and so do their addresses. */
function addressesOfCards(): string[] {
  return Object.values(networkInterfaces()).flatMap((card = []) => card.map(({ address }) => address))
}

/** The result of the work; rejects with the signal's reason when that is aborted first. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason as Error)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
}

/** `Retry-After` in seconds, also where it names an instant. */
function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000))
}
