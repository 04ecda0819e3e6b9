import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { BulkEditForAdmin } from '../../src/features/catalogue/bulk/bulk-schema.ts'
import type { ItemForAdmin, Reason } from '../../src/features/catalogue/editing/content-schema.ts'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import { exportPieces } from '../../src/features/catalogue/transfer/export-items.server.ts'
import { drainJobs } from '../harness/drain.ts'
import { deleteAllItems } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { decode, type TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* The creators of an item, through every door that a field has (docs/spec/catalogue.md#item-fields). */

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

const faust = {
  name: 'Faust',
  category: 'Literature',
  link: 'https://mega.nz/file/faust',
  rights: { basis: 'public_domain', evidence: 'Published in 1808.', permitsDownload: true },
  people: 'none',
  publish: true,
}

async function created(body: object): Promise<ItemForAdmin> {
  const answer = await send('POST', '/westerncontent', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.json() as ItemForAdmin
}

const listed = async (): Promise<Record<string, unknown>[]> => {
  const answer = await server.call('/universal-search/search?limit=5')
  return (decode((answer.json() as { data: unknown }).data) as { data: Record<string, unknown>[] }).data
}

const detail = async (): Promise<Record<string, unknown>> => {
  const answer = await server.call('/westerncontent/faust')
  return decode((answer.json() as { data: unknown }).data) as Record<string, unknown>
}

test('creators are written as a list, and shown in lists and on detail pages', async () => {
  const made = await created({ ...faust, creators: [' Goethe ', 'GOETHE', 'Schiller'] })
  expect(made.creators).toEqual(['Goethe', 'Schiller'])
  expect(await listed()).toMatchObject([{ name: 'Faust', creators: ['Goethe', 'Schiller'] }])
  expect(await detail()).toMatchObject({ creators: ['Goethe', 'Schiller'] })
  expect((await server.call('/western')).text).toContain('Faust\t<small>Goethe; Schiller</small>')
  expect((await server.call('/western/faust')).text).toMatch(
    /By <\/span><a class="text-link" href="\/western\?creator=Goethe"[^>]*><bdi>Goethe<\/bdi><\/a>, <a[^>]*><bdi>Schiller</,
  )
})

test('what is not set is absent, an edit that leaves them out keeps them, and null, an empty text or list clears them', async () => {
  let item = await created({ ...faust, creators: ['Goethe'] })
  const put = async (body: object): Promise<void> => {
    const answer = await send('PUT', `/westerncontent/${item.id}`, { ...body, version: item.version })
    expect(answer.status, answer.text).toBe(200)
    item = answer.json() as ItemForAdmin
  }
  await put({ name: 'Faust I' })
  expect(item.creators).toEqual(['Goethe'])
  for (const cleared of [null, '', []]) {
    await put({ creators: ['Goethe'] })
    await put({ creators: cleared })
    expect(item).not.toHaveProperty('creators')
  }
  expect((await listed())[0]).not.toHaveProperty('creators')
  expect(await detail()).not.toHaveProperty('creators')
})

test('more than ten, and a name with a semicolon, are refused', async () => {
  const eleven = Array.from({ length: 11 }, (_, i) => `Name ${i}`)
  const refused = await send('POST', '/westerncontent', { ...faust, creators: eleven })
  expect(refused.status).toBe(422)
  expect((refused.json() as { reasons: Reason[] }).reasons).toMatchObject([
    { code: 'field.invalid', field: 'creators', sentence: 'creators has 11 names.', remedy: 'At most 10 are allowed.' },
  ])
  const joined = await send('POST', '/westerncontent', { ...faust, creators: ['A; B'] })
  expect([joined.status, joined.json()]).toMatchObject([
    422,
    { message: 'creators must be a list of names without semicolons.' },
  ])
  for (const unreadable of ['\ud800', '\0'])
    expect((await send('POST', '/westerncontent', { ...faust, creators: [unreadable] })).status).toBe(422)
})

test('an export has them behind the other columns, separated by semicolons', async () => {
  await created({ ...faust, creators: ['Goethe', 'Schiller'] })
  const file = async (format: 'csv' | 'jsonl'): Promise<string> => {
    let text = ''
    for await (const piece of exportPieces(server.app, { format })) text += piece.text
    return text
  }
  const [header, row] = (await file('csv')).split('\n')
  expect(header).toMatch(/,externalId,creators,description,/)
  expect(row).toMatch(/,Goethe; Schiller,+$/)
  expect(JSON.parse(await file('jsonl'))).toMatchObject({ creators: 'Goethe; Schiller' })
})

test('a bulk edit sets them, and an undo gives back what was there', async () => {
  const { id } = await created({ ...faust, creators: ['Goethe'] })
  const admin = bearer(token)
  const begun = await post(server, '/api/bulk-edits', { filter: {}, changes: { creators: 'Goethe; Schiller' } }, admin)
  expect(begun.status, begun.text).toBe(202)
  const edit = begun.json() as BulkEditForAdmin
  const read = async (): Promise<unknown> =>
    ((await server.call(`/api/items/${id}`, { headers: admin })).json() as ItemForAdmin).creators
  for (const [verb, creators] of [
    ['apply', ['Goethe', 'Schiller']],
    ['undo', ['Goethe']],
  ] as const) {
    await drainJobs(server.app)
    expect((await post(server, `/api/bulk-edits/${edit.id}/${verb}`, {}, admin)).status).toBe(202)
    await drainJobs(server.app)
    expect(await read()).toEqual(creators)
  }
})
