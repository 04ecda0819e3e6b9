import { beforeAll, expect, test } from 'vitest'
import type { SavedFilter } from '../../src/features/catalogue/editing/content-schema.ts'
import { createCategories } from '../../src/features/catalogue/item/categories.server.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

let admin: { authorization: string }

const server = serverOfFile()

beforeAll(async () => {
  admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
})

const save = (body: object, headers = admin): Promise<TestResponse> =>
  post(server, '/api/content-filters', body, headers)
const remove = (id: string, headers = admin): Promise<TestResponse> =>
  server.request(`/api/content-filters/${id}`, { method: 'DELETE', headers })
const saved = async (): Promise<SavedFilter[]> =>
  ((await server.request('/api/content-filters', { headers: admin })).json() as { filters: SavedFilter[] }).filters

test('filters are saved for all administrators, and deleted by any', async () => {
  const made = await save({ name: ' Film drafts ', section: 'western', category: 'Film', status: 'draft' })
  expect([made.status, made.json()]).toMatchObject([201, { name: 'Film drafts', search: '' }])
  const { id } = made.json() as SavedFilter
  const lapsed = (await save({ name: 'Lapsed', status: 'lapsed' })).json() as SavedFilter
  expect(lapsed).toMatchObject({ section: 'all', status: 'lapsed' })
  await remove(lapsed.id)
  // A lost answer, sent again.
  expect((await save({ name: 'Film drafts', section: 'western', category: 'Film', status: 'draft' })).json()).toEqual(
    made.json(),
  )
  expect((await save({ name: 'FILM DRAFTS', search: 'x' })).json()).toMatchObject({
    code: 'filters.exists',
    message: "Another filter is called 'Film drafts'.",
  })
  expect((await save({ name: 'Other', section: 'western', category: 'film', status: 'draft' })).json()).toMatchObject({
    code: 'filters.exists',
    message: "These filters are saved as 'Film drafts'.",
  })
  const other = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
  expect((await remove(id, other)).status).toBe(204)
  expect((await remove(id)).json()).toMatchObject({ code: 'filters.not_found' })
  expect((await remove('nonsense')).status).toBe(404)
  expect(await saved()).toEqual([])
  const events = await server.app.db
    .selectFrom('audit_events')
    .select('action')
    .where('subject_id', '=', id)
    .orderBy('recorded_at')
    .execute()
  expect(events.map(({ action }) => action)).toEqual(['filter.saved', 'filter.deleted'])
})

test.each([
  [{}, 'The name must be one line of 1 to 60 characters.'],
  [{ name: ' ' }, 'The name must be one line of 1 to 60 characters.'],
  [{ name: 'a\nb' }, 'The name must be one line of 1 to 60 characters.'],
  [{ name: 'x'.repeat(61) }, 'The name must be one line of 1 to 60 characters.'],
  [{ name: 'a', section: 'lost' }, /^section must be one of all, asian/],
  [{ name: 'a', status: 'lost' }, /^status must be one of draft/],
  [{ name: 'a', search: '\0' }, /^search must be a text/],
  [{ name: 'a', more: 1 }, 'Send name, section, search, category and status, and nothing else.'],
  [{ name: 'a', category: 'Nowhere' }, 'This category does not exist.'],
])('the filter %j is refused', async (body, message) => {
  const answer = await save(body)
  expect(answer.status).toBe(422)
  expect((answer.json() as { message: string }).message).toMatch(message)
})

test('a saved filter follows its category, and goes with it', async () => {
  const made = await server.app.db.transaction().execute((trx) => createCategories(trx, ['Poetry']))
  const id = made.get('poetry') as number
  await save({ name: 'Poems', category: 'poetry' })
  await server.request(`/api/categories/${id}`, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Verse' }),
  })
  expect(await saved()).toMatchObject([{ name: 'Poems', category: 'Verse' }])
  expect((await server.request(`/api/categories/${id}`, { method: 'DELETE', headers: admin })).status).toBe(204)
  expect(await saved()).toEqual([])
})

test('filters that are saved while their category is removed are saved before it, or refused', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `Genre ${i}`)
  const made = await server.app.db.transaction().execute((trx) => createCategories(trx, names))
  const answers = names.flatMap((category) => [
    save({ name: category, category }),
    server.request(`/api/categories/${made.get(category.toLowerCase())}`, { method: 'DELETE', headers: admin }),
    save({ name: `${category} on all tabs`, category, search: 'x' }),
  ])
  const statuses = new Set((await Promise.all(answers)).map(({ status }) => status))
  for (const status of [201, 204, 422]) statuses.delete(status)
  expect(statuses).toEqual(new Set())
  expect(await saved()).toEqual([])
})

test('at most 20 are saved, also at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, i) => save({ name: `Search ${i}`, search: `word ${i}` })),
  )
  const statuses = answers.map(({ status }) => status).sort((one, other) => one - other)
  expect(statuses).toEqual([...Array<number>(20).fill(201), 409, 409, 409, 409])
  expect(await saved()).toHaveLength(20)
})
