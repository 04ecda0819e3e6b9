import { describe, expect, it } from 'vitest'
import { itemPath } from './content-type.ts'
import { fileHostOf } from './file-hosts.ts'

describe('itemPath', () => {
  it.each([
    [{ category: 'Film' }, '/asian/s'],
    [{ contentType: 'asian', category: 'Banned' }, '/banned/s'],
    [{ contentType: 'asian', category: 'unknown' }, '/unknown/s'],
    [{ contentType: 'asian', category: 'Literature' }, '/asian/s'],
    [{ contentType: 'western', category: 'Banned' }, '/western/s'],
    [{ contentType: 'banned', category: 'Banned' }, '/banned/s'],
    [{ contentType: 'unknown', category: 'Unknown' }, '/unknown/s'],
    [{ contentType: 'vip-asian', category: 'VIP Banned' }, '/vip-asian/s'],
    [{ contentType: 'vip', category: 'VIP Content' }, '/vip/s'],
    [{ contentType: 'something', category: 'Film' }, '/western/s'],
  ])('of %j is %s', (item, path) => {
    expect(itemPath({ ...item, slug: 's' })).toBe(path)
  })
})

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
