/** Which addresses an item's links may have (docs/spec/catalogue.md#link-rules). Browser-safe, without dependencies. */

export interface LinkFault {
  code: 'link.malformed' | 'link.too_long' | 'link.scheme' | 'link.credentials' | 'link.private'
  /** The fault, as the end of a sentence that begins with the link's field. */
  message: string
  remedy: string
}

const maxCharacters = 2_000

const malformed: LinkFault = {
  code: 'link.malformed',
  message: 'is not a web address',
  remedy: 'Give the whole address, like https://example.org/file, without spaces or line breaks.',
}

/** The fault of an address as a link of an item; null when there is none. */
export function findLinkFault(address: string): LinkFault | null {
  if (address.length > maxCharacters) {
    return {
      code: 'link.too_long',
      message: `is longer than ${maxCharacters.toLocaleString('en-US')} characters`,
      remedy: 'Give a shorter address of the same file.',
    }
  }
  // The URL parser silently drops line breaks and turns backslashes into slashes: what is kept would not be what is checked.
  const url = /[\s\p{Cc}\\]/u.test(address) || !address.isWellFormed() ? null : URL.parse(address)
  if (url === null) return malformed
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return {
      code: 'link.scheme',
      message: `begins with ${url.protocol.slice(0, 40)}`,
      remedy: 'Only http and https addresses are allowed.',
    }
  }
  // The URL parser reads `http:example.org` as well; the database and other programs do not.
  if (!/^https?:\/\//i.test(address)) return malformed
  if (url.username !== '' || url.password !== '') {
    return {
      code: 'link.credentials',
      message: 'holds a user name or a password',
      remedy: 'Give the address without the part before the @.',
    }
  }
  if (isPrivateHost(url.hostname)) {
    return {
      code: 'link.private',
      message: 'leads to a private, local or reserved network address',
      remedy: 'Give an address that visitors can reach on the public internet.',
    }
  }
  return null
}

/**
 * True for a host that is not on the public internet. Takes the host as the URL parser writes it: decimal, octal and
 * hexadecimal spellings of IPv4 addresses have become four decimal numbers there.
 */
function isPrivateHost(host: string): boolean {
  if (host.startsWith('[')) return isPrivateIpv6(ipv6Groups(host.slice(1, -1)))
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPrivateIpv4(host.split('.').map(Number))
  const name = host.replace(/\.$/, '')
  return !name.includes('.') || /\.(localhost|local|internal|lan|home\.arpa)$/.test(name)
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
    (a === 192 && b === 0 && c === 0) ||
    (a === 192 && b === 168) ||
    (a === 198 && (b === 18 || b === 19))
  )
}

function isPrivateIpv6(groups: number[]): boolean {
  const [first = 0, second = 0] = groups
  const embedded = (at: number): boolean => {
    const [high = 0, low = 0] = groups.slice(at, at + 2)
    return isPrivateIpv4([high >> 8, high & 255, low >> 8, low & 255])
  }
  const zerosUpTo = (end: number): boolean => groups.slice(0, end).every((group) => group === 0)
  // Unspecified, loopback, and IPv4 addresses in their compatible and mapped forms.
  if (zerosUpTo(6)) return embedded(6)
  if (zerosUpTo(5) && groups[5] === 0xffff) return embedded(6)
  // Translated (64:ff9b::/96) and tunnelled (2002::/16) IPv4.
  if (first === 0x64 && second === 0xff9b) return embedded(6)
  if (first === 0x2002) return embedded(1)
  // Only 2000::/3 is given out to the public internet: unique local, link-local and multicast lie outside it.
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
