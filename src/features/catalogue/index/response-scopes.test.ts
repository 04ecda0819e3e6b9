import { expect, it } from 'vitest'
import {
  deleteAllItems,
  editItem,
  type ItemOverrides,
  type MadeItem,
  someItems,
} from '../../../../tests/harness/items.ts'
import { sequence } from '../../../../tests/harness/sequence.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'
import { contentTypes, regions } from '../item/content-type.ts'
import { vipShelfNames } from '../item/vip-shelf.ts'
import type { IndexResult } from './catalogue-index.server.ts'
import type { IndexQuery } from './index-query.ts'

/*
 * A result whose scope says that nothing has touched it is compared with the result of the same query put again: after
 * every write of a long random history the two must be equal.
 */

const now = '2024-03-15T12:00:00.000Z'
const vip: Viewer = { ...anonymous, roles: new Set(['vip']) }

const test = appOfFile({ now })

const random = sequence(20_261_123)
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

let count = 0

function overrides(): ItemOverrides {
  count += 1
  const contentType = pick([...contentTypes, 'vip-banned', 'vip-unknown', 'vip-asian'] as const)
  const ofType = {
    banned: ['Banned'],
    unknown: ['Unknown'],
    'vip-banned': ['VIP Banned', 'Banned'],
    'vip-unknown': ['VIP Unknown', 'Unknown'],
  }
  const free = ['Film', 'Banned', 'Unknown', 'VIP Banned', 'VIP Unknown', 'VIP Content']
  return {
    name: [
      pick(['Night', 'Garden', 'River']),
      pick(['Whale', 'Letter', '三國']),
      String(Math.floor(random() * 9)),
    ].join(' '),
    slug: `work-${count}`,
    contentType,
    category: pick(contentType in ofType ? ofType[contentType as keyof typeof ofType] : free),
    region: /asian|western/.test(contentType) ? contentType.replace('vip-', '') : pick(regions),
    postDate: new Date(Date.parse(now) - Math.floor(random() * 24 * 90) * 3_600_000).toISOString(),
  }
}

const everything: IndexQuery = { text: '', from: -Infinity, to: Infinity, ascending: false, skip: 0, limit: 5 }
const queries: IndexQuery[] = vipShelfNames.flatMap((shelf) =>
  [
    {},
    { skip: 5 },
    { ascending: true },
    { text: 'night' },
    { text: 'nihgt whael' },
    { region: 'asian' as const },
    { month: 2 },
    { category: 'vip banned' },
    { contentType: 'vip-asian' as const },
  ].map((more) => ({ ...everything, shelf, ...more })),
)

const search = (query: IndexQuery): IndexResult => test.app.listing.search(query, vip)
const contentOf = ({ itemNumbers, total, nearest }: IndexResult) => ({
  itemNumbers,
  total,
  nearest,
})

it('a result of a VIP shelf that nothing is said to have touched is the one that a new search gives', async () => {
  const { app } = test
  const items: { made: MadeItem; is: ItemOverrides }[] = []
  const insert = async (count: number): Promise<void> => {
    const wanted = Array.from({ length: count }, overrides)
    for (const [i, made] of (await someItems(app, wanted)).entries())
      items.push({ made, is: wanted[i] as ItemOverrides })
  }
  await insert(90)
  let untouched = 0
  let touched = 0
  for (let step = 0; step < 60; step += 1) {
    const before = queries.map(search)
    const { version } = app.listing
    const item = pick(items)
    const kind = random()
    if (kind < 0.2) await insert(1)
    else if (kind < 0.3) {
      await app.db.deleteFrom('items').where('id', '=', item.made.id).execute()
      items.splice(items.indexOf(item), 1)
    } else {
      const { name, contentType, category, region, postDate } = overrides() as Required<ItemOverrides>
      const change: ItemOverrides =
        kind < 0.5 ? { name } : kind < 0.75 ? { contentType, category, region } : kind < 0.9 ? { postDate } : {}
      Object.assign(item.is, change)
      await editItem(app, item.made, item.is)
    }
    await app.listing.catchUp()
    for (const [i, query] of queries.entries()) {
      const result = before[i] as IndexResult
      if (result.scope?.isTouchedSince(version) !== false) {
        touched += 1
        continue
      }
      untouched += 1
      expect(contentOf(result), JSON.stringify({ step, query })).toEqual(contentOf(search(query)))
    }
  }
  expect(untouched).toBeGreaterThan(200)
  expect(touched).toBeGreaterThan(100)
})

it('a category of a shelf that is made again touches who has asked for the shelf', async () => {
  const { app } = test
  await deleteAllItems(app)
  await app.db.deleteFrom('categories').where('name', '=', 'VIP Banned').execute()
  await someItems(app, [{ name: 'Burnt', contentType: 'vip-banned', region: 'asian', category: 'Banned' }])
  const query: IndexQuery = { ...everything, shelf: 'vip-banned' }
  const before = search(query)
  expect(before.total).toBe(1)
  const { version } = app.listing
  await someItems(app, [{ name: 'Burnt again', contentType: 'vip-asian', category: 'VIP Banned' }])
  expect(before.scope?.isTouchedSince(version)).toBe(true)
  expect(search(query).total).toBe(2)
})
