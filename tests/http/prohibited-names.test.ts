import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { readProhibitedTerms } from '../../src/features/catalogue/publishing/read-gate.server.ts'

interface Lists {
  refused: string[]
  pairs: { minority: string[]; sexual: string[] }
  version: number
}

let admin: { authorization: string }
let adminId: string
let keys: Record<string, string>

const server = serverOfFile()

beforeAll(async () => {
  const made = await aMember(server.app, { isAdmin: true })
  adminId = made.id
  const token = await signIn(server, made)
  admin = bearer(token)
  keys = { ...admin, 'admin-key': adminKeyOf(token) }
})
afterEach(async () => {
  const { version } = await read()
  await save({ refused: [], pairs: { minority: [], sexual: [] }, version })
})

const read = async (): Promise<Lists & { builtIn: Omit<Lists, 'version'> }> =>
  (await server.request('/api/prohibited-names', { headers: admin })).json() as Lists & {
    builtIn: Omit<Lists, 'version'>
  }
const save = (lists: unknown): Promise<TestResponse> =>
  server.request('/api/prohibited-names', {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify(lists),
  })
const addCategory = (name: string): Promise<TestResponse> => post(server, '/api/categories', { name }, admin)
const publish = (name: string, category = 'Literature'): Promise<TestResponse> =>
  server.call('/westerncontent', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...keys },
    body: JSON.stringify({
      name,
      category,
      contentType: 'western',
      postDate: '2024-01-01',
      link: 'https://mega.nz/file/work',
      rights: { basis: 'public_domain', evidence: 'Published in 1890.', permitsDownload: true },
      people: 'none',
      publish: true,
    }),
  })
const codeOf = (answer: TestResponse): [number, unknown] => [answer.status, (answer.json() as { code: string }).code]

describe('The names that are built in', () => {
  test.each(['Teen', 'TEENS', 'Young Girls', 'Big Tits', 'Nude', 'Nude Teens', 'n.u.d.e', 'T33ns', 'Тееns'])(
    'refuse the category %j, in code and in the database',
    async (name) => {
      expect(codeOf(await addCategory(name))).toEqual([422, 'term.prohibited'])
      await expect(
        sql`insert into categories (name, name_folded) values (${name}, lower(${name}))`.execute(server.app.db),
      ).rejects.toThrow(/prohibited/)
    },
  )

  test.each(['Teen Fiction', 'Young Adult', 'Children', 'Sex in Religion', 'The Nude in Art'])(
    'let the category %j be',
    async (name) => {
      expect((await addCategory(name)).status).toBe(201)
    },
  )

  test('refuse an entry, with the field and the remedy', async () => {
    const refused = await publish('Big Tits compilation')
    expect(refused.status).toBe(422)
    expect(refused.json()).toMatchObject({
      reasons: [{ code: 'term.prohibited', field: 'name', sentence: "The name holds the prohibited term 'tits'." }],
    })
  })

  test.each([
    'Sex and Character',
    'The Naked and the Dead',
    'Nude Descending a Staircase',
    'Nude',
    'Lolita',
    'Teen',
    "A Child's Garden of Verses",
    'The Descent of Man, and Selection in Relation to Sex',
    'Sonata in A minor',
    'Essex and Middlesex',
    'Patent 7175',
  ])('let the entry %j be', async (name) => {
    expect((await readProhibitedTerms(server.app.db)).find(name)).toBeUndefined()
  })

  test.each(['Nude teens', 'A child, naked', 'Teen Sex', 'Young girls: s e x'])('refuse the entry %j', async (name) => {
    expect((await readProhibitedTerms(server.app.db)).find(name)?.rule).toBe('pair')
  })
})

describe('A pair of a name and a category', () => {
  const sentence = "Name and category together hold 'teen' beside 'naked'."
  const idOf = async (name: string): Promise<number> =>
    (await server.app.db.selectFrom('categories').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
  const rename = async (id: number, name: string): Promise<TestResponse> =>
    server.request(`/api/categories/${id}`, {
      method: 'PUT',
      headers: { ...admin, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
  beforeAll(async () => {
    for (const name of ['Teen Stories', 'Stories']) await addCategory(name)
  })

  test('is refused of an entry, new and edited', async () => {
    const reasons = [{ code: 'term.prohibited', field: 'name', sentence }]
    expect((await publish('The Naked Truth', 'Teen Stories')).json()).toMatchObject({ reasons })
    const made = await publish('The Truth', 'Teen Stories')
    expect(made.status).toBe(201)
    const path = `/westerncontent/${(made.json() as { id: string }).id}`
    const put = (name: string): Promise<TestResponse> =>
      server.call(path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...keys },
        body: JSON.stringify({ name, version: 1 }),
      })
    expect((await put('The Naked Truth')).json()).toMatchObject({ reasons })
    expect((await put('The Whole Truth')).status).toBe(200)
  })

  test('keeps a category from another name while an entry on the site makes one with it', async () => {
    expect((await publish('The Naked Truth', 'Stories')).status).toBe(201)
    const id = await idOf('Stories')
    const refused = await rename(id, 'Stories for Teens')
    expect(codeOf(refused)).toEqual([422, 'term.prohibited'])
    expect(refused.json()).toMatchObject({
      message:
        "The category cannot be called 'Stories for Teens': with its entry 'The Naked Truth' that holds 'teens' beside 'naked'. Only material that is cleared for distribution is published here.",
    })
    await sql`update items set status = 'draft' where name = 'The Naked Truth'`.execute(server.app.db)
    expect((await rename(id, 'Stories for Teens')).status).toBe(200)
  })

  test('is found in a request, one in its title and one in its description', async () => {
    const member = bearer(await signIn(server, await aMember(server.app)))
    const asked = await post(server, '/recommendations', { title: 'A teen', description: 'And naked.' }, member)
    expect(asked.json()).toMatchObject({ code: 'recommendation.invalid', field: 'description' })
  })
})

describe('The saved lists', () => {
  test('hold the built-in names, which stay, and what administrators add, without case, accents and repeats', async () => {
    const before = await read()
    expect(before.refused).toEqual(before.builtIn.refused)
    expect(before.refused).toContain('leaked')
    const answer = await save({
      refused: [' Smuggled  Goods', 'smuggled goods', 'Léaked'],
      pairs: { minority: ['Novice'], sexual: ['Gaudy'] },
      version: before.version,
    })
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({
      refused: [...before.refused, 'smuggled goods'].toSorted(),
      pairs: {
        minority: [...before.pairs.minority, 'novice'].toSorted(),
        sexual: [...before.pairs.sexual, 'gaudy'].toSorted(),
      },
      version: before.version + 1,
      builtIn: before.builtIn,
    })
    expect(await read()).toEqual(answer.json())
    // As it was read, it can be sent.
    expect((await save(answer.json())).status).toBe(200)
  })

  test('are in force at once, on other instances too, for categories, entries, imports, requests and pairs', async () => {
    const { version } = await read()
    await save({ refused: ['smuggled'], pairs: { minority: ['novice'], sexual: ['gaudy'] }, version })
    expect(codeOf(await addCategory('Smuggled goods'))).toEqual([422, 'term.prohibited'])
    expect((await addCategory('A gaudy novice')).json()).toMatchObject({
      code: 'term.prohibited',
      message:
        "The category 'A gaudy novice' is not allowed: it holds 'novice' beside 'gaudy'. Only material that is cleared for distribution is published here.",
    })
    expect((await addCategory('Novice')).json()).toMatchObject({
      message:
        "The category 'Novice' is not allowed: it holds nothing but 'novice'. Name the genre beside it, such as 'Fiction'.",
    })
    expect((await addCategory('Novice Fiction')).status).toBe(201)
    expect(codeOf(await publish('Smuggled'))[0]).toBe(422)
    const member = bearer(await signIn(server, await aMember(server.app)))
    const asked = await post(server, '/recommendations', { title: 'Gaudy novices? A novice', description: '' }, member)
    expect(asked.json()).toMatchObject({ code: 'recommendation.invalid', field: 'title' })
  })

  test('leave what is published to the check of the night, as before', async () => {
    const [item] = await someItems(server.app, [{ name: 'Smuggled days' }])
    const { version } = await read()
    await save({ refused: ['smuggled'], pairs: { minority: [], sexual: [] }, version })
    const row = await server.app.db
      .selectFrom('items')
      .select('status')
      .where('id', '=', item?.id ?? '')
      .executeTakeFirst()
    expect(row).toEqual({ status: 'published' })
  })

  test('are refused with another version, with the lists as they are now', async () => {
    const before = await read()
    const lists = { refused: ['first'], pairs: { minority: [], sexual: [] }, version: before.version }
    expect((await save(lists)).status).toBe(200)
    const second = await save({ ...lists, refused: ['second'] })
    expect(codeOf(second)).toEqual([409, 'prohibited_names.conflict'])
    expect(second.json()).toMatchObject({ current: await read() })
    expect((await read()).refused).not.toContain('second')
  })

  test('leave a line in the audit log that says what was added and removed, and none where nothing changed', async () => {
    const { version } = await read()
    const events = () =>
      server.app.db
        .selectFrom('audit_events')
        .select(['actor_id', 'details', 'subject_id'])
        .where('action', '=', 'settings.prohibited_names_saved')
        .orderBy('id')
        .execute()
    const known = (await events()).length
    await save({ refused: ['smuggled'], pairs: { minority: [], sexual: ['gaudy'] }, version })
    await save({ refused: ['looted'], pairs: { minority: [], sexual: ['gaudy'] }, version: version + 1 })
    const same = await save({ refused: ['looted'], pairs: { minority: [], sexual: ['gaudy'] }, version: version + 2 })
    expect(same.status).toBe(200)
    expect((await events()).slice(known)).toEqual([
      {
        actor_id: adminId,
        subject_id: 'prohibited-names',
        details: { added: { refused: ['smuggled'], sexual: ['gaudy'] }, version: version + 1 },
      },
      {
        actor_id: adminId,
        subject_id: 'prohibited-names',
        details: { added: { refused: ['looted'] }, removed: { refused: ['smuggled'] }, version: version + 2 },
      },
    ])
  })

  test.each([
    [{ refused: ['a'] }, 'refused'],
    [{ refused: ['!!'] }, 'refused'],
    [{ refused: ['x'.repeat(61)] }, 'refused'],
    [{ pairs: { minority: ['\u0000ab'], sexual: [] } }, 'minority'],
    // More than administrators may add.
    [{ pairs: { minority: [], sexual: Array.from({ length: 201 }, (_, place) => `word ${place}`) } }, 'sexual'],
  ])('refuse what is no list of terms, case %#', async (wrong, list) => {
    const { version } = await read()
    const answer = await save({ refused: [], pairs: { minority: [], sexual: [] }, version, ...wrong })
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.json())).toContain(list)
    expect((await read()).version).toBe(version)
  })
})
