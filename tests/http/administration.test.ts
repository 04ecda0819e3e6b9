import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import type { CategoriesForAdmin } from '../../src/features/catalogue/categories/categories-schema.ts'
import type { ContentList, ItemForAdmin } from '../../src/features/catalogue/editing/content-schema.ts'
import { drainJobs } from '../harness/drain.ts'
import { deleteAllItems, someItems } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, signIn } from '../harness/members.ts'
import { decode } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

let administrator: MadeMember
let token: string

const server = serverOfFile()

beforeAll(async () => {
  administrator = await aMember(server.app, { isAdmin: true })
  token = await signIn(server, administrator)
})

test('a new site has the categories that the specification names, and neither code nor database removes two of them', async () => {
  const headers = bearer(token)
  const { categories } = (await server.request('/api/categories', { headers })).json() as CategoriesForAdmin
  expect(categories.map(({ name }) => name).toSorted()).toEqual(
    'Asian, Western, Banned, Unknown, TikTok, Instagram, VIP Content, VIP Banned, VIP Unknown, Literature, Film, Music, Art'
      .split(', ')
      .toSorted(),
  )
  const fixed = categories.filter(({ name }) => name === 'Banned' || name === 'Unknown')
  expect(fixed).toHaveLength(2)
  for (const { id, name } of fixed) {
    const answer = await server.request(`/api/categories/${id}`, { method: 'DELETE', headers })
    expect([answer.status, (answer.json() as { code: string }).code], name).toEqual([409, 'categories.fixed'])
    const { db } = server.app
    await expect(sql`delete from categories where id = ${id}`.execute(db)).rejects.toThrow(/cannot be removed/)
    await expect(sql`update categories set name = 'Other' where id = ${id}`.execute(db)).rejects.toThrow(/or renamed/)
  }
})

test('a content list has 900 items a page where nothing else is asked', async () => {
  await someItems(
    server.app,
    Array.from({ length: 901 }, (_, place) => ({ name: `Work ${place}`, slug: `work-${place}`, status: 'draft' })),
  )
  const list = async (query: string): Promise<ContentList> => {
    const answer = await server.call(`/westerncontent${query}`, { headers: bearer(token) })
    return decode((answer.json() as { data: unknown }).data) as ContentList
  }
  const first = await list('')
  expect([first.data.length, first.total, first.totalPages]).toEqual([900, 901, 2])
  expect((await list('?page=2')).data).toHaveLength(1)
  expect((await list('?limit=900')).data.map(({ id }) => id)).toEqual(first.data.map(({ id }) => id))
  await deleteAllItems(server.app)
})

test('whoever saves rights attests them, with the time; an edit of anything else does not', async () => {
  const { app, clock } = server
  const send = async (method: string, path: string, by: string, body: object): Promise<ItemForAdmin> => {
    const answer = await server.call(path, {
      method,
      body: JSON.stringify(body),
      headers: { ...bearer(by), 'admin-key': adminKeyOf(by), 'content-type': 'application/json' },
    })
    expect([200, 201], answer.text).toContain(answer.status)
    return answer.json() as ItemForAdmin
  }
  const attested = async () => {
    const row = await app.db
      .selectFrom('items')
      .select(['rights_attested_by', 'rights_attested_at', 'status', 'version', 'cleared_version'])
      .executeTakeFirstOrThrow()
    return { ...row, rights_attested_at: row.rights_attested_at?.getTime() }
  }
  const began = clock.now()
  const { id } = await send('POST', '/westerncontent', token, {
    name: 'Walden',
    category: 'Literature',
    link: 'https://mega.nz/file/walden',
    rights: { basis: 'public_domain', evidence: 'Printed in 1854.', permitsDownload: true },
    people: 'none',
    publish: true,
  })
  const first = { rights_attested_by: administrator.id, rights_attested_at: began, status: 'published' }
  expect(await attested()).toEqual({ ...first, version: 1, cleared_version: 1 })
  clock.advance(60_000)
  const other = await aMember(app, { isAdmin: true })
  const theirs = await signIn(server, other)
  // Its name, and so what it is, has changed: it is cleared anew, and the rights are those that were attested.
  await send('PUT', `/westerncontent/${id}`, theirs, { name: 'Walden, 1854', version: 1 })
  expect(await attested()).toEqual({ ...first, version: 2, cleared_version: 2 })
  await send('PUT', `/westerncontent/${id}`, theirs, { rights: { holder: 'Nobody' }, version: 2 })
  const second = { rights_attested_by: other.id, rights_attested_at: began + 60_000, status: 'published' }
  expect(await attested()).toEqual({ ...second, version: 3, cleared_version: 3 })
})

test('what leaves and enters with a file of members is in the audit log, with who did it', async () => {
  const headers = bearer(await signIn(server, administrator))
  const events = (action: string) =>
    server.app.db
      .selectFrom('audit_events')
      .select(['actor_id', 'details'])
      .where('action', '=', action)
      .orderBy('recorded_at')
      .execute()
  expect((await server.request('/api/member-export?format=jsonl', { headers })).status).toBe(200)
  expect(await events('members.exported')).toMatchObject([{ actor_id: administrator.id }])

  const answer = await server.request('/api/member-imports', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: 'email,name\nnew@readers.example,New Reader\nnone,Nobody\n',
  })
  const { id } = answer.json() as { id: string }
  expect(await events('members.imported')).toEqual([])
  await server.request(`/api/member-imports/${id}/start`, { method: 'POST', headers })
  await drainJobs(server.app)
  const imported = await events('members.imported')
  expect(imported).toMatchObject([{ actor_id: administrator.id }])
  // It names no member.
  expect(JSON.stringify(imported)).not.toContain('new@')
})
