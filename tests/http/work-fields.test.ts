import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BulkEditForAdmin, BulkItems } from '../../src/features/catalogue/bulk/bulk-schema.ts'
import type { ItemForAdmin, Reason } from '../../src/features/catalogue/editing/content-schema.ts'
import { bodyOf, valuesOf } from '../../src/features/catalogue/editing/parts/form-values.ts'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import { itemColumns } from '../../src/features/catalogue/item/item.ts'
import { linkSlots } from '../../src/features/catalogue/item/link-slots.ts'
import { exportPieces } from '../../src/features/catalogue/transfer/export-items.server.ts'
import { readImportFile } from '../../src/features/catalogue/transfer/import-file.server.ts'
import { importItems } from '../../src/features/catalogue/transfer/import-items.server.ts'
import { csvLines } from '../../src/platform/csv/csv.ts'
import { drainJobs } from '../harness/drain.ts'
import { deleteAllItems, someItems } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { decode, type TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* The facts of a work, through every way that a field has (docs/spec/catalogue.md#work-fields). */

let token: string
const server = serverOfFile()

beforeAll(async () => {
  token = await signIn(server, await aMember(server.app, { isAdmin: true }))
})
beforeEach(() => deleteAllItems(server.app))

function send(method: string, path: string, body: object): Promise<TestResponse> {
  const headers = { 'content-type': 'application/json', ...bearer(token), 'admin-key': adminKeyOf(token) }
  return server.call(path, { method, headers, body: JSON.stringify(body) })
}

interface Imported {
  created: number
  unchanged: number
  updated: number
  rejected: number
  reasons: string[]
}

async function imported(text: string, path = 'works.csv', splitNames?: string): Promise<Imported> {
  async function* chunks(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 262_144) yield bytes.subarray(at, at + 262_144)
  }
  const reasons: string[] = []
  const tally = await importItems(
    server.app,
    await readImportFile(chunks(), { path }),
    { publish: true, createCategories: true, dryRun: false, splitNames },
    { onProgress: ({ rejected }) => void reasons.push(...rejected.flatMap((one) => one.reasons)) },
  )
  await server.app.listing.catchUp()
  return { ...tally, reasons }
}

async function exported(format: 'csv' | 'jsonl' = 'csv'): Promise<string> {
  let text = ''
  for await (const piece of exportPieces(server.app, { format })) text += piece.text
  return text
}

const adminItem = async (id: string): Promise<ItemForAdmin> =>
  (await server.call(`/api/items/${id}`, { headers: bearer(token) })).json() as ItemForAdmin

async function search(text: string): Promise<{ id: string; name: string }[]> {
  const answer = await server.call(`/universal-search/search?search=${encodeURIComponent(text)}`)
  return (decode((answer.json() as { data: unknown }).data) as { data: { id: string; name: string }[] }).data
}

async function detail(slug: string, region = 'western'): Promise<Record<string, unknown>> {
  const answer = await server.call(`/${region}content/${slug}`)
  return decode((answer.json() as { data: unknown }).data) as Record<string, unknown>
}

const usual = {
  category: 'Literature',
  contentType: 'western',
  region: 'western',
  rating: 'general',
  rightsBasis: 'public_domain',
  licence: 'https://creativecommons.org/publicdomain/mark/1.0/',
  permitsDownload: 'true',
  permitsPaidAccess: 'true',
  people: 'none',
}
const hamlet = {
  ...usual,
  name: 'Hamlet',
  slug: 'hamlet',
  postDate: '1998-11-01',
  link: 'https://www.gutenberg.org/ebooks/1524',
  linkG: 'https://gutenberg.pglaf.org/1/5/2/1524/',
  evidence: 'First published 1603; author died 1616.',
  externalId: 'pg-1524',
  creators: 'William Shakespeare',
  description:
    'A prince is asked by a ghost to avenge a murder, and doubts.\nHe says: "The play\'s the thing".\n\nThe longest of the tragedies, with some 4,000 lines.',
  language: 'en',
  year: 'c. 1603',
  series: 'The Tragedies',
  seriesNumber: '1.5',
  tags: 'Tragedies; Denmark; Kings and rulers',
  alsoKnownAs: 'The Tragicall Historie of Hamlet; Amleto',
  linkFormat: 'EPUB',
  linkSize: '412345',
  linkSha256: 'a'.repeat(64),
  linkGFormat: 'Folder',
}
const rows: Record<string, string>[] = [
  hamlet,
  {
    ...usual,
    name: '道德經',
    slug: 'dao-de-jing',
    contentType: 'asian',
    region: 'asian',
    postDate: '2006-05-30',
    link: 'https://www.gutenberg.org/ebooks/7337',
    evidence: 'Written before 300 BC.',
    externalId: 'pg-7337',
    creators: '老子',
    language: 'zh; en',
    year: '-400',
    tags: 'Taoism',
    alsoKnownAs: 'Tao Te Ching',
  },
  {
    ...usual,
    name: 'Beowulf',
    slug: 'beowulf',
    postDate: '2005-07-19',
    link: 'https://www.gutenberg.org/ebooks/981',
    evidence: 'Written about 1000.',
    externalId: 'pg-981',
  },
]
const file = (of: Record<string, string>[]): string =>
  csvLines([itemColumns, ...of.map((row) => itemColumns.map((column) => row[column] ?? ''))])

test('a row goes import, list, search, detail, form, export, import, and comes back byte for byte', async () => {
  expect(await imported(file(rows))).toMatchObject({ created: 3, rejected: 0, reasons: [] })
  for (const text of ['shakespeare', 'amleto', 'tragicall hamlet', 'denmark', 'the tragedies']) {
    expect(
      (await search(text)).map(({ name }) => name),
      text,
    ).toEqual(['Hamlet'])
  }
  expect((await search('4,000 lines')).length).toBe(0)
  const [listed] = await search('hamlet')
  // A list carries no facts but the creators.
  expect(Object.keys(listed ?? {})).not.toContain('tags')

  const answer = await detail('hamlet')
  expect(answer).toMatchObject({
    description: hamlet.description,
    language: ['en'],
    year: 1603,
    yearText: 'c. 1603',
    series: 'The Tragedies',
    seriesNumber: 1.5,
    tags: ['Tragedies', 'Denmark', 'Kings and rulers'],
    alsoKnownAs: ['The Tragicall Historie of Hamlet', 'Amleto'],
    linkFormat: 'EPUB',
    linkSize: 412_345,
    linkSha256: 'a'.repeat(64),
    linkGFormat: 'Folder',
  })
  expect(await detail('dao-de-jing', 'asian')).toMatchObject({ language: ['zh', 'en'], year: -400 })
  const plain = await detail('beowulf')
  for (const name of ['description', 'language', 'year', 'yearText', 'series', 'seriesNumber', 'tags', 'linkFormat'])
    expect(plain, name).not.toHaveProperty(name)

  // The page names them, and leads to what has the same.
  const { text: page } = await server.call('/western/hamlet')
  expect(page).toContain('<a class="text-link" href="/western?creator=William+Shakespeare"')
  expect(page).toMatch(/No\. 1\.5 in <a class="text-link" href="\/western\?series=The\+Tragedies"/)
  for (const fact of [
    'Year</dt><dd>c. 1603<',
    'Language</dt><dd><a class="text-link" href="/western?language=en"',
    'Amleto',
    'The longest of the tragedies',
  ])
    expect(page).toContain(fact)
  expect(page).toMatch(/EPUB · <\/span><span class="download-file">412 kB · <\/span>/)
  expect(page).toMatch(/"inLanguage":\["en"\],"dateCreated":"1603","datePublished":"1998-11-01"/)
  const { text: barePage } = await server.call('/western/beowulf')
  for (const fact of ['Year</dt>', 'Language', 'card-tags', 'card-by', 'undefined'])
    expect(barePage).not.toContain(fact)

  // The form sends what it was given.
  const item = await adminItem(String(answer['id']))
  const { slug: _slug, ...body } = bodyOf(valuesOf(item), undefined)
  const saved = await send('PUT', `/westerncontent/${item.id}`, { ...body, version: item.version })
  expect([saved.status, (saved.json() as ItemForAdmin).version]).toEqual([200, item.version])

  const text = await exported()
  expect(text).toBe(file(rows))
  expect(await imported(text)).toMatchObject({ unchanged: 3, updated: 0 })
  expect(await imported(await exported('jsonl'), 'works.jsonl')).toMatchObject({ unchanged: 3, updated: 0 })
})

/** A text for every column but the slug, which the form does not send, and the cover, which has a call of its own. */
const everything: Record<string, string> = {
  ...hamlet,
  validFrom: '2001-02-03',
  validTo: '2088-12-31',
  rightsHolder: 'The Folger Library',
  people: 'not_identifiable',
  year: '-380',
  description: '=1+1 is how it begins; "quoted", with a comma.\n\nAnd \'another\' paragraph.',
  language: 'en; pt-BR; zh-Hant',
  ...Object.fromEntries(
    linkSlots.flatMap((slot, place) => [
      [slot, `https://files.example/${slot}?a=1&b="2"`],
      [`${slot}Format`, `Format ${place}`],
      [`${slot}Size`, String(9_007_199_254_740_991 - place)],
      [`${slot}Sha256`, String(place).repeat(64)],
    ]),
  ),
}

test('every field of the format goes through file, form, interface and cover, and comes back byte for byte', async () => {
  expect(itemColumns.filter((column) => (everything[column] ?? '') === '')).toEqual(['cover'])
  expect(await imported(file([everything]))).toMatchObject({ created: 1, reasons: [] })
  expect(await exported()).toBe(file([everything]))

  const { id } = await detail('hamlet')
  const item = await adminItem(String(id))
  const sent = bodyOf(valuesOf(item), undefined)
  const saved = await send('PUT', `/westerncontent/${item.id}`, { ...sent, version: item.version })
  expect([saved.status, (saved.json() as ItemForAdmin).version]).toEqual([200, item.version])
  const read = await send('PUT', `/westerncontent/${item.id}`, item)
  expect([read.status, (read.json() as ItemForAdmin).version]).toEqual([200, item.version])
  expect((await send('POST', '/westerncontent', { ...sent, slug: 'copy', publish: true })).status).toBe(201)
  const copy = { ...everything, slug: 'copy', externalId: '' }
  expect(await exported()).toBe(file([everything, copy]))

  const { bytes } = await server.call('/covers/hamlet.png')
  const covered = await server.call(`/api/items/${item.id}/cover?version=${item.version}`, {
    method: 'PUT',
    headers: { 'content-type': 'image/png', ...bearer(token), 'admin-key': adminKeyOf(token) },
    body: bytes,
  })
  const cover = (covered.json() as ItemForAdmin).cover?.replace('320', '640') ?? ''
  const all = file([{ ...everything, cover }, copy])
  expect(await exported()).toBe(all)
  expect(await imported(all)).toMatchObject({ unchanged: 2, reasons: [] })
  expect(await imported(await exported('jsonl'), 'works.jsonl')).toMatchObject({ unchanged: 2, reasons: [] })
  expect(await exported()).toBe(all)
})

test('JSON lines may have several texts as a list, and numbers as numbers', async () => {
  const line = { ...hamlet, tags: ['Tragedies', 'Denmark', 'Kings and rulers'], linkSize: 412_345, seriesNumber: 1.5 }
  expect(await imported(`${JSON.stringify(line)}\n`, 'works.jsonl')).toMatchObject({ created: 1 })
  expect(await exported()).toBe(file([hamlet]))
  expect((await imported(JSON.stringify({ ...hamlet, tags: ['a; b'] }), 'works.jsonl')).reasons).toEqual([
    'tags must be a list of texts without semicolons, a text or null.',
  ])
})

test('columns that a file leaves out change nothing, and the format of a file goes with its link', async () => {
  await imported(file([hamlet]))
  const columns = ['name', 'category', 'contentType', 'link', 'linkG', 'tags', 'externalId'] as const
  const row = { ...hamlet, linkG: '', tags: '' }
  expect(await imported(csvLines([columns, columns.map((column) => row[column])]))).toMatchObject({ updated: 1 })
  expect(await exported()).toBe(file([{ ...hamlet, linkG: '', linkGFormat: '', tags: '' }]))
})

test('a format goes with the link that is stored, where a file leaves the link out', async () => {
  await imported(file([{ ...hamlet, linkGFormat: '' }]))
  const columns = ['name', 'category', 'contentType', 'link', 'linkGFormat', 'linkPFormat', 'externalId'] as const
  const part = (said: Record<string, string>): string => {
    const row: Record<string, string> = { ...hamlet, linkGFormat: '', ...said }
    return csvLines([columns, columns.map((column) => row[column] ?? '')])
  }
  expect(await imported(part({ linkGFormat: 'Folder' }))).toMatchObject({ updated: 1, reasons: [] })
  expect(await exported()).toBe(file([hamlet]))
  const sentence = 'linkPFormat is set, but its link is empty. Add the link, or clear this field.'
  expect((await imported(part({ linkPFormat: 'PDF' }))).reasons).toEqual([sentence])
  // A new one lacks more than the link.
  expect((await imported(part({ linkPFormat: 'PDF', externalId: 'new' }))).reasons).toContain(sentence)
  expect(await exported()).toBe(file([hamlet]))
})

test('no category is created for a row that is rejected', async () => {
  const row = { ...hamlet, category: 'Of no row', cover: `/covers/${'0'.repeat(32)}/320.webp` }
  const part = JSON.stringify({ ...hamlet, category: 'Of no row either', linkP: undefined, linkPFormat: 'PDF' })
  expect(await imported(`${JSON.stringify(row)}\n${part}\n`, 'works.jsonl')).toMatchObject({ rejected: 2 })
  const { rows: found } = await sql`select name from categories where name like 'Of no row%'`.execute(server.app.db)
  expect(found).toEqual([])
})

describe('Bad input is refused in one sentence, and the row is rejected whole', () => {
  const cases: [string, Record<string, string>, string | RegExp][] = [
    [
      'a language that does not exist',
      { language: 'xx' },
      'language has a language that is not known: "xx". Use codes such as en or pt-BR.',
    ],
    ['no tag of a language', { language: 'English!' }, /^language has a language that is not known: "English!"/],
    ['four languages', { language: 'en; de; fr; it' }, 'language has 4 languages. At most 3 are allowed.'],
    [
      'a year of 99999',
      { year: '99999' },
      /^year is "99999"\. Use one whole number from -3000 to 2999 in at most 20 characters/,
    ],
    ['two years', { year: '1603-1604' }, /^year is "1603-1604"\. Use one whole number/],
    [
      'a description of 5,001 characters',
      { description: 'x'.repeat(5_001) },
      'description has 5,001 characters. At most 5,000 are allowed.',
    ],
    [
      'a description of 10 MB',
      { description: 'word '.repeat(2_000_000) },
      /^The row has 10,000,\d+ characters\. At most 1,000,000 are allowed\.$/,
    ],
    [
      '1,000 tags',
      { tags: Array.from({ length: 1_000 }, (_, i) => `tag ${i}`).join('; ') },
      'tags has 1,000 tags. At most 20 are allowed.',
    ],
    [
      'a number of a series',
      { seriesNumber: '1.25' },
      'seriesNumber is "1.25". Use a number with at most one decimal from 0 to 9,999, or leave it empty.',
    ],
    ['a size that is none', { linkSize: '12 MB' }, /^linkSize is "12 MB"\. Use a whole number/],
    ['no digest', { linkSha256: 'abc' }, /^linkSha256 is "abc"\. Use the 64 hexadecimal digits/],
    [
      'a format without its link',
      { link2Format: 'PDF' },
      'link2Format is set, but its link is empty. Add the link, or clear this field.',
    ],
  ]
  test.each(cases)('%s', async (_what, said, reason) => {
    const { created, rejected, reasons } = await imported(file([{ ...hamlet, ...said }, rows[2] as typeof hamlet]))
    expect({ created, rejected, count: reasons.length }).toEqual({ created: 1, rejected: 1, count: 1 })
    expect(reasons[0]).toMatch(
      typeof reason === 'string' ? new RegExp(`^${reason.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : reason,
    )
  })

  test.each<[string, object, RegExp]>([
    ['a language that does not exist', { language: ['xx'] }, /has a language that is not known/],
    ['a year of 99999', { year: 99_999 }, /Use (?:one|a) whole number from -3000 to 2999/],
    ['a description of 5,001 characters', { description: 'x'.repeat(5_001) }, /has 5,001 characters/],
  ])('%s over the interface, which the form asks', async (_what, said, reason) => {
    const whole = { name: 'Of no entry', category: 'Literature', link: 'https://files.example/bad' }
    const answer = await send('POST', '/westerncontent', { ...whole, ...said })
    expect(answer.status).toBe(422)
    const { reasons } = answer.json() as { reasons: Reason[] }
    expect(reasons).toHaveLength(1)
    expect(JSON.stringify(reasons)).toMatch(reason)
    expect(await search('of no entry')).toEqual([])
  })

  test('a description of 10 MB over the interface: the body is refused before it is read', async () => {
    const answer = await send('POST', '/westerncontent', {
      name: 'Of no entry',
      description: 'word '.repeat(2_000_000),
    })
    expect(answer.status).toBe(413)
    expect((answer.json() as { message: string }).message).toMatch(/^\S.*\.$/)
    expect(await search('of no entry')).toEqual([])
  })

  test('in a line of JSON that is too long, too', async () => {
    const line = JSON.stringify({ ...hamlet, description: 'word '.repeat(2_000_000) })
    const { created, reasons } = await imported(`${line}\n${JSON.stringify(rows[2])}\n`, 'works.jsonl')
    expect([created, reasons]).toEqual([1, [expect.stringMatching(/^The line has 10,000,\d+ characters\. At most/)]])
  })
})

test('a request has the year as a number, as it was typed, or both where they agree', async () => {
  await imported(file([hamlet]))
  let item = await adminItem(String((await detail('hamlet'))['id']))
  const put = async (body: object): Promise<number> => {
    const answer = await send('PUT', `/westerncontent/${item.id}`, { ...body, version: item.version })
    if (answer.status === 200) item = answer.json() as ItemForAdmin
    return answer.status
  }
  const years = (): unknown[] => [item.year, item.yearText]
  expect([await put({ year: 1604 }), years()]).toEqual([200, [1604, undefined]])
  expect([await put({ yearText: 'about 1605' }), years()]).toEqual([200, [1605, 'about 1605']])
  expect([await put({ year: 1606, yearText: 'c. 1606' }), years()]).toEqual([200, [1606, 'c. 1606']])
  expect([await put({ yearText: null }), years()]).toEqual([200, [1606, undefined]])
  const refused = await send('PUT', `/westerncontent/${item.id}`, { year: 1, yearText: 'c. 2', version: item.version })
  expect([refused.status, (refused.json() as { reasons: Reason[] }).reasons]).toMatchObject([
    422,
    [{ field: 'yearText' }],
  ])
  expect([await put({ year: null }), years()]).toEqual([200, [undefined, undefined]])
  expect(await put({ description: 12 })).toBe(422)
})

test('a request that empties a link empties what is said of its file, unless it says that itself', async () => {
  await imported(file([hamlet]))
  let item = await adminItem(String((await detail('hamlet'))['id']))
  const put = async (body: object): Promise<TestResponse> => {
    const answer = await send('PUT', `/westerncontent/${item.id}`, { ...body, version: item.version })
    if (answer.status === 200) item = answer.json() as ItemForAdmin
    return answer
  }
  const facts = { linkMV3: 'https://gofile.io/d/third', linkMV3Format: 'EPUB', linkMV3Size: 12 }
  expect((await put(facts)).status).toBe(200)
  expect(item).toMatchObject(facts)
  expect((await put({ linkMV3: null, linkMV3Format: 'PDF' })).status).toBe(422)
  expect((await put({ linkMV3: null })).status).toBe(200)
  expect([item.linkMV3, item.linkMV3Format, item.linkMV3Size]).toEqual([null, undefined, undefined])
  expect([(await put({ series: 'A', seriesNumber: 1.5 })).status, item.seriesNumber]).toEqual([200, 1.5])
  expect([(await put({ series: null })).status, item.series, item.seriesNumber]).toEqual([200, undefined, undefined])
})

test('a request with several faults tells all of them', async () => {
  const refused = async (body: object): Promise<string[]> => {
    const answer = await send('POST', '/westerncontent', { ...body })
    expect(answer.status, answer.text).toBe(422)
    return (answer.json() as { reasons: Reason[] }).reasons.map(({ field }) => field)
  }
  const whole = { name: 'Faults', category: 'Literature', link: 'https://files.example/faults' }
  expect(await refused({ ...whole, link2: 'ftp://files.example', link2Format: 'PDF' })).toEqual(['link2'])
  expect(await refused({ ...whole, name: '', contentType: 'western', region: 'asian', linkPSize: 12 })).toEqual([
    'name',
    'linkPSize',
    'region',
  ])
  const rights = { validFrom: '2020-02-02', validTo: '2010-01-01' }
  expect(await refused({ ...whole, year: 99_999, language: ['xx'], rights })).toEqual([
    'language',
    'year',
    'rights.validTo',
  ])
})

describe('Names are split into title and creator', () => {
  const works = [
    { name: 'Hamlet — Shakespeare', slug: 'hamlet-shakespeare' },
    { name: 'Plays — Part 2 — Ibsen', slug: 'plays-part-2-ibsen' },
    { name: 'Odes — Horace', slug: 'odes-horace', creators: 'Horace' },
    { name: 'Beowulf', slug: 'beowulf' },
  ]

  test('by an import, which knows the items of the whole names', async () => {
    const columns = ['name', 'category', 'contentType', 'link', 'creators'] as const
    const text = csvLines([
      columns,
      ...works.map((work) => columns.map((column) => ({ ...hamlet, creators: '', ...work })[column])),
    ])
    expect(await imported(text)).toMatchObject({ created: 4 })
    expect(await imported(text, 'works.csv', ' — ')).toMatchObject({ created: 0, updated: 2, unchanged: 2 })
    const stored = await server.app.db.selectFrom('items').select(['name', 'slug', 'creators']).orderBy('no').execute()
    expect(stored).toEqual([
      { name: 'Hamlet', slug: 'hamlet-shakespeare', creators: ['Shakespeare'] },
      { name: 'Plays — Part 2', slug: 'plays-part-2-ibsen', creators: ['Ibsen'] },
      { name: 'Odes — Horace', slug: 'odes-horace', creators: ['Horace'] },
      { name: 'Beowulf', slug: 'beowulf', creators: null },
    ])
  })

  test('by a bulk edit, with preview and undo', async () => {
    await someItems(server.app, works)
    const admin = bearer(token)
    const begin = (changes: object) => post(server, '/api/bulk-edits', { filter: {}, changes }, admin)
    expect((await begin({ action: 'split-names' })).status).toBe(422)
    expect((await begin({ action: 'split-names', separator: ' — ', creators: 'A' })).status).toBe(422)
    const begun = await begin({ action: 'split-names', separator: ' — ' })
    expect(begun.status, begun.text).toBe(202)
    const { id } = begun.json() as BulkEditForAdmin
    await drainJobs(server.app)
    const preview = (
      await server.call(`/api/bulk-edits/${id}/items?outcome=planned`, { headers: admin })
    ).json() as BulkItems
    expect(preview.items.map(({ difference }) => difference)).toEqual([
      [
        { field: 'name', before: 'Hamlet — Shakespeare', after: 'Hamlet' },
        { field: 'creators', before: '', after: 'Shakespeare' },
      ],
      [
        { field: 'name', before: 'Plays — Part 2 — Ibsen', after: 'Plays — Part 2' },
        { field: 'creators', before: '', after: 'Ibsen' },
      ],
    ])
    const names = async (): Promise<string[]> =>
      (await server.app.db.selectFrom('items').select('name').orderBy('no').execute()).map(({ name }) => name)
    for (const [verb, first] of [
      ['apply', 'Hamlet'],
      ['undo', 'Hamlet — Shakespeare'],
    ] as const) {
      expect((await post(server, `/api/bulk-edits/${id}/${verb}`, {}, admin)).status).toBe(202)
      await drainJobs(server.app)
      expect((await names())[0]).toBe(first)
    }
  })
})

describe('A new slug is made from the title; where it is taken, from title and first creator; then it has a number', () => {
  const poems = (creators: string, link: string) => ({
    ...usual,
    name: 'Poems',
    link: `https://mega.nz/file/${link}`,
    evidence: 'Old.',
    creators,
  })
  const works = [poems('John Keats', 'a'), poems('John Keats', 'b'), poems('Emily Dickinson', 'c'), poems('', 'd')]
  const slugs = ['poems', 'poems-john-keats', 'poems-emily-dickinson', 'poems-2']
  const stored = async (): Promise<string[]> =>
    (await server.app.db.selectFrom('items').select('slug').orderBy('no').execute()).map(({ slug }) => slug)
  const columns = ['name', 'category', 'contentType', 'link', 'evidence', 'creators', 'externalId'] as const
  const text = (of: Record<string, string>[]): string =>
    csvLines([columns, ...of.map((row) => columns.map((column) => row[column] ?? ''))])

  test('in an import, which knows its rows again', async () => {
    expect(await imported(text(works))).toMatchObject({ created: 4 })
    expect(await stored()).toEqual(slugs)
    expect(await imported(text(works))).toMatchObject({ created: 0, unchanged: 4 })
    // One by one, and by ids of their own.
    expect(await imported(text([poems('John Keats', 'e'), works[1] as typeof hamlet]))).toMatchObject({
      created: 1,
      unchanged: 1,
    })
    expect(await imported(text([{ ...poems('John Keats', 'f'), externalId: 'f' }]))).toMatchObject({ created: 1 })
    expect((await stored()).slice(4)).toEqual(['poems-john-keats-2', 'poems-john-keats-3'])
    await server.app.db.deleteFrom('items').where('slug', '=', 'poems').execute()
    expect(await imported(text([works[1] as typeof hamlet]))).toMatchObject({ created: 0, unchanged: 1 })
  })

  test('in the form', async () => {
    for (const { name, link, creators } of [...works, poems('John Keats', 'e')]) {
      const body = { name, link, category: 'Literature', creators: creators === '' ? [] : [creators] }
      expect((await send('POST', '/westerncontent', body)).status).toBe(201)
    }
    expect(await stored()).toEqual([...slugs, 'poems-john-keats-2'])
  })
})
