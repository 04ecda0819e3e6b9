import ipaddr from 'ipaddr.js'
import { accessSync, constants } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isLoopback } from '../is-loopback.ts'
import { type Kind, SettingRefusal } from './setting.ts'

export const text: Kind<string> = { expected: 'a text', read: (value) => value }

/** A text on one line; `noun` is what it is called: 'a name'. */
export function line(noun: string, maxLength: number): Kind<string> {
  return {
    expected: `${noun} of at most ${maxLength} characters on one line`,
    read: (value) => (value.length > maxLength || /\p{Cc}/u.test(value) ? undefined : value),
  }
}

/** A text of a form that a regular expression knows. */
export function matching(pattern: RegExp, expected: string): Kind<string> {
  return { expected, read: (value) => (pattern.test(value) ? value : undefined) }
}

export function wholeNumber(min: number, max: number): Kind<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read(value) {
      const number = Number(value)
      return /^\d+$/.test(value) && number >= min && number <= max ? number : undefined
    },
  }
}

export const flag: Kind<boolean> = {
  expected: '0 or 1',
  read: (value) => (value === '0' || value === '1' ? value === '1' : undefined),
  write: (isOn) => (isOn ? '1' : '0'),
}

export const onOrOff: Kind<boolean> = {
  expected: 'one of on, off',
  read: (value) => (value === 'on' || value === 'off' ? value === 'on' : undefined),
  write: (isOn) => (isOn ? 'on' : 'off'),
}

export function oneOf<const T extends string>(allowed: readonly T[]): Kind<T> {
  return {
    expected: `one of ${allowed.join(', ')}`,
    read: (value) => allowed.find((candidate) => candidate === value),
  }
}

/** Texts with a comma between two. An empty one is left in, so that `isEach` refuses it. */
export function list(expected: string, isEach: (entry: string) => boolean): Kind<string[]> {
  return {
    expected,
    read(value) {
      const entries = value.split(',').map((entry) => entry.trim())
      return entries.every(isEach) ? entries : undefined
    },
  }
}

export const ports: Kind<number[]> = {
  expected: 'port numbers with a comma between two, like 8080, 8443',
  read(value) {
    const numbers = value.split(',').map((entry) => (/^\d{1,5}$/.test(entry.trim()) ? Number(entry) : Number.NaN))
    return numbers.every((port) => port >= 1 && port <= 65_535) ? numbers : undefined
  },
}

export const host: Kind<string> = {
  expected: 'an IP address or a host name',
  read: (value) => (isIP(value) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) ? value : undefined),
}

/** An origin, without a trailing slash. */
export const origin: Kind<string> = {
  expected: 'an http or https address without path, like https://library.example',
  read(value) {
    const url = URL.parse(value)
    const isPlain =
      url !== null &&
      (url.protocol === 'http:' || url.protocol === 'https:') &&
      url.pathname === '/' &&
      url.search === '' &&
      url.hash === '' &&
      url.username === '' &&
      url.password === ''
    return isPlain ? url.origin : undefined
  },
}

export const webAddress: Kind<string> = {
  expected: 'an http or https address',
  read(value) {
    const url = URL.parse(value)
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
    // No request can be sent to one with a password, and no page may show it.
    if (url.username !== '' || url.password !== '')
      return new SettingRefusal('an http or https address without a name and password', '***')
    return url.href
  },
}

/** An address of another protocol than the web's, which may hold a password. */
export function address(protocols: readonly string[], example: string): Kind<string> {
  return {
    expected: `an address like ${example}`,
    read(value) {
      const url = URL.parse(value)
      return url !== null && url.hostname !== '' && protocols.includes(url.protocol) ? value : undefined
    },
  }
}

const emailPattern = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/

export const email = matching(emailPattern, 'an email address like desk@library.example')

/** For `/.well-known/security.txt` (RFC 9116), as an address with its scheme. */
export const emailOrWebAddress: Kind<string> = {
  expected: 'an email address or an https address',
  read(value) {
    if (emailPattern.test(value) && /^[\x21-\x7e]+$/.test(value)) return `mailto:${value}`
    const url = URL.parse(value)
    return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined
  },
}

/** `Name <address>`, or an address alone: then the name is ''. */
export const sender: Kind<{ name: string; address: string }> = {
  expected: 'a sender like Library <desk@library.example>',
  read(value) {
    const { name = '', address: within = value } =
      /^(?:"?(?<name>[^"<>]*?)"?\s*<(?<address>[^<>]+)>)$/.exec(value)?.groups ?? {}
    return emailPattern.test(within) && !/\p{Cc}/u.test(value) ? { name, address: within } : undefined
  },
  write: ({ name, address: within }) => `${name} <${within}>`,
}

/** A path, from where the process was started. */
export const path: Kind<string> = { expected: 'a path', read: (value) => resolve(value) }

export const readableFile: Kind<string> = {
  expected: 'the path of a text file that can be read',
  read(value) {
    try {
      accessSync(value, constants.R_OK)
      return resolve(value)
    } catch {
      return undefined
    }
  },
}

export const timeZone: Kind<string> = {
  expected: 'an IANA time zone like Europe/Lisbon',
  read(value) {
    // A bare offset has no rules of summer time, and PostgreSQL reads its sign the other way round.
    if (/^[+-]/.test(value)) return undefined
    try {
      return new Intl.DateTimeFormat('en-US', { timeZone: value }).resolvedOptions().timeZone
    } catch {
      return undefined
    }
  },
}

/** Networks with a comma between two, each as `address/bits`; an address alone is a network of one. */
export const networks: Kind<string[]> = {
  expected: 'a list of networks like 10.0.0.0/8, 2001:db8::/32',
  read(value) {
    const entries = value.split(',').map((entry) => entry.trim())
    const found: string[] = []
    for (const network of entries.filter((entry) => entry !== '')) {
      // The parser also takes `10/8` and `010.0.0.0/8`, which are not the networks that they look like.
      const [start = ''] = network.split('/')
      if (isIP(start) !== 0 && ipaddr.isValidCIDR(network)) found.push(network)
      else if (isIP(network) !== 0) found.push(`${network}/${isIP(network) === 4 ? 32 : 128}`)
      else return new SettingRefusal(networks.expected, network)
    }
    return found
  },
}

/** Whether strangers are in a network of IPv4 or of IPv6, because it is that large: they could name any address as their own. */
export function isEverybody(network: string): boolean {
  const [start, bits] = ipaddr.parseCIDR(network)
  if (privateIpv6.some((own) => start.kind() === 'ipv6' && bits >= own[1] && start.match(own))) return false
  if ('isIPv4MappedAddress' in start && start.isIPv4MappedAddress()) return bits < 96 + minBitsOfProxies.ipv4
  return bits < minBitsOfProxies[start.kind()]
}

/** The largest network of private addresses of IPv4 is 10.0.0.0/8. Nobody on the internet has 2^112 addresses of IPv6. */
const minBitsOfProxies = { ipv4: 8, ipv6: 16 }
/** Private networks of IPv6, and those of one link: no stranger is in them, however large they are. */
const privateIpv6 = [ipaddr.parseCIDR('fc00::/7'), ipaddr.parseCIDR('fe80::/10')]

/** A bucket of an S3 service, with its key; `files` is what is stored in it. */
export function bucket(files: string): Kind<string> {
  return {
    expected: 'an address like https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket?region=eu-central-1',
    read(value) {
      const url = URL.parse(value)
      if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
      if (url.username === '' || url.password === '' || url.pathname === '/') return undefined
      return url.protocol === 'http:' && !isLoopback(url.hostname)
        ? new SettingRefusal(`an https address, as ${files} may not travel in clear`)
        : value
    },
  }
}
