/*
 * Which network addresses are not on the public internet: private, local, reserved, or a spelling of one that is. Without
 * dependencies, so that the browser may use it.
 */

/**
 * Whether a host of an address is an IP address outside of the public internet. A name is not: what it leads to is known
 * only when it is resolved.
 * @param hostname as the URL parser writes it: decimal, octal and hexadecimal IPv4 addresses are four numbers there, and
 * IPv6 addresses stand in brackets
 */
export function isPrivateIpHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPrivateIpv6(ipv6Groups(hostname.slice(1, -1)))
  return isIpv4(hostname) && isPrivateIpv4(hostname.split('.').map(Number))
}

/**
 * Whether an IP address, as the system or a resolver spells it, is outside of the public internet. A malformed address,
 * and one with a zone (`fe80::1%eth0`), counts as private.
 */
export function isPrivateIp(address: string): boolean {
  if (isIpv4(address)) return isPrivateIpHost(address)
  const hostname = URL.parse(`http://[${address}]/`)?.hostname
  return hostname === undefined || isPrivateIpHost(hostname)
}

/** Whether a host, as the URL parser writes it, is an IP address and no name. */
export function isIpHost(hostname: string): boolean {
  return hostname.startsWith('[') || isIpv4(hostname)
}

/**
 * True for a host that is not on the public internet: an IP address, or a name that no public resolver knows.
 * @param host as the URL parser writes it
 */
export function isPrivateHost(host: string): boolean {
  if (isIpHost(host)) return isPrivateIpHost(host)
  const name = host.replace(/\.$/, '')
  return !name.includes('.') || /\.(localhost|local|internal|lan|home\.arpa)$/.test(name)
}

function isIpv4(text: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(text)
}

function isPrivateIpv4([a = 0, b = 0, c = 0]: number[]): boolean {
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 192 && b === 88 && c === 99) ||
    (a === 192 && b === 168) ||
    (a === 198 && (b === 18 || b === 19)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113)
  )
}

function isPrivateIpv6(groups: number[]): boolean {
  const [first = 0, second = 0] = groups
  const embedded = (at: number): boolean => {
    const [high = 0, low = 0] = groups.slice(at, at + 2)
    return isPrivateIpv4([high >> 8, high & 255, low >> 8, low & 255])
  }
  const areZero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0)
  // Unspecified, loopback, and IPv4 addresses in their compatible and mapped forms.
  if (areZero(0, 6)) return embedded(6)
  if (areZero(0, 5) && groups[5] === 0xffff) return embedded(6)
  // Translated IPv4 (64:ff9b::/96); the longer prefixes beside it are for a network's own use.
  if (first === 0x64 && second === 0xff9b) return !areZero(2, 6) || embedded(6)
  // Tunnelled IPv4 (2002::/16).
  if (first === 0x2002) return embedded(1)
  // Reserved for protocols, tunnels among them (2001::/23), and for documentation.
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return true
  if (first === 0x3fff && second < 0x1000) return true
  // Only 2000::/3 is public internet: unique local, link-local and multicast lie outside it.
  return (first & 0xe000) !== 0x2000
}

/** The eight numbers of an IPv6 address as the URL parser writes it: hexadecimal groups, one `::` at most. */
function ipv6Groups(address: string): number[] {
  const [before = '', after] = address.split('::')
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const left = numbers(before)
  if (after === undefined) return left
  const right = numbers(after)
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}
