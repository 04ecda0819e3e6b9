import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
import { isIP } from 'node:net'

type Address = IPv4 | IPv6

/** The networks of `TRUSTED_PROXIES`, read once at the start. */
export type TrustedProxies = readonly (readonly [network: Address, bits: number])[]

/** @param networks `address/bits` each, as the configuration holds them */
export function readTrustedProxies(networks: readonly string[]): TrustedProxies {
  return networks.map((text) => {
    const [network, bits] = ipaddr.parseCIDR(text)
    const isMapped = network.kind() === 'ipv6' && (network as IPv6).isIPv4MappedAddress() && bits >= mappedBits
    return isMapped ? [(network as IPv6).toIPv4Address(), bits - mappedBits] : [network, bits]
  })
}

/** How many bits stand before the IPv4 address in an IPv6 address that only wraps one. */
const mappedBits = 96

/** A socket that was gone before anybody asked where it came from: all of them are one caller to the limits. */
const unknownAddress = 'unknown'

/**
 * The address of the sender of a request in its canonical spelling (RFC 5952; an IPv4 address inside an IPv6 one is the
 * IPv4 address). X-Forwarded-For counts only behind a trusted proxy, read from its end to the first untrusted address.
 * A malformed entry ends it at the proxy before.
 * @param xForwardedFor as Node joins several such headers
 */
export function clientAddressOf(
  socketAddress: string | undefined,
  xForwardedFor: string | undefined,
  trustedProxies: TrustedProxies,
): string {
  let known = addressIn(socketAddress ?? '')
  if (known === undefined) return unknownAddress
  const forwarded = xForwardedFor ?? ''
  let end = forwarded.length
  while (end > 0 && isTrusted(known, trustedProxies)) {
    const start: number = forwarded.lastIndexOf(',', end - 1)
    const entry = addressIn(forwarded.slice(start + 1, end).trim())
    if (entry === undefined) break
    known = entry
    end = start
  }
  return known.toString()
}

function isTrusted(address: Address, trustedProxies: TrustedProxies): boolean {
  return trustedProxies.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

/**
 * The key of a limit: an IPv4 address whole, an IPv6 address by its /64, because the owner of one address of a /64 has
 * all of them (RFC 6177).
 * @param address as `clientAddressOf` tells it
 */
export function addressBlockOf(address: string): string {
  return blockOf(address, 64) ?? address
}

/**
 * The /48 of an IPv6 address, the most that one site gets (RFC 6177): 65,536 blocks of the kind above, and so a second
 * thing to count by.
 * @returns undefined for an IPv4 address
 */
export function siteBlockOf(address: string): string | undefined {
  return blockOf(address, 48)
}

/**
 * The part of an address that may be stored for long: its network, a /24 or a /48, which is many callers.
 * @returns undefined for what is no address
 */
export function networkOf(address: string): string | undefined {
  const parsed = addressIn(address)
  if (parsed?.kind() !== 'ipv4') return siteBlockOf(address)
  return `${(parsed as IPv4).octets.slice(0, 3).join('.')}.0/24`
}

function blockOf(address: string, bits: 48 | 64): string | undefined {
  const parsed = addressIn(address)
  if (parsed === undefined || parsed.kind() === 'ipv4') return undefined
  const networkParts = (parsed as IPv6).parts.slice(0, bits / 16)
  return `${new ipaddr.IPv6([...networkParts, ...Array<number>(8 - networkParts.length).fill(0)]).toString()}/${bits}`
}

/**
 * `203.0.113.7`, `2001:db8::7`, with a port as `203.0.113.7:51234` and `[2001:db8::7]:51234`. Only the usual spellings:
 * `0x7f.1` and `010.0.0.1` mean different things to different programs, and so mean nothing here.
 */
function addressIn(text: string): Address | undefined {
  const { bare = text } =
    /^\[(?<bare>[^\]]*)\](?::\d{1,5})?$/.exec(text)?.groups ?? /^(?<bare>[\d.]+):\d{1,5}$/.exec(text)?.groups ?? {}
  if (isIP(bare) === 0) return undefined
  const address = ipaddr.process(bare)
  // The zone names an interface of this machine or of the proxy, not the caller.
  return address.kind() === 'ipv6' ? new ipaddr.IPv6((address as IPv6).parts) : address
}
