import { expect, test } from 'vitest'
import { freeShelves } from './free-shelves.ts'
import type { Shelf } from './shelf.ts'
import { vipPageAt, vipShelves } from './vip-shelves.ts'

const all: Shelf[] = [...Object.values(freeShelves), ...Object.values(vipShelves)]

test('a list stands at a path of its own, and is for VIPs where its path says so', () => {
  expect(new Set(all.map(({ path }) => path)).size).toBe(all.length)
  for (const { path, access } of all) expect(access).toBe(path.startsWith('/vip') ? 'vip' : 'anyone')
})

test('a changed filter waits 300 ms on every list, 200 ms on VIP Western', () => {
  for (const { path, debounceMs } of all) expect(debounceMs, path).toBe(path === '/vip-western' ? 200 : 300)
})

test.each([
  ['vip', 'VIP Content', 'No VIP Content Found'],
  ['vip-asian', 'VIP Asian Content', 'No VIP Asian Content Found'],
  ['vip-western', 'VIP Western Content', 'No VIP Western Content Found'],
  ['vip-banned', 'Banned Content', 'No VIP Banned Content Found'],
  ['vip-unknown', 'Unknown Content', 'No VIP Unknown Content Found'],
] as const)('/%s is headed %j, and %j where it is empty', (page, title, empty) => {
  expect(vipShelves[page]).toMatchObject({ title, empty: { title: empty } })
})

test('every list of the VIP area marks what is new with NEW VIP', () => {
  for (const { path, row } of Object.values(vipShelves)) expect(row.newLabel, path).toBe('NEW VIP')
})

test('the shelves of a category have words of their own, and month, order and region to filter by', () => {
  expect(vipShelves['vip-banned']).toMatchObject({
    subtitle: 'Censored and withdrawn works',
    placeholder: 'Search VIP banned content...',
    moreLabel: 'Load More VIP Content',
    filters: ['month', 'sort', 'region'],
    empty: { advice: 'Try adjusting your search or filters to find premium banned content.' },
  })
  expect(vipShelves['vip-unknown']).toMatchObject({
    subtitle: 'Works of unknown or unattributed origin',
    placeholder: 'Search VIP unknown content...',
    moreLabel: 'Load More VIP Content',
    filters: ['month', 'sort', 'region'],
    empty: { advice: 'Try adjusting your search or filters to find premium unknown content.' },
  })
})

test.each([
  ['/vip', 'vip'],
  ['/vip/slug', 'vip'],
  ['/vip-asian', 'vip-asian'],
  ['/vip-unknown/slug', 'vip-unknown'],
])('%s belongs to %s', (path, page) => {
  expect(vipPageAt(path)).toBe(page)
})
