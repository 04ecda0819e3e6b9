import { describe, expect, it } from 'vitest'
import { addressBlockOf, clientAddressOf, networkOf, readTrustedProxies, siteBlockOf } from './client-address.ts'

const nobody = readTrustedProxies([])
const proxies = readTrustedProxies(['10.0.0.0/8', '192.0.2.1/32', '2001:db8:ffff::/48'])

/** Small and repeatable, so that a failure can be looked at again (mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

describe('clientAddressOf', () => {
  it('is the peer of the socket, whatever the header says, while no proxy is trusted', () => {
    expect(clientAddressOf('203.0.113.7', '198.51.100.1', nobody)).toBe('203.0.113.7')
    expect(clientAddressOf('127.0.0.1', '198.51.100.1, 127.0.0.1', nobody)).toBe('127.0.0.1')
    expect(clientAddressOf('203.0.113.7', undefined, nobody)).toBe('203.0.113.7')
  })

  it('is the peer of the socket when that is no trusted proxy', () => {
    expect(clientAddressOf('203.0.113.7', '198.51.100.1', proxies)).toBe('203.0.113.7')
    expect(clientAddressOf('11.0.0.1', '10.0.0.1', proxies)).toBe('11.0.0.1')
  })

  it('is whoever spoke to the trusted proxy', () => {
    expect(clientAddressOf('10.0.0.1', '198.51.100.1', proxies)).toBe('198.51.100.1')
    expect(clientAddressOf('192.0.2.1', '2001:db8::7', proxies)).toBe('2001:db8::7')
    expect(clientAddressOf('2001:db8:ffff:1::1', '198.51.100.1', proxies)).toBe('198.51.100.1')
  })

  it('walks through a row of trusted proxies, and no further', () => {
    expect(clientAddressOf('10.0.0.1', '203.0.113.9, 198.51.100.1, 10.2.3.4, 192.0.2.1', proxies)).toBe('198.51.100.1')
    expect(clientAddressOf('10.0.0.1', '10.9.9.9,198.51.100.1', proxies)).toBe('198.51.100.1')
  })

  it('is the proxy farthest away when all of them are trusted', () => {
    expect(clientAddressOf('10.0.0.1', '10.0.0.3, 10.0.0.2', proxies)).toBe('10.0.0.3')
  })

  it('is the proxy itself when that says nothing', () => {
    expect(clientAddressOf('10.0.0.1', undefined, proxies)).toBe('10.0.0.1')
    expect(clientAddressOf('10.0.0.1', '', proxies)).toBe('10.0.0.1')
  })

  it.each([
    'unknown',
    'localhost',
    '_hidden',
    '198.51.100',
    '198.51.100.1.2',
    '198.51.100.256',
    '0x0a.0.0.1',
    '012.0.0.1',
    '3325256705',
    '198.51.100.1/24',
    '198.51.100.1:port',
    '"198.51.100.1"',
    '198.51.100.1 203.0.113.9',
    '2001:db8::1::2',
    '[2001:db8::1',
    '[]',
    ' ',
    'x'.repeat(10_000),
  ])('stops at %j, which is no address: nothing left of it is believed', (entry) => {
    expect(clientAddressOf('10.0.0.1', `203.0.113.9, ${entry}, 10.0.0.2`, proxies)).toBe('10.0.0.2')
    expect(clientAddressOf('10.0.0.1', `203.0.113.9, ${entry}`, proxies)).toBe('10.0.0.1')
  })

  it('leaves out ports, as some proxies append them', () => {
    expect(clientAddressOf('10.0.0.1', '198.51.100.1:51234', proxies)).toBe('198.51.100.1')
    expect(clientAddressOf('10.0.0.1', '[2001:db8::7]:443', proxies)).toBe('2001:db8::7')
    expect(clientAddressOf('10.0.0.1', '[2001:db8::7]', proxies)).toBe('2001:db8::7')
  })

  it('has one spelling for each address', () => {
    for (const spelling of ['2001:DB8:0:0:0:0:0:7', '2001:0db8::0007', '2001:db8::7%eth0', '[2001:db8::7]']) {
      expect(clientAddressOf('10.0.0.1', spelling, proxies)).toBe('2001:db8::7')
    }
    for (const spelling of ['198.51.100.1', '::ffff:198.51.100.1', '::FFFF:c633:6401', '0:0:0:0:0:ffff:c633:6401']) {
      expect(clientAddressOf(spelling, undefined, nobody)).toBe('198.51.100.1')
    }
  })

  it('knows a trusted proxy also where the socket shows IPv4 inside IPv6', () => {
    expect(clientAddressOf('::ffff:10.0.0.1', '198.51.100.1', proxies)).toBe('198.51.100.1')
    const mapped = readTrustedProxies(['::ffff:10.0.0.0/104'])
    expect(clientAddressOf('10.200.0.1', '198.51.100.1', mapped)).toBe('198.51.100.1')
    expect(clientAddressOf('11.0.0.1', '198.51.100.1', mapped)).toBe('11.0.0.1')
  })

  it('makes one caller of all whose socket was gone before it was looked at', () => {
    expect(clientAddressOf(undefined, '198.51.100.1', proxies)).toBe(clientAddressOf(undefined, undefined, nobody))
  })

  it('is never moved by what a caller wrote, however it is forged', () => {
    const random = randomNumbers(20_261_121)
    const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T
    const ipv4 = (): string => `${random(256)}.${random(256)}.${random(256)}.${random(256)}`
    const forgeries = [
      ipv4,
      () => `10.${random(256)}.0.1`,
      () => `2001:db8:${random(65_536).toString(16)}::${random(65_536).toString(16)}`,
      () => `::ffff:${ipv4()}`,
      () => pick(['', 'unknown', ',', ', ,', '10.0.0.1:1:1', '\u0000', '%00', 'ä', '∞', '-1', 'for=10.0.0.1']),
      () => String.fromCharCode(...Array.from({ length: random(20) }, () => random(256))),
    ]
    for (let i = 0; i < 5_000; i += 1) {
      const forged = Array.from({ length: random(30) }, () => pick(forgeries)()).join(pick([',', ', ', ' , ', ',,']))
      const caller = `203.0.113.${random(256)}`
      // A direct caller has their own address; through our proxies it is the one that the first proxy saw.
      expect(clientAddressOf(caller, forged, proxies), forged).toBe(caller)
      const row = Array.from({ length: random(4) }, () => `10.0.${random(256)}.${random(256)}`)
      expect(clientAddressOf('10.0.0.1', [forged, caller, ...row].join(', '), proxies), forged).toBe(caller)
    }
  })
})

describe('addressBlockOf', () => {
  it('is an IPv4 address whole', () => {
    expect(addressBlockOf('203.0.113.7')).toBe('203.0.113.7')
    expect(addressBlockOf('203.0.113.7')).not.toBe(addressBlockOf('203.0.113.8'))
  })

  it('is the /64 of an IPv6 address', () => {
    const block = addressBlockOf('2001:db8:1:2::7')
    expect(block).toBe('2001:db8:1:2::/64')
    expect(addressBlockOf('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(block)
    expect(addressBlockOf('2001:db8:1:3::7')).not.toBe(block)
    expect(addressBlockOf('::1')).toBe('::/64')
  })

  it('is one block for callers that nobody knows', () => {
    expect(addressBlockOf(clientAddressOf(undefined, undefined, nobody))).toBe('unknown')
  })
})

describe('siteBlockOf', () => {
  it('is the /48 of an IPv6 address, and nothing for an IPv4 address', () => {
    expect(siteBlockOf('2001:db8:1:2::7')).toBe('2001:db8:1::/48')
    expect(siteBlockOf('2001:db8:1:ffff::1')).toBe('2001:db8:1::/48')
    expect(siteBlockOf('2001:db8:2::1')).toBe('2001:db8:2::/48')
    expect(siteBlockOf('203.0.113.7')).toBeUndefined()
    expect(siteBlockOf('unknown')).toBeUndefined()
  })
})

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
  ['unknown', undefined],
])('%s is kept as its network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
