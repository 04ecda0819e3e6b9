import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodePayload } from '../../src/features/catalogue/item/encoding.ts'
import { someItems, type ItemOverrides } from '../harness/items.ts'
import { decode } from '../harness/request.ts'
import { openTestServer, type TestServer, serverOfFile } from '../harness/test-server.ts'

const freeTypes = ['asian', 'western', 'banned', 'unknown']
const vipTypes = ['vip', 'vip-asian', 'vip-western', 'vip-banned', 'vip-unknown']

type Work = ItemOverrides & { name: string; postDate: string }

/** A catalogue in which every filter separates something; the clock stands at noon of 15 March 2024. */
const works: Work[] = [
  { name: 'Café Müller', contentType: 'western', category: 'Film', postDate: '2024-03-15T09:00:00Z' },
  { name: '紅樓夢', contentType: 'asian', category: 'Literature', postDate: '2024-03-15T00:00:00Z' },
  { name: 'Night Journey to the West', contentType: 'asian', category: 'Film', postDate: '2024-03-14T23:59:59.999Z' },
  { name: '源氏物語 絵巻', contentType: 'asian', category: 'Art', postDate: '2024-03-14T00:00:00Z' },
  {
    name: 'Lady Chatterley',
    contentType: 'banned',
    region: 'western',
    category: 'Banned',
    postDate: '2024-03-13T23:59:59.999Z',
  },
  {
    name: 'Das Kapital',
    contentType: 'banned',
    region: 'asian',
    category: 'Banned',
    postDate: '2024-03-09T00:00:00Z',
  },
  {
    name: 'Voynich manuscript',
    contentType: 'unknown',
    region: 'western',
    category: 'Unknown',
    postDate: '2024-03-08T23:59:59.999Z',
  },
  { name: '춘향전', contentType: 'asian', category: 'Literature', postDate: '2023-03-20T12:00:00Z' },
  { name: 'ألف ليلة وليلة', contentType: 'asian', category: 'Literature', postDate: '2023-02-28T12:00:00Z' },
  { name: 'गीतांजलि', contentType: 'asian', category: 'Literature', postDate: '2022-12-31T23:59:59Z' },
  { name: 'Война и мир', contentType: 'western', category: 'Literature', postDate: '2022-01-01T00:00:00Z' },
  {
    name: '100% Wool_en "Coat" \\ O\'Neill',
    contentType: 'western',
    category: 'Art',
    postDate: '2021-06-01T12:00:00Z',
  },
  { name: '100 Woolen Coats', contentType: 'western', category: 'Art', postDate: '2021-06-02T12:00:00Z' },
  {
    name: 'An unsigned ballad',
    contentType: 'unknown',
    region: 'asian',
    category: 'Unknown',
    postDate: '2021-06-03T12:00:00Z',
  },
  { name: 'Tango at Night', contentType: 'western', category: 'Music', postDate: '2020-03-05T12:00:00Z' },
]
const hidden: Work[] = [
  {
    name: 'Vip Night Gala',
    contentType: 'vip',
    region: 'western',
    category: 'VIP Content',
    postDate: '2024-03-15T10:00:00Z',
  },
  { name: 'Vip Asian Night', contentType: 'vip-asian', category: 'Literature', postDate: '2024-03-14T10:00:00Z' },
  { name: 'Vip Western Night', contentType: 'vip-western', category: 'Film', postDate: '2024-03-13T10:00:00Z' },
  {
    name: 'Vip Banned Night',
    contentType: 'vip-banned',
    region: 'asian',
    category: 'VIP Banned',
    postDate: '2024-03-12T10:00:00Z',
  },
  {
    name: 'Vip Unknown Night',
    contentType: 'vip-unknown',
    region: 'asian',
    category: 'VIP Unknown',
    postDate: '2024-03-11T10:00:00Z',
  },
  { name: 'Draft Night', contentType: 'western', category: 'Film', postDate: '2024-03-15T08:00:00Z', status: 'draft' },
  {
    name: 'Restricted Night',
    contentType: 'western',
    category: 'Film',
    postDate: '2024-03-15T08:00:00Z',
    status: 'restricted',
  },
  {
    name: 'Removed Night',
    contentType: 'western',
    category: 'Film',
    postDate: '2024-03-15T08:00:00Z',
    status: 'removed',
  },
  { name: 'Tomorrow Night', contentType: 'western', category: 'Film', postDate: '2024-03-16T00:00:00Z' },
  { name: 'Tonight Later Night', contentType: 'asian', category: 'Film', postDate: '2024-03-15T12:00:00.001Z' },
]

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })

beforeAll(async () => {
  await someItems(server.app, [...works, ...hidden])
})

async function names(query: string): Promise<string[]> {
  const { items } = await server.search(query)
  return items.map((item) => item.name)
}

/** The specified result of a query, worked out the slow way. */
function expected(filter: (work: Work) => boolean, ascending = false): string[] {
  const found = works.filter(filter).sort((a, b) => Date.parse(b.postDate) - Date.parse(a.postDate))
  return (ascending ? found.reverse() : found).map((work) => work.name)
}

describe('the answer', () => {
  test('is one encoded text that decodes to items and totalPages, and keeps every script', async () => {
    const answer = await server.call('/universal-search/search?search=%E7%B4%85%E6%A8%93')
    expect(Object.keys(answer.json() as object)).toEqual(['data'])
    const { items, totalPages } = await server.search('search=紅樓')
    expect(totalPages).toBe(1)
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      name: '紅樓夢',
      category: 'Literature',
      contentType: 'asian',
      region: 'asian',
      postDate: '2024-03-15T00:00:00.000Z',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      slug: expect.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)*$/) as string,
    })
  })

  test('holds everything free and of the past, newest first, when nothing is asked', async () => {
    expect(await names('')).toEqual(expected(() => true))
  })

  test('says nothing of how an item was cleared, nor its gate, nor who attested it', async () => {
    const { items } = await server.search('')
    for (const item of items) {
      for (const key of Object.keys(item))
        expect(key).not.toMatch(/rights|evidence|attest|clear|fingerprint|import|people|external/i)
    }
  })

  test('has facets beside it, for a caller with the key, and without those of VIPs', async () => {
    const answer = await server.call('/universal-search/facets?category=film')
    expect(answer.json()).toEqual({
      categories: [
        { name: 'Literature', count: 5 },
        { name: 'Art', count: 3 },
        { name: 'Banned', count: 2 },
        { name: 'Film', count: 2 },
        { name: 'Unknown', count: 2 },
        { name: 'Music', count: 1 },
      ],
      languages: [],
      formats: [],
      decades: [],
      years: [{ year: 2024, count: 2, months: [{ month: 3, count: 2 }] }],
      shelves: [
        { name: 'asian', count: 1 },
        { name: 'western', count: 1 },
      ],
      total: 2,
    })
    expect((await server.request('/universal-search/facets')).status).toBe(401)
    expect((await server.call('/universal-search/facets?tier=vip')).status).toBe(403)
    expect((await server.call('/universal-search/facets?decade=1895')).status).toBe(400)
    // Also beside an answer that is kept, and where it would change nothing.
    expect((await server.call('/universal-search/facets?category=film&at=soon')).status).toBe(400)
    expect((await server.call('/universal-search/facets?category=film&page=0')).status).toBe(400)
  })

  test('says which page holds an instant', async () => {
    expect(await names('at=2022-06&limit=2')).toEqual(['Война и мир', 'An unsigned ballad'])
    const answer = await server.call('/universal-search/search?at=2022-06&limit=2')
    expect(decode((answer.json() as { data: unknown }).data)).toMatchObject({ page: 6, totalPages: 8, total: 15 })
    expect((await server.call('/universal-search/search?at=2022-06&page=2')).status).toBe(400)
  })

  test('turns round with sortOrder=ASC', async () => {
    expect(await names('sortBy=postDate&sortOrder=ASC')).toEqual(expected(() => true, true))
    expect(await names('sortBy=postDate&sortOrder=DESC')).toEqual(expected(() => true))
  })
})

describe('every combination of filters', () => {
  const dateSpans: Record<string, [string, string]> = {
    today: ['2024-03-15', '2024-03-15'],
    yesterday: ['2024-03-14', '2024-03-14'],
    '7days': ['2024-03-09', '2024-03-15'],
  }

  const latin: Record<string, string> = {
    紅樓夢: 'hongloumeng',
    '源氏物語 絵巻': 'yuanshiwuyu huijuan',
    춘향전: 'chunhyangjeon',
    'ألف ليلة وليلة': 'lf lylh wlylh',
    गीतांजलि: 'gitamjli',
    'Война и мир': 'voyna i mir',
  }

  function holds(work: Work, query: Record<string, string>): boolean {
    const day = work.postDate.slice(0, 10)
    const span = dateSpans[query['dateFilter'] ?? '']
    return (
      (query['contentType'] === undefined || work.contentType === query['contentType']) &&
      (query['region'] === undefined || (work.region ?? work.contentType) === query['region']) &&
      (query['category'] === undefined || work.category === query['category']) &&
      (query['month'] === undefined || day.slice(5, 7) === query['month']) &&
      (span === undefined || (day >= span[0] && day <= span[1])) &&
      (query['search'] === undefined ||
        `${work.name} ${latin[work.name] ?? ''}`.toLowerCase().includes(query['search']))
    )
  }

  const choices: Record<string, (string | undefined)[]> = {
    contentType: [undefined, ...freeTypes],
    region: [undefined, 'asian', 'western'],
    month: [undefined, '03', '12'],
    category: [undefined, 'Literature', 'Film', 'Banned'],
    dateFilter: [undefined, 'today', 'yesterday', '7days'],
    search: [undefined, 'night', 'a'],
    tier: [undefined, 'free'],
  }

  let queries: Record<string, string>[] = [{}]
  for (const [parameter, values] of Object.entries(choices)) {
    queries = queries.flatMap((query) =>
      values.map((value) => (value === undefined ? query : { ...query, [parameter]: value })),
    )
  }

  test(`answers all ${queries.length} as the specification reads`, async () => {
    let found = 0
    for (const question of queries) {
      const query = new URLSearchParams(question).toString()
      const answer = await server.search(query)
      const wanted = expected((work) => holds(work, question))
      expect(
        answer.items.map((item) => item.name),
        query,
      ).toEqual(wanted)
      expect(answer.totalPages, query).toBe(wanted.length === 0 ? 0 : 1)
      expect(answer.nearest !== undefined, query).toBe(wanted.length === 0 && question['search'] !== undefined)
      found += wanted.length
    }
    expect(found).toBeGreaterThan(1_000)
  })
})

describe('search text', () => {
  test.each([
    ['accents of the name are optional', 'cafe muller', ['Café Müller']],
    ['accents of the question are optional', 'täñgö', ['Tango at Night']],
    ['case does not matter', 'CAFÉ', ['Café Müller']],
    ['words come in any order', 'west night', ['Night Journey to the West']],
    ['every word must be there', 'night coat', []],
    ['a part of a word is enough', 'oynic', ['Voynich manuscript']],
    ['two Chinese characters are enough', '紅樓', ['紅樓夢']],
    ['two Chinese characters inside a name are enough', '樓夢', ['紅樓夢']],
    ['one Chinese character is enough', '夢', ['紅樓夢']],
    ['two Japanese characters are enough', '絵巻', ['源氏物語 絵巻']],
    ['two Korean characters are enough', '향전', ['춘향전']],
    ['Arabic is found', 'ليلة', ['ألف ليلة وليلة']],
    ['Devanagari is found', 'गीतां', ['गीतांजलि']],
    ['Cyrillic is found without regard to case', 'ВОЙНА', ['Война и мир']],
    ['a percent sign is itself', '100%', ['100% Wool_en "Coat" \\ O\'Neill']],
    ['an underscore is itself', 'wool_en', ['100% Wool_en "Coat" \\ O\'Neill']],
    ['a double quote is itself', '"coat"', ['100% Wool_en "Coat" \\ O\'Neill']],
    ['an apostrophe is itself', "o'neill", ['100% Wool_en "Coat" \\ O\'Neill']],
    ['a backslash is itself', '\\', ['100% Wool_en "Coat" \\ O\'Neill']],
    ['a lone percent sign finds only names that have one', '%', ['100% Wool_en "Coat" \\ O\'Neill']],
    ['a lone underscore finds only names that have one', '_', ['100% Wool_en "Coat" \\ O\'Neill']],
    ['spaces around it do not matter', '  tango   night ', ['Tango at Night']],
  ])('%s', async (_promise, search, wanted) => {
    expect(await names(new URLSearchParams({ search }).toString())).toEqual(wanted)
  })

  test('two letters of an alphabet find every name that has them', async () => {
    expect(await names('search=ca')).toEqual(expected((work) => /ca|cá/i.test(work.name)))
  })

  test('a text of spaces is no text', async () => {
    const { items, nearest } = await server.search('search=%20%20')
    expect(items).toHaveLength(works.length)
    expect(nearest).toBeUndefined()
  })

  test('SQL in the text is only text', async () => {
    expect(await names(`search=${encodeURIComponent("'; drop table items; --")}`)).toEqual([])
    expect(await names('')).toHaveLength(works.length)
  })

  test('a very long text is answered, or refused with a sentence, but never breaks', async () => {
    const answer = await server.call(`/universal-search/search?search=${'x'.repeat(5_000)}`)
    expect([200, 400, 414]).toContain(answer.status)
  })

  test.each(['%00', '%ED%A0%80', '%FF'])('a text that is no text (%s) never breaks the server', async (broken) => {
    const answer = await server.call(`/universal-search/search?search=${broken}`)
    expect([200, 400]).toContain(answer.status)
  })
})

describe('order by fit', () => {
  test('puts whole words first, then beginnings, and is the order of time without a text', async () => {
    expect(await names('search=wool')).toEqual(['100 Woolen Coats', '100% Wool_en "Coat" \\ O\'Neill'])
    expect(await names('search=at&sortBy=fit')).toEqual([
      'Tango at Night',
      'Lady Chatterley',
      '100 Woolen Coats',
      '100% Wool_en "Coat" \\ O\'Neill',
    ])
    expect(await names('sortBy=fit')).toEqual(expected(() => true))
  })

  test('finds by Latin spellings, without punctuation, and numbers without their zeros', async () => {
    expect(await names('search=voyna')).toEqual(['Война и мир'])
    expect(await names('search=hong+lou+meng&sortBy=fit')).toEqual(['紅樓夢'])
    expect(await names('search=oneill')).toEqual(['100% Wool_en "Coat" \\ O\'Neill'])
    expect(await names('search=0100+coats')).toEqual(['100 Woolen Coats'])
  })

  test('cannot be turned round', async () => {
    const answer = await server.call('/universal-search/search?search=night&sortBy=fit&sortOrder=ASC')
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'search.parameter', field: 'sortOrder' })
  })

  test('another text that finds something is offered with its exact count, under the same filters', async () => {
    expect((await server.search('search=nigth+jurney')).didYouMean).toEqual([{ text: 'night journey', count: 1 }])
    expect((await server.search('search=nigth+jurney&contentType=western')).didYouMean).toBeUndefined()
  })
})

describe('marks', () => {
  test('say where the text was found, for whoever asks', async () => {
    const marks = async (query: string): Promise<unknown> => {
      const answer = await server.call(`/universal-search/search?${query}`)
      expect(answer.status).toBe(200)
      const { data } = JSON.parse(answer.text) as { data: string }
      return (decodePayload(data) as { marks?: unknown }).marks
    }
    expect(await marks('search=voyna&marks=true')).toEqual([{ name: [0, 5] }])
    expect(await marks('search=cafe&marks=true')).toEqual([{ name: [0, 4] }])
    expect(await marks('search=cafe')).toBeUndefined()
    expect(await marks('marks=true')).toBeUndefined()
    expect(await marks('search=nothing+has+this&marks=true')).toEqual([])
    expect((await server.call('/universal-search/search?search=cafe&marks=yes')).status).toBe(400)
  })
})

describe('nearest names', () => {
  test('are offered, the best first, when a misspelt text matches nothing', async () => {
    const { items, totalPages, nearest } = await server.search('search=voinich%20manuscrit')
    expect(items).toEqual([])
    expect(totalPages).toBe(0)
    expect(nearest?.[0]?.name).toBe('Voynich manuscript')
    expect(nearest?.length).toBeLessThanOrEqual(10)
  })

  const nearestIn = async (list: string): Promise<string[]> => {
    const texts = ['voinich', 'chaterlei', 'capitaal', 'balad']
    const found = await Promise.all(texts.map((text) => server.search(`${list}&search=${text}`)))
    return found.flatMap(({ nearest = [] }) => nearest.map(({ name }) => name)).toSorted()
  }

  test('are of the same list, and not narrowed by other filters', async () => {
    expect(new Set(await nearestIn('category=banned&month=01'))).toEqual(new Set(['Das Kapital', 'Lady Chatterley']))
    expect(new Set(await nearestIn('contentType=unknown&region=asian'))).toEqual(
      new Set(['An unsigned ballad', 'Voynich manuscript']),
    )
    expect(await nearestIn('category=Art')).toEqual(
      expect.arrayContaining(['Lady Chatterley', 'Das Kapital', 'Voynich manuscript']),
    )
  })

  test('are not offered without a text', async () => {
    const { items, totalPages, nearest } = await server.search('category=Instagram')
    expect([items, totalPages, nearest]).toEqual([[], 0, undefined])
  })

  test('are not offered when something matched, also beyond the last page', async () => {
    expect((await server.search('search=night')).nearest).toBeUndefined()
    const beyond = await server.search('search=night&page=9')
    expect(beyond.items).toEqual([])
    expect(beyond.nearest).toBeUndefined()
  })

  test('are an empty list when nothing is near', async () => {
    const { items, nearest } = await server.search('search=qqqqzzzzxxxxjjjj')
    expect([items, nearest]).toEqual([[], []])
  })

  test.each(['Vip Wistern Nightt', 'Drafft Nightt', 'Tomorow Nightt', 'Restrictd Nightt'])(
    'never name an item that the caller may not see (%s)',
    async (search) => {
      const { nearest } = await server.search(new URLSearchParams({ search }).toString())
      const visible = works.map((work) => work.name)
      for (const item of nearest ?? []) expect(visible).toContain(item.name)
    },
  )
})

describe('what a caller may not see', () => {
  test('no question brings out an item that is VIP, of the future, a draft, restricted or removed', async () => {
    const secret = hidden.map((work) => work.name)
    for (const query of [
      '',
      'search=night',
      'search=vip',
      'tier=free',
      'category=Film',
      'category=VIP%20Content',
      'category=VIP%20Banned',
      'dateFilter=today',
      'region=western&search=night',
      'sortOrder=ASC',
      'limit=1&page=2',
    ]) {
      const { items, nearest } = await server.search(query)
      for (const item of [...items, ...(nearest ?? [])]) expect(secret, query).not.toContain(item.name)
    }
  })

  test.each([['tier=vip'], ...vipTypes.map((type) => [`contentType=${type}`]), ['tier=vip&search=night']])(
    '%s is refused with 403',
    async (query) => {
      const answer = await server.call(`/universal-search/search?${query}`)
      expect(answer.status).toBe(403)
      expect(answer.text).not.toMatch(/Gala|Night/)
    },
  )

  test('an item of the future appears when its time has come, without any write', async () => {
    await using own = await openTestServer({ now: '2024-03-15T12:00:00Z' })
    await someItems(own.app, [
      { name: 'Now', contentType: 'asian', postDate: '2024-03-15T12:00:00Z' },
      { name: 'Later', contentType: 'asian', postDate: '2024-03-15T12:00:01Z' },
    ])
    const read = async () => (await own.search('')).items.map((item) => item.name)
    expect(await read()).toEqual(['Now'])
    own.clock.advance(999)
    expect(await read()).toEqual(['Now'])
    own.clock.advance(1)
    expect(await read()).toEqual(['Later', 'Now'])
  })

  test('an item whose rights lapse is gone at that instant, without any write', async () => {
    await using own = await openTestServer({ now: '2024-03-15T12:00:00Z' })
    await someItems(own.app, [
      { name: 'Licensed until 2090', contentType: 'asian', postDate: '2024-01-01', validTo: '2090-01-01T00:00:00Z' },
      { name: 'Free for ever', contentType: 'asian', postDate: '2024-01-01' },
    ])
    own.clock.set('2089-12-31T23:59:59.999Z')
    expect((await own.search('')).items.map((item) => item.name).sort()).toEqual([
      'Free for ever',
      'Licensed until 2090',
    ])
    expect((await own.call('/asiancontent/licensed-until-2090')).status).toBe(200)
    own.clock.set('2090-01-01T00:00:00Z')
    expect((await own.search('')).items.map((item) => item.name)).toEqual(['Free for ever'])
    expect((await own.search('search=licensed')).items).toEqual([])
    expect((await own.call('/asiancontent/licensed-until-2090')).status).toBe(404)
  })
})

describe('paging', () => {
  const count = 50
  let own: TestServer
  beforeAll(async () => {
    own = await openTestServer({ now: '2024-03-15T12:00:00Z' })
    await someItems(
      own.app,
      Array.from({ length: count }, (_, i) => ({
        name: `Same day ${String(i).padStart(2, '0')} ${i % 2 === 0 ? 'even' : 'odd'}`,
        contentType: i % 2 === 0 ? 'asian' : 'western',
        // All but three share one instant.
        postDate: i < 3 ? `2024-02-0${i + 1}` : '2024-01-01',
      })),
    )
  })
  afterAll(() => own.close())

  async function walk(query: string, limit: number): Promise<{ names: string[]; totalPages: Set<number> }> {
    const seen: string[] = []
    const totals = new Set<number>()
    for (let page = 1; page <= 100; page += 1) {
      const { items, totalPages } = await own.search(`${query}&limit=${limit}&page=${page}`)
      if (items.length === 0) break
      totals.add(totalPages)
      seen.push(...items.map((item) => item.name))
    }
    return { names: seen, totalPages: totals }
  }

  test.each(['', 'search=day', 'search=even', 'contentType=asian', 'sortOrder=ASC', 'search=odd&sortOrder=ASC'])(
    'equal dates neither repeat nor skip an item, whatever the size of the page (%s)',
    async (query) => {
      const whole = (await own.search(`${query}&limit=300`)).items.map((item) => item.name)
      expect(whole.length).toBeGreaterThanOrEqual(count / 2)
      expect(new Set(whole).size).toBe(whole.length)
      for (const limit of [1, 7, 24, 25, 49, 50]) {
        expect((await walk(query, limit)).names, `limit ${limit}`).toEqual(whole)
      }
    },
  )

  test('totalPages is the number of pages', async () => {
    expect([...(await walk('', 7)).totalPages]).toEqual([8])
    expect([...(await walk('', 25)).totalPages]).toEqual([2])
    expect((await own.search('contentType=asian&limit=5')).totalPages).toBe(5)
    expect((await own.search('search=even&limit=5')).totalPages).toBe(5)
  })

  test('a page beyond the last is an empty list', async () => {
    const { items, totalPages } = await own.search('limit=25&page=3')
    expect(items).toEqual([])
    expect(totalPages).toBe(2)
    expect((await own.search('page=1000000')).items).toEqual([])
  })
})

describe('time', () => {
  test('"today" and months are those of the site, not of London', async () => {
    // In Auckland it is 01:00 of 1 April; in UTC it is noon of 31 March.
    await using own = await openTestServer({ now: '2024-03-31T12:00:00Z', env: { SITE_TIME_ZONE: 'Pacific/Auckland' } })
    await someItems(own.app, [
      { name: 'First hour of April', contentType: 'asian', postDate: '2024-03-31T11:30:00Z' },
      { name: 'Last hour of March', contentType: 'asian', postDate: '2024-03-31T10:30:00Z' },
      { name: 'First hour of March', contentType: 'asian', postDate: '2024-02-29T11:30:00Z' },
    ])
    const read = async (query: string) => (await own.search(query)).items.map((item) => item.name)
    expect(await read('dateFilter=today')).toEqual(['First hour of April'])
    expect(await read('dateFilter=yesterday')).toEqual(['Last hour of March'])
    expect(await read('month=04')).toEqual(['First hour of April'])
    expect(await read('month=03')).toEqual(['Last hour of March', 'First hour of March'])
    expect(await read('month=02')).toEqual([])
  })
})

describe('bad input', () => {
  // Value by value: read-search-query.test.ts.
  test.each([
    ['page=1.5', 'page', '1.5', /whole|number/],
    ['dateFilter=tomorrow', 'dateFilter', 'tomorrow', /today.*yesterday.*7days/],
  ])('%s answers 400, naming parameter, value and what is allowed', async (query, parameter, value, allowed) => {
    const answer = await server.call(`/universal-search/search?${query}`)
    expect(answer.status).toBe(400)
    const body = answer.json() as Record<string, string>
    expect(body['message']).toBe(body['error'])
    expect(body['message']).toContain(parameter)
    expect(body['message']).toContain(value)
    expect(body['message']).toMatch(allowed)
    expect(body['field']).toBe(parameter)
  })

  test('a parameter given twice answers 400 and is named', async () => {
    const answer = await server.call('/universal-search/search?contentType=asian&contentType=western')
    expect(answer.status).toBe(400)
    expect((answer.json() as { message: string }).message).toContain('contentType')
  })

  test('the value in the sentence cannot bring markup into a page, nor flood the log', async () => {
    const answer = await server.call(`/universal-search/search?month=${encodeURIComponent('<script>'.repeat(500))}`)
    expect(answer.status).toBe(400)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    expect(answer.text.length).toBeLessThan(2_000)
  })

  test('every allowed spelling of the fixed parameters is taken', async () => {
    const answer = await server.search(
      'page=1&limit=300&sortBy=postDate&sortOrder=DESC&monthField=postDate&dateField=postDate&month=03&dateFilter=7days',
    )
    expect(answer.items.length).toBeGreaterThan(0)
    expect(await names('limit=1')).toHaveLength(1)
  })
})
