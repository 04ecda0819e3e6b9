import { describe, expect, it } from 'vitest'
import { findLinkFault } from './link-address.ts'

describe('findLinkFault', () => {
  it.each([
    'https://mega.nz/file/abc#key',
    'http://example.org',
    'https://example.org:8443/a?b=c',
    'https://例え.jp/道',
    'https://93.184.216.34/a',
    'https://[2606:2800:220:1::1]/a',
    'https://172.32.0.1/',
    'https://localhost.example.org/',
  ])('has nothing against %s', (address) => {
    expect(findLinkFault(address)).toBeNull()
  })

  it.each([
    ['link.scheme', 'ftp://example.org/a'],
    ['link.scheme', 'javascript:alert(1)'],
    ['link.scheme', 'data:text/html,hello'],
    ['link.malformed', 'mega.nz/file'],
    ['link.malformed', 'https://'],
    ['link.malformed', 'http:example.org/a'],
    ['link.malformed', 'https:/example.org/a'],
    ['link.malformed', 'https://exa mple.org/'],
    ['link.malformed', 'java\nscript:alert(1)'],
    ['link.malformed', 'https:\\\\example.org\\a'],
    ['link.credentials', 'https://user@example.org/'],
    ['link.credentials', 'https://:secret@example.org/'],
    ['link.too_long', `https://example.org/${'a'.repeat(2_000)}`],
  ])('answers %s for %s', (code, address) => {
    expect(findLinkFault(address)?.code).toBe(code)
  })

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:c0a8:101::]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[ff02::1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://printer.local/',
    'http://db.internal/',
    'http://a.localhost/',
    'http://intranet/',
    'http://１２７.0.0.1/',
  ])('knows %s as a private address', (address) => {
    expect(findLinkFault(address)?.code).toBe('link.private')
  })
})
