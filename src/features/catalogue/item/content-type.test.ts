import { describe, expect, it } from 'vitest'
import { itemPath } from './content-type.ts'

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
