import { beforeAll, describe, expect, it } from 'vitest'
import { type MadeItem, someItems } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'
import { categoriesMissed, type ContentType, contentTypes, isVipType, regions } from '../item/content-type.ts'
import { wordsOf } from '../item/name-text.ts'
import { searchedText } from '../item/searched-text.ts'
import { vipShelfNames } from '../item/vip-shelf.ts'
import { searchItems, type SearchQuery } from './search-items.server.ts'
import { sequence } from '../../../../tests/harness/sequence.ts'

/*
 * The search is compared with the plainest one there is: a filter over a list. The catalogue is larger than what is
 * walked in one step, so that every way of finding is taken.
 */

const count = 5_000
const now = '2024-03-15T12:00:00.000Z'
/** Free items up to here are VIPs' before their post date. */
const earlyUntil = Date.parse(now) + 86_400_000
const vip: Viewer = { ...anonymous, roles: new Set(['vip']) }

const random = sequence(7)
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

const categories = [
  'Asian',
  'Western',
  'Banned',
  'Unknown',
  'Film',
  'Art',
  'Music',
  'VIP Content',
  'VIP Banned',
  'VIP Unknown',
]
const words = [
  'the',
  'a',
  'Whale',
  'Café',
  'œuvre',
  'Ibn',
  '100%',
  'snake_case',
  'back\\slash',
  "L'été",
  '三國',
  '三',
  '演義',
  'ねこ',
  'こころ',
]
const rare = ['Zanzibar', 'Ωμέγα', 'Достоевский', 'गोदान', '史記', 'القمر', 'ÅNGSTRÖM', '홍길동전']

interface Listed {
  no: number
  name: string
  postedAt: number
  contentType: string
  region: string
  category: string
}

/** The category, or the one that the type asks for instead. */
function suitable(contentType: ContentType, category: string): string {
  return categoriesMissed({ contentType, category })?.[0] ?? category
}

let listed: Listed[]

const test = appOfFile({ now, env: { SITE_TIME_ZONE: 'America/Sao_Paulo', EARLY_ACCESS_DAYS: '1' } })

beforeAll(async () => {
  const { app } = test
  const wanted = Array.from({ length: count }, () => {
    const contentType = random() < 0.7 ? 'western' : pick(contentTypes)
    const name = [
      ...Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(words)),
      ...(random() < 0.01 ? [pick(rare)] : []),
    ]
    return {
      name: name.sort(() => random() - 0.5).join(' '),
      slug: `item-${Math.floor(random() * 1e12)}`,
      category: suitable(contentType, pick(categories)),
      contentType,
      region: contentType.endsWith('asian') ? 'asian' : contentType.endsWith('western') ? 'western' : pick(regions),
      // Whole hours of few days: many have the same; a few lie ahead.
      postDate: new Date(Date.parse(now) - Math.floor(random() * 24 * 400 - 48) * 3_600_000).toISOString(),
      status: random() < 0.97 ? ('published' as const) : ('draft' as const),
    }
  })
  const made: MadeItem[] = []
  for (let i = 0; i < count; i += 1_000) made.push(...(await someItems(app, wanted.slice(i, i + 1_000))))
  const numbers = await app.db.selectFrom('items').select(['no', 'id', 'created_at']).execute()
  const numberOf = new Map(numbers.map((row) => [row.id, row]))
  listed = made
    .map(({ id }, i) => ({
      ...(wanted[i] as (typeof wanted)[number]),
      ...(numberOf.get(id) as (typeof numbers)[number]),
    }))
    .filter(
      ({ status, postDate, contentType }) =>
        status === 'published' && (postDate <= now || (!isVipType(contentType) && Date.parse(postDate) <= earlyUntil)),
    )
    .map((item) => ({
      ...item,
      name: searchedText(item),
      postedAt: Date.parse(item.postDate),
      createdAt: item.created_at.getTime(),
    }))
    .sort((a, b) => b.postedAt - a.postedAt || b.createdAt - a.createdAt || b.no - a.no)
}, 60_000)

/** São Paulo was three hours behind UTC all through this year. */
const localDay = (instant: number): string => new Date(instant - 3 * 3_600_000).toISOString().slice(0, 10)

function plainSearch(viewer: Viewer, query: SearchQuery): number[] {
  const requested = wordsOf(query.text)
  const days: Record<string, [string, string]> = {
    today: ['2024-03-15', '2024-03-15'],
    yesterday: ['2024-03-14', '2024-03-14'],
    '7days': ['2024-03-09', '2024-03-15'],
  }
  const span = query.dateFilter === undefined ? undefined : days[query.dateFilter]
  const found = listed.filter((item) => {
    const day = localDay(item.postedAt)
    const isEarly = item.postedAt > Date.parse(now)
    const isVip = isEarly || isVipType(item.contentType)
    const ofShelf = {
      'vip-first': isEarly ? [item.category] : [],
      'vip-banned': ['Banned', 'VIP Banned'],
      'vip-unknown': requested.length > 0 ? [item.category] : ['Unknown', 'VIP Unknown'],
    }
    return (
      (viewer === vip || !isVip) &&
      (query.isVip === undefined || query.isVip === isVip) &&
      (query.shelf === undefined || (isVip && ofShelf[query.shelf].includes(item.category))) &&
      // Without a text, the lists of categories hold VIP types alone.
      (!isEarly || query.shelf === undefined || query.shelf === 'vip-first' || requested.length > 0) &&
      (query.contentType === undefined || query.contentType === item.contentType) &&
      (query.region === undefined || query.region === item.region) &&
      (query.category === undefined || query.category.toLowerCase() === item.category.toLowerCase()) &&
      (query.month === undefined || query.month === Number(day.slice(5, 7))) &&
      (span === undefined || (span[0] <= day && day <= span[1])) &&
      requested.every((word) => item.name.includes(word))
    )
  })
  const itemNumbers = found.map((item) => item.no)
  return query.ascending ? itemNumbers.reverse() : itemNumbers
}

const texts = [
  '',
  'the',
  'WHALE',
  'cafe',
  'oeuvre',
  'ete',
  '%',
  '_',
  '\\',
  '三國',
  '國',
  '演義',
  '三國演義',
  'こころ',
  'ねこ',
  'a',
  'al',
  'ibn the',
]
const rareTexts = [
  'zanzibar',
  'ωμεγα',
  'достоевский',
  'गोदान',
  '史記',
  '記',
  'القمر',
  'angstrom',
  '홍길동',
  'whale zanzibar',
  'nowhere',
]

describe('searchItems', () => {
  it('finds exactly what a plain filter finds, in its order, on every page', async () => {
    for (let i = 0; i < 350; i += 1) {
      const maybe = <K extends keyof SearchQuery>(key: K, value: SearchQuery[K], chance: number) =>
        random() < chance ? { [key]: value } : {}
      const query = {
        page: 1,
        limit: pick([1, 7, 100, 300]),
        ascending: random() < 0.4,
        text: random() < 0.5 ? pick(texts) : random() < 0.5 ? pick(rareTexts) : '',
        ...maybe('category', pick(['film', 'Banned', 'ART', 'Unknown', 'nothing like it']), 0.2),
        ...maybe('month', 1 + Math.floor(random() * 12), 0.2),
        ...maybe('dateFilter', pick(['today', 'yesterday', '7days']), 0.15),
        ...maybe('contentType', pick(contentTypes), 0.3),
        ...maybe('region', pick(regions), 0.2),
        ...maybe('isVip', random() < 0.5, 0.3),
        ...maybe('shelf', pick(vipShelfNames), 0.3),
      } as SearchQuery
      const viewer = random() < 0.5 ? vip : anonymous
      const expected = plainSearch(viewer, query)
      const last = Math.max(1, Math.ceil(expected.length / query.limit))
      for (const page of new Set([1, 2, Math.ceil(last / 2), last, last + 1])) {
        const result = searchItems(test.app, viewer, { ...query, page })
        const label = JSON.stringify({ ...query, page, isVip: viewer === vip })
        const from = (page - 1) * query.limit
        expect(result.itemNumbers, label).toEqual(expected.slice(from, from + query.limit))
        expect(result.total, label).toBe(expected.length)
        expect(result.totalPages, label).toBe(Math.ceil(expected.length / query.limit))
      }
    }
  })

  it('offers on a shelf of the VIP area the nearest VIP names alone', async () => {
    const names = new Map(listed.map((item) => [item.no, item]))
    for (const shelf of ['vip-banned', 'vip-unknown'] as const) {
      const { nearest = [] } = searchItems(test.app, vip, {
        page: 1,
        limit: 300,
        ascending: false,
        text: 'whalle snake_case',
        shelf,
      })
      expect(nearest.length).toBeGreaterThan(0)
      for (const no of nearest) expect(isVipType(names.get(no)?.contentType as string)).toBe(true)
    }
  })
})
