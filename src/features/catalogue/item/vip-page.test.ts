import { expect, it, test } from 'vitest'
import { contentTypes } from './content-type.ts'
import { vipItemPath, vipPageOf } from './vip-page.ts'

const categories = [
  'Asian',
  'Western',
  'Banned',
  'Unknown',
  'TikTok',
  'Instagram',
  'VIP Content',
  'VIP Banned',
  'VIP Unknown',
  'Literature',
  'Film',
  'Music',
  'Art',
]

/** Every type in every category, as docs/spec/search.md#vip-row-target has it. */
const table = contentTypes.flatMap((contentType) =>
  categories.map((category) => {
    const ofAsian = { 'VIP Banned': 'vip-banned', 'VIP Unknown': 'vip-unknown' }[category] ?? 'vip-asian'
    const wanted = {
      asian: ofAsian,
      'vip-asian': ofAsian,
      western: 'vip-western',
      'vip-western': 'vip-western',
      banned: 'vip-banned',
      'vip-banned': 'vip-banned',
      unknown: 'vip-unknown',
      'vip-unknown': 'vip-unknown',
      vip: 'vip',
    }[contentType]
    return { contentType, category, wanted }
  }),
)

test.each(table)('a row of type $contentType and category $category leads to $wanted', ({ wanted, ...item }) => {
  expect(vipPageOf(item)).toBe(wanted)
})

test.each([
  [{ category: 'Film' }, 'vip-asian'],
  [{ category: 'VIP Banned' }, 'vip-banned'],
  [{ contentType: 'VIP-Asian', category: 'vip unknown' }, 'vip-unknown'],
  [{ contentType: 'vip-asian', category: 'vip-Banned' }, 'vip-banned'],
  [{ contentType: 'VIP', category: 'VIP Banned' }, 'vip'],
  [{ contentType: 'Western', category: 'VIP Unknown' }, 'vip-western'],
  [{ contentType: 'northern', category: 'VIP Banned' }, 'vip-asian'],
  [{ contentType: '', category: 'Film' }, 'vip-asian'],
])('a row of %j leads to %s', (item, wanted) => {
  expect(vipPageOf(item)).toBe(wanted)
})

it('is the first part of the address of an item', () => {
  expect(vipItemPath({ contentType: 'vip-western', category: 'Film', slug: 's' })).toBe('/vip-western/s')
})

test('A free item of early access is read on the page of the VIP area', () => {
  const item = { contentType: 'banned', category: 'Banned', slug: 's' }
  expect(vipItemPath({ ...item, vipFirst: true })).toBe('/vip/s')
  expect(vipItemPath(item)).toBe('/vip-banned/s')
})
