import { beforeAll, describe, expect, test } from 'vitest'
import { editItem, type ItemOverrides, type MadeItem, someItems } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { foldText } from '../item/name-text.ts'
import { searchedText } from '../item/searched-text.ts'
import type { TermKind } from '../item/terms.ts'
import { readSearchQuery } from './read-search-query.ts'
import { searchFacets } from './search-facets.server.ts'
import { searchItems, searchPage } from './search-items.server.ts'

const now = '2024-03-15T12:00:00Z'
const vip: Viewer = { ...anonymous, roles: new Set(['vip'] as const) }
const timeZone = 'America/New_York'

/** A generator that gives the same numbers at every run (mulberry32). */
let seed = 24
function random(below: number): number {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % below
}
const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T
const some = (from: readonly string[], most: number): string =>
  [...new Set(Array.from({ length: random(most + 1) }, () => pick(from)))].join('; ')

const values = {
  language: ['en', 'pt-BR', 'pt', 'zh-Hant'],
  format: ['EPUB', 'PDF', 'epub'],
  creator: ['Émile Zola', 'Leo Tolstoy', 'Лев Толстой'],
  series: ['Les Rougon-Macquart', 'Barsetshire'],
  tag: ['Novel', 'Sea stories', 'Épopée'],
} as const
const kinds = [
  { contentType: 'western', categories: ['Literature', 'Banned', 'Unknown'] },
  { contentType: 'asian', categories: ['Literature', 'Art'] },
  { contentType: 'banned', categories: ['Banned'] },
  { contentType: 'vip', categories: ['Art', 'Unknown'] },
  { contentType: 'vip-western', categories: ['Literature', 'Banned'] },
  { contentType: 'vip-banned', categories: ['VIP Banned', 'Banned'] },
] as const

function aWork(number: number): ItemOverrides {
  const { contentType, categories } = pick(kinds)
  return {
    name: `${pick(['War', 'Sea', 'Moon'])} and ${pick(['Peace', 'Sand'])} ${number}`,
    contentType,
    category: pick<string>(categories),
    ...(contentType === 'banned' || contentType === 'vip' || contentType === 'vip-banned'
      ? { region: pick(['asian', 'western']) }
      : {}),
    // The last days lie ahead: in early access, and behind it.
    postDate: new Date(Date.parse('2022-11-01T02:00:00Z') + random(505) * 86_400_000).toISOString(),
    creators: some(values.creator, 2),
    language: some(values.language, 2),
    year: pick(['', '1599', 'c. 1603', '-430', '1609']),
    series: pick(['', ...values.series]),
    tags: some(values.tag, 2),
    linkFormat: pick(['', ...values.format]),
  }
}

const works = Array.from({ length: 160 }, (_, i) => aWork(i))

const opened = appOfFile({ now, env: { EARLY_ACCESS_DAYS: '3', SITE_TIME_ZONE: timeZone } })

beforeAll(async () => {
  await someItems(opened.app, works)
})

const parameters = {
  search: ['war', 'sea peace', 'zola', 'toltsoi'],
  category: ['literature', 'Banned', 'none such'],
  language: ['pt', 'PT-br', 'de'],
  format: ['epub', 'DjVu'],
  decade: ['1590', '1600', '-430'],
  creator: ['emile zola', 'Nobody'],
  series: ['BARSETSHIRE'],
  tag: ['sea stories', 'epopee'],
  month: ['02', '12'],
  dateFilter: ['7days', 'today'],
  contentType: ['western', 'banned'],
  region: ['asian'],
  tier: ['free'],
} as const
const ofVip = {
  ...parameters,
  tier: ['free', 'vip'],
  contentType: ['western', 'vip', 'vip-banned'],
  shelf: ['vip-banned', 'vip-unknown', 'vip-first'],
}

function aQuestion(of: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  const names = Object.keys(of).filter(() => random(6) === 0)
  return Object.fromEntries(names.map((name) => [name, pick(of[name] as readonly string[])]))
}

/** Compares each count with a search that asks for the value in place of its own filter. @returns how many */
function compareCounts(viewer: Viewer, question: Record<string, string>): number {
  const total = (asked: Record<string, string>): number =>
    searchItems(opened.app, viewer, readSearchQuery(new URLSearchParams(asked))).total
  let compared = 0
  const { facets } = searchFacets(opened.app, viewer, readSearchQuery(new URLSearchParams(question)))
  expect(facets.total, JSON.stringify(question)).toBe(total(question))
  for (const [list, name] of [
    ['categories', 'category'],
    ['languages', 'language'],
    ['formats', 'format'],
    ['decades', 'decade'],
  ] as const) {
    for (const { name: value, count } of facets[list]) {
      expect(count, `${name}=${value} of ${JSON.stringify(question)}`).toBe(total({ ...question, [name]: value }))
      compared += 1
    }
    // Nothing that is found is left out.
    const own = question[name]
    if (facets.total > 0 && own !== undefined)
      expect(facets[list].map((each) => foldText(each.name))).toContain(foldText(own))
  }
  const { contentType: _type, region: _region, tier: _tier, shelf: _shelf, ...unlisted } = question
  for (const { name, count } of facets.shelves) {
    // Its categories stand in for the filter of the search.
    if (question['category'] !== undefined || question['search'] !== undefined) continue
    const asList: Record<string, Record<string, string>> = {
      banned: { category: 'Banned', tier: 'free' },
      unknown: { category: 'Unknown', tier: 'free' },
      'vip-banned': { shelf: 'vip-banned' },
      'vip-unknown': { shelf: 'vip-unknown' },
      'vip-first': { shelf: 'vip-first' },
    }
    expect(count, `${name} of ${JSON.stringify(question)}`).toBe(
      total({
        ...unlisted,
        ...(asList[name] ?? {
          contentType: name,
          ...(name.startsWith('vip') ? { tier: 'vip' } : { tier: 'free' }),
        }),
      }),
    )
    compared += 1
  }
  return compared
}

describe.each([
  ['a visitor', anonymous, parameters],
  ['a VIP', vip, ofVip],
])('to %s', (_, viewer, possible) => {
  test('every count is what a search finds that asks for the value in place of its own filter', () => {
    let compared = 0
    for (let i = 0; i < 150; i += 1) {
      const question = aQuestion(possible)
      compared += compareCounts(viewer, question)
    }
    expect(compared).toBeGreaterThan(500)
  })

  test('years and months count the entries by their post dates in the time zone of the site', async () => {
    const question = { language: 'pt' }
    const { facets } = searchFacets(
      opened.app,
      viewer,
      readSearchQuery(new URLSearchParams({ ...question, month: '02' })),
    )
    const { items } = await searchPage(opened.app, viewer, readSearchQuery(new URLSearchParams(question)))
    const months = Map.groupBy(items, ({ item }) => dayOf(Date.parse(item.postDate), timeZone).slice(0, 7))
    const counted = facets.years.flatMap(({ year, months: ofYear }) =>
      ofYear.map(({ month, count }) => [`${year}-${String(month).padStart(2, '0')}`, count]),
    )
    expect(counted).toEqual(Array.from(months, ([month, found]) => [month, found.length]))
    expect(facets.years.map(({ count }) => count)).toEqual(
      facets.years.map(({ months: ofYear }) => ofYear.reduce((sum, { count }) => sum + count, 0)),
    )
  })

  test('an instant leads to the page that holds the first entry not after its end', async () => {
    for (const filters of [{}, { search: 'war' }, { language: 'pt' }, { sortOrder: 'ASC' }])
      for (const at of ['2030', '2024', '2023-06', '2023-12-31', '2022', '1999']) {
        const ask = (more: Record<string, string>) =>
          searchPage(opened.app, viewer, readSearchQuery(new URLSearchParams({ limit: '7', ...filters, ...more })))
        const { page, items, totalPages } = await ask({ at })
        const days = async (of: number) =>
          (await ask({ page: String(of) })).items.map(({ item }) => dayOf(Date.parse(item.postDate), timeZone))
        expect(await days(page)).toEqual(items.map(({ item }) => dayOf(Date.parse(item.postDate), timeZone)))
        const isAscending = 'sortOrder' in filters
        const isIn = (day: string) => day.slice(0, at.length) <= at
        if (!isAscending && at !== '1999') {
          expect((await days(page)).some(isIn)).toBe(true)
          if (page > 1) expect((await days(page - 1)).some(isIn)).toBe(false)
        }
        if (at === '1999') expect(page).toBe(isAscending ? 1 : totalPages)
        if (at === '2030') expect(page).toBe(isAscending ? totalPages : 1)
      }
  })
})

test('a filter finds the entries that have the value whole, without regard to case and accents', () => {
  const free = works.filter(
    ({ contentType, postDate = '' }) => !contentType?.startsWith('vip') && Date.parse(postDate) <= Date.parse(now),
  )
  const count = (has: (work: ItemOverrides) => boolean): number => free.filter(has).length
  const list = (text = ''): string[] => text.split('; ').map(foldText)
  const expected: [TermKind, string, number][] = [
    ['creator', 'EMILE ZOLA', count(({ creators }) => list(creators).includes('emile zola'))],
    ['creator', 'zola', 0],
    ['tag', 'epopee', count(({ tags }) => list(tags).includes('epopee'))],
    ['series', 'barsetshire', count(({ series }) => series === 'Barsetshire')],
    ['format', 'Epub', count(({ linkFormat }) => linkFormat?.toLowerCase() === 'epub')],
    ['language', 'pt', count(({ language }) => list(language).some((each) => each.startsWith('pt')))],
    ['language', 'pt-BR', count(({ language }) => list(language).includes('pt-br'))],
    ['decade', '1600', count(({ year }) => year === 'c. 1603' || year === '1609')],
    ['decade', '-430', count(({ year }) => year === '-430')],
  ]
  for (const [kind, value, wanted] of expected) {
    const query = readSearchQuery(new URLSearchParams({ [kind]: value }))
    expect(searchItems(opened.app, anonymous, query).total, `${kind}=${value}`).toBe(wanted)
  }
  expect(expected.filter(([, , wanted]) => wanted > 0)).toHaveLength(8)
})

test('an edit of its terms moves an entry from one filter to another, and a deletion takes it out', async () => {
  const [made] = await someItems(opened.app, [{ name: 'A term of its own', creators: 'Sappho', tags: 'Lyric' }])
  const found = (terms: { [kind in TermKind]?: string }) =>
    searchItems(opened.app, anonymous, { page: 1, limit: 300, ascending: false, text: '', terms }).total
  expect([found({ creator: 'sappho' }), found({ creator: 'sappho', tag: 'lyric' }), found({ tag: 'sappho' })]).toEqual([
    1, 1, 0,
  ])
  const { app } = opened
  const item = app.db.updateTable('items').where('id', '=', made?.id ?? '')
  const searched = searchedText({ name: 'A term of its own', creators: ['Alcaeus'], tags: ['Lyric'] })
  await item.set({ creators: ['Alcaeus'], searched }).execute()
  await app.listing.catchUp()
  expect([found({ creator: 'sappho' }), found({ creator: 'ALCAEUS' })]).toEqual([0, 1])
  await app.db
    .deleteFrom('items')
    .where('id', '=', made?.id ?? '')
    .execute()
  await app.listing.catchUp()
  expect([found({ creator: 'alcaeus' }), found({ tag: 'lyric' })]).toEqual([0, 0])
})

test('counts follow edits, deletions, the ends of rights, and the clock in both directions', async () => {
  const { app, clock } = opened
  const made: MadeItem[] = []
  const aDay = 86_400_000
  // The database goes by its own clock: it takes no rights that have ended by now.
  const muchLater = '2099-01-01T12:00:00Z'
  for (let step = 0; step < 32; step += 1) {
    if (step % 4 === 0) {
      const validTo = new Date(Date.parse(muchLater) + random(12) * aDay).toISOString().slice(0, 10)
      const isLicensed = step % 8 === 0
      made.push(
        ...(await someItems(app, [
          aWork(1_000 + step),
          { ...aWork(2_000 + step), ...(isLicensed ? { validTo } : {}) },
        ])),
      )
    } else if (step === 13) clock.set(muchLater)
    else if (step % 4 === 1) clock.advance((step % 3 === 0 ? -1 : 2) * aDay)
    else if (step % 4 === 2) await editItem(app, pick(made), aWork(3_000 + step)).catch(() => undefined)
    else {
      const [gone] = made.splice(random(made.length), 1)
      await app.db
        .deleteFrom('items')
        .where('id', '=', gone?.id ?? '')
        .execute()
      await app.listing.catchUp()
    }
    for (const [viewer, possible] of [
      [anonymous, parameters],
      [vip, ofVip],
    ] as const)
      for (const question of [{}, aQuestion(possible), aQuestion(possible)]) compareCounts(viewer, question)
  }
})
