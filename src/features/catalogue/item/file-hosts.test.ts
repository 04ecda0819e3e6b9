import { describe, expect, it, test } from 'vitest'
import { fileHostOf, siteOf } from './file-hosts.ts'

describe('fileHostOf', () => {
  const hosts = [{ label: 'Mega', domains: ['mega.nz'] }]
  it.each(['https://mega.nz/file/1', 'http://eu.mega.nz/x', 'https://MEGA.NZ/x', 'https://mega.nz./x'])(
    'knows %s',
    (link) => {
      expect(fileHostOf(link, hosts)?.label).toBe('Mega')
    },
  )
  it.each([
    'https://mega.nz.example.com/x',
    'https://notmega.nz/x',
    'https://example.com/mega.nz',
    'https://mega.nz@example.com/',
    'ftp://mega.nz/x',
    'mega.nz/x',
    '',
  ])('does not take %j for it', (link) => {
    expect(fileHostOf(link, hosts)).toBeUndefined()
  })
})

test('a site is called by its host name, without www', () => {
  expect(siteOf('https://www.example.net/a')).toBe('example.net')
  expect(siteOf('https://www2.example.net:8443/a')).toBe('www2.example.net')
})
