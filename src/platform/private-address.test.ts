import { describe, expect, it } from 'vitest'
import { isIpHost, isPrivateIp, isPrivateIpHost } from './private-address.ts'

const hostOf = (address: string): string => new URL(`http://${address}/`).hostname

describe('isPrivateIpHost', () => {
  it.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0', '10.1.2.3', '169.254.169.254', '198.51.100.7'])(
    'knows %s however it is spelt',
    (spelling) => expect(isPrivateIpHost(hostOf(spelling))).toBe(true),
  )
  it.each(['93.184.216.34', '[2606:2800:220:1::1]', '[64:ff9b::5db8:d822]', 'example.org', '10.example.org'])(
    'has nothing against %s',
    (spelling) => expect(isPrivateIpHost(hostOf(spelling))).toBe(false),
  )
})

describe('isPrivateIp', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '192.0.2.1',
    '192.88.99.1',
    '203.0.113.9',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1.1.1.1',
    '2002:7f00:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '3fff::1',
    'fc00::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    'not an address',
    '',
  ])('counts %s as private', (address) => expect(isPrivateIp(address)).toBe(true))

  it.each([
    '1.1.1.1',
    '172.32.0.1',
    '::ffff:1.1.1.1',
    '2606:4700:4700::1111',
    '2002:0101:0101::',
    '2001:4860:4860::8888',
  ])('counts %s as public', (address) => expect(isPrivateIp(address)).toBe(false))
})

it.each([
  ['[::1]', true],
  ['127.0.0.1', true],
  ['example.org', false],
  ['1.example', false],
])('isIpHost(%s) is %s', (host, expected) => expect(isIpHost(host)).toBe(expected))
