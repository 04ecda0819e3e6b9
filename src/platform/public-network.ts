import { Resolver } from 'node:dns/promises'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Agent } from 'undici'
import { isIpHost, isPrivateHost, isPrivateIp } from './private-address.ts'

/** The addresses of a host. @throws an error of Node's resolver */
export type Resolve = (hostname: string) => Promise<string[]>

export interface NetworkOptions {
  /**
   * Private addresses that may be connected to all the same, each as `address:port`. For tests alone: only the code that
   * opens the app can say them.
   */
  allowed?: readonly string[]
  resolve?: Resolve
  /** The addresses of this machine's network cards. */
  ownAddresses?: () => string[]
}

const maxHeaderBytes = 16 * 1024

/**
 * The way to other hosts: public addresses only, none of this machine's own among them, and ports of the web. Each name
 * is resolved once for a request, and the connection goes to exactly the addresses that were checked, so changed
 * answers and redirects gain nothing.
 */
export class PublicNetwork {
  readonly #allowed: ReadonlySet<string>
  readonly #ports: ReadonlySet<number>
  readonly #ownAddresses: () => string[]
  readonly #resolve: Resolve
  readonly #requestMs: number

  /** @param ports that may be asked besides 80 and 443 */
  constructor(
    ports: readonly number[],
    {
      allowed = [],
      resolve = resolvePublicly,
      ownAddresses = addressesOfCards,
      requestMs,
    }: NetworkOptions & { requestMs: number },
  ) {
    this.#allowed = new Set(allowed)
    this.#ports = new Set([80, 443, ...ports, ...allowed.map((place) => Number(place.split(':').at(-1)))])
    this.#ownAddresses = ownAddresses
    this.#resolve = resolve
    this.#requestMs = requestMs
  }

  /**
   * Refuses what can be refused without asking anybody: a name of this machine or network is not even looked up.
   * @throws {PrivateAddressError}
   * @throws {PortError}
   */
  assertPublic(url: URL): void {
    const port = portOf(url)
    if (isIpHost(url.hostname) ? !this.#isReachable(ipOf(url.hostname), port) : isPrivateHost(url.hostname))
      throw new PrivateAddressError()
    if (!this.#ports.has(port)) throw new PortError()
  }

  /**
   * One connection, for one request, to one of the addresses that the host has now.
   * @throws {PrivateAddressError} also when it is used, and an error of Node's resolver
   */
  async agentFor(url: URL, signal: AbortSignal): Promise<Agent> {
    const port = portOf(url)
    return this.#connectionTo(await this.#addressesOf(url.hostname, port, signal), port)
  }

  async #addressesOf(hostname: string, port: number, signal: AbortSignal): Promise<string[]> {
    const addresses = isIpHost(hostname) ? [ipOf(hostname)] : await orAborted(this.#resolve(hostname), signal)
    // One private address among public ones is enough: no public host has a reason to name one.
    if (addresses.length === 0 || !addresses.every((address) => this.#isReachable(address, port)))
      throw new PrivateAddressError()
    return addresses
  }

  async #connectionTo(addresses: readonly string[], port: number): Promise<Agent> {
    const { Agent: Connection, buildConnector } = await import('undici')
    const pinned = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const lookup: LookupFunction = (_hostname, { all }, done) => {
      const [first] = pinned
      if (all === true) process.nextTick(done, null, pinned)
      else process.nextTick(done, null, first?.address, first?.family)
    }
    const connect = buildConnector({ lookup, timeout: this.#requestMs, maxCachedSessions: 0, allowH2: false })
    return new Connection({
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

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** The address is not on the public internet. */
class PrivateAddressError extends Error {
  readonly code = 'PRIVATE_ADDRESS'
}

/** The port is none that the operator allows. */
class PortError extends Error {
  readonly code = 'OTHER_PORT'
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
