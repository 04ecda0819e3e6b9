import { beforeAll, describe, expect, test } from 'vitest'
import type { CategoriesForAdmin } from '../../src/features/catalogue/categories/categories-schema.ts'
import { countCategories, createCategories } from '../../src/features/catalogue/item/categories.server.ts'
import { drainJobs } from '../harness/drain.ts'
import { anItem, someItems } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

let admin: { authorization: string }
let adminId: string

const server = serverOfFile()

beforeAll(async () => {
  const made = await aMember(server.app, { isAdmin: true })
  adminId = made.id
  admin = bearer(await signIn(server, made))
})

const list = async (): Promise<CategoriesForAdmin> =>
  (await server.request('/api/categories', { headers: admin })).json() as CategoriesForAdmin

async function idOf(name: string): Promise<number> {
  const found = (await list()).categories.find((each) => each.name === name)
  if (found === undefined) throw new Error(`There is no category ${name}.`)
  return found.id
}

const add = (name: unknown): Promise<TestResponse> => post(server, '/api/categories', { name }, admin)
const rename = async (name: string, next: string): Promise<TestResponse> =>
  server.request(`/api/categories/${await idOf(name)}`, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: next }),
  })
const merge = async (from: string, into: string): Promise<TestResponse> =>
  post(server, `/api/categories/${await idOf(from)}/merge`, { into: await idOf(into) }, admin)
const remove = async (name: string): Promise<TestResponse> =>
  server.request(`/api/categories/${await idOf(name)}`, { method: 'DELETE', headers: admin })

const refusal = (answer: TestResponse): [number, unknown] => [answer.status, (answer.json() as { code: string }).code]

async function lastEvent(action: string): Promise<Record<string, unknown> | undefined> {
  const event = await server.app.db
    .selectFrom('audit_events')
    .select(['actor_id', 'details'])
    .where('action', '=', action)
    .orderBy('recorded_at', 'desc')
    .executeTakeFirst()
  expect(event?.actor_id).toBe(adminId)
  return event?.details as Record<string, unknown>
}

test('the list has every category with the number of its items', async () => {
  await someItems(server.app, [
    { name: 'Etude', category: 'Music' },
    { name: 'Fugue', category: 'Music', status: 'draft' },
  ])
  const { categories } = await list()
  expect(categories.find(({ name }) => name === 'Music')).toMatchObject({ items: 2, published: 1, isFixed: false })
  expect(categories.find(({ name }) => name === 'Banned')).toMatchObject({ items: 0, isFixed: true })
})

describe('a new category', () => {
  test('is added under its name, and recorded', async () => {
    expect((await add('  Sheet   Music ')).status).toBe(201)
    expect(await idOf('Sheet Music')).toBeGreaterThan(0)
    expect(await lastEvent('category.created')).toEqual({ name: 'Sheet Music' })
  })

  test.each([
    ['', 422, 'categories.name'],
    ['x'.repeat(61), 422, 'categories.name'],
    ['Hidden  Camera', 422, 'term.prohibited'],
    ['MÚSIC', 409, 'categories.exists'],
    [7, 422, 'request.invalid'],
  ])('%j is refused', async (name, status, code) => {
    expect(refusal(await add(name))).toEqual([status, code])
  })

  test('that is there already is told under the name it has', async () => {
    const message = "There is a category 'Music' already. Case and accents make no difference."
    expect((await add('MÚSIC')).json()).toMatchObject({ message, field: 'name' })
  })

  test('of a prohibited name is told the rule', async () => {
    expect((await add('Leaks of the week')).json()).toMatchObject({
      message:
        "The category 'Leaks of the week' is not allowed: it holds the prohibited term 'leaks'. Only material that is cleared for distribution is published here.",
      field: 'name',
    })
  })
})

describe('renaming', () => {
  test('takes the items along, in lists, details and kept answers', async () => {
    const item = await anItem(server.app, { name: 'Kept painting', category: 'Art' })
    const found = async (): Promise<unknown> => (await server.search('search=kept%20painting')).items[0]?.category
    const page = async (): Promise<string> => (await server.request(`/western/${item.slug}`)).text
    expect(await found()).toBe('Art')
    expect(await found()).toBe('Art')
    expect(await page()).toContain('Art')
    expect((await rename('Art', 'Painting')).status).toBe(200)
    await server.app.listing.catchUp()
    expect(await found()).toBe('Painting')
    expect(await page()).toContain('Painting')
    expect(await lastEvent('category.renamed')).toEqual({ before: 'Art', after: 'Painting' })
  })

  test('to another spelling of its own name is allowed, to that of another category not', async () => {
    expect((await rename('Film', 'FILM')).status).toBe(200)
    expect(refusal(await rename('FILM', 'music'))).toEqual([409, 'categories.exists'])
  })

  test('of Banned and Unknown is refused, and so is a category that is gone', async () => {
    expect(refusal(await rename('Banned', 'Other'))).toEqual([409, 'categories.fixed'])
    const gone = await server.request('/api/categories/60000', {
      method: 'PUT',
      headers: { ...admin, 'content-type': 'application/json' },
      body: '{"name":"Nothing"}',
    })
    expect(refusal(gone)).toEqual([404, 'categories.not_found'])
  })

  test('of a category that a published type needs is refused', async () => {
    await anItem(server.app, { name: 'Set apart', contentType: 'vip-banned', category: 'VIP Banned' })
    expect(refusal(await rename('VIP Banned', 'Other'))).toEqual([409, 'categories.type_needs_it'])
  })
})

describe('removing', () => {
  test('takes an empty category away, and leaves one with items', async () => {
    await add('Short lived')
    expect((await remove('Short lived')).status).toBe(204)
    expect((await list()).categories.some(({ name }) => name === 'Short lived')).toBe(false)
    expect(await lastEvent('category.removed')).toEqual({ name: 'Short lived' })
    const refused = await remove('Music')
    expect(refused.json()).toMatchObject({
      code: 'categories.not_empty',
      message: "The category 'Music' has 2 entries. Merge it into another, or move them first.",
    })
    expect(refusal(await remove('Unknown'))).toEqual([409, 'categories.fixed'])
  })
})

describe('merging', () => {
  test('moves items of every status, cleared anew, and then the category is gone', async () => {
    await add('Verse')
    const [published, , removed] = await someItems(server.app, [
      { name: 'Sonnet', category: 'Verse' },
      { name: 'Ballad', category: 'Verse', status: 'draft' },
      { name: 'Limerick', category: 'Verse', status: 'removed' },
    ])
    expect((await merge('Verse', 'Literature')).status).toBe(202)
    expect((await list()).categories.find(({ name }) => name === 'Verse')?.merging).toEqual({
      into: 'Literature',
      moved: 0,
    })
    expect(refusal(await rename('Verse', 'Poetry'))).toEqual([409, 'categories.merging'])
    expect(refusal(await merge('Literature', 'Music'))).toEqual([409, 'categories.merging'])
    await drainJobs(server.app)
    await server.app.listing.catchUp()
    expect((await list()).categories.some(({ name }) => name === 'Verse')).toBe(false)
    expect((await server.search('search=sonnet')).items[0]?.category).toBe('Literature')
    const rows = await server.app.db
      .selectFrom('items')
      .innerJoin('categories', 'categories.id', 'category_id')
      .select(['items.id', 'status', 'version', 'cleared_version', 'categories.name as category'])
      .where('items.name', 'in', ['Sonnet', 'Ballad', 'Limerick'])
      .execute()
    expect(rows.map(({ category }) => category)).toEqual(['Literature', 'Literature', 'Literature'])
    expect(rows.find(({ id }) => id === published?.id)).toMatchObject({
      status: 'published',
      version: 2,
      cleared_version: 2,
    })
    expect(rows.find(({ id }) => id === removed?.id)?.status).toBe('removed')
    expect(await lastEvent('category.merged')).toEqual({ from: 'Verse', into: 'Literature', moved: 3 })
  })

  test('is refused while the type of a published item needs the category, and into itself', async () => {
    expect(refusal(await merge('VIP Banned', 'Literature'))).toEqual([409, 'categories.type_needs_it'])
    expect(refusal(await merge('Music', 'Music'))).toEqual([422, 'categories.itself'])
    expect(refusal(await merge('Unknown', 'Music'))).toEqual([409, 'categories.fixed'])
    const far = await post(server, `/api/categories/${await idOf('Music')}/merge`, { into: 99_999_999_999 }, admin)
    expect(far.status).toBe(422)
    expect((await merge('VIP Banned', 'Banned')).status).toBe(202)
    await drainJobs(server.app)
    expect((await list()).categories.find(({ name }) => name === 'Banned')?.items).toBe(1)
  })

  test('leaves what the gate refuses by now, and says so', async () => {
    await add('Odd')
    await someItems(server.app, [
      { name: 'Fine thing', category: 'Odd' },
      { name: 'Smuggled goods', category: 'Odd' },
    ])
    await server.app.db.insertInto('prohibited_terms').values({ term_folded: 'smuggled' }).execute()
    expect((await merge('Odd', 'Music')).status).toBe(202)
    await drainJobs(server.app)
    const { categories, stopped } = await list()
    expect(categories.find(({ name }) => name === 'Odd')).toMatchObject({ items: 1, merging: null })
    expect(stopped).toEqual([
      {
        from: 'Odd',
        into: 'Music',
        sentence: "An entry stays in 'Odd', because it may not be published in its new category.",
        refused: [{ name: 'Smuggled goods', reason: "The name holds the prohibited term 'smuggled'." }],
      },
    ])
    expect(await lastEvent('category.merged')).toEqual({
      from: 'Odd',
      into: 'Music',
      outcome: 'failed',
      moved: 1,
      refused: 1,
    })
  })
})

// The last test: it leaves no room for more.
test('there are 1,000 categories at most', async () => {
  const { db } = server.app
  const fillers = Array.from({ length: 999 - (await countCategories(db)) }, (_, i) => `Filler ${i}`)
  await db.transaction().execute((trx) => createCategories(trx, fillers))
  expect((await add('The thousandth')).status).toBe(201)
  const refused = await add('One too many')
  expect(refusal(refused)).toEqual([409, 'categories.full'])
  expect(refused.json()).toMatchObject({
    message: 'The site has 1,000 categories, and no more are allowed. Merge or remove some first.',
  })
})
