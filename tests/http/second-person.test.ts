import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import type { BulkEditForAdmin, BulkItems } from '../../src/features/catalogue/bulk/bulk-schema.ts'
import type { CategoriesForAdmin } from '../../src/features/catalogue/categories/categories-schema.ts'
import type { ContentList, ItemForAdmin, Reason } from '../../src/features/catalogue/editing/content-schema.ts'
import type { ImportForAdmin, ImportProblems } from '../../src/features/catalogue/transfer/import-schema.ts'
import { itemColumns } from '../../src/features/catalogue/item/item.ts'
import { importBatch } from '../../src/features/catalogue/transfer/import-items.server.ts'
import { openImportRun } from '../../src/features/catalogue/transfer/open-import-run.server.ts'
import type { AdminHome } from '../../src/features/site/home/admin-home-schema.ts'
import { drainJobs } from '../harness/drain.ts'
import { deleteAllItems, someItems } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import { decode, type TestResponse } from '../harness/request.ts'
import { openTestServer, type TestServer, serverOfFile } from '../harness/test-server.ts'

/** Verification of the rights by a second person (docs/spec/publishing.md#second-person). */

interface Person extends MadeMember {
  headers: Record<string, string>
}

let first: Person
let second: Person

async function anAdministrator(of: TestServer, name: string): Promise<Person> {
  const made = await aMember(of.app, { isAdmin: true, name })
  const token = await signIn(of, made)
  return { ...made, headers: { ...bearer(token), 'admin-key': adminKeyOf(token) } }
}

const server = serverOfFile({ env: { REQUIRE_SECOND_PERSON: '1' } })

beforeAll(async () => {
  first = await anAdministrator(server, 'Jane Reader')
  second = await anAdministrator(server, 'Ana Second')
})
beforeEach(async () => {
  await drainJobs(server.app)
  await deleteAllItems(server.app)
})

const draft = { name: 'The Tale of Genji', category: 'Literature', link: 'https://mega.nz/file/genji', people: 'none' }
const rights = { basis: 'public_domain', evidence: 'Its author died about 1014.', permitsDownload: true }
const unverified = {
  code: 'rights.unverified',
  field: 'rights.basis',
  sentence: 'The rights were not verified by a second person.',
}

function send(by: Person, method: string, path: string, body: unknown, to = server): Promise<TestResponse> {
  return to.call(path, {
    method,
    headers: { 'content-type': 'application/json', ...by.headers },
    body: JSON.stringify(body),
  })
}

const itemOf = (answer: TestResponse): ItemForAdmin => answer.json() as ItemForAdmin
const reasonsOf = (answer: TestResponse): Reason[] => (answer.json() as { reasons: Reason[] }).reasons

async function created(body: object = { ...draft, rights }, by = first, to = server): Promise<ItemForAdmin> {
  const answer = await send(by, 'POST', '/westerncontent', body, to)
  expect(answer.status, answer.text).toBe(201)
  return itemOf(answer)
}

const verify = (by: Person, { id, version }: Pick<ItemForAdmin, 'id' | 'version'>, to = server) =>
  send(by, 'POST', `/api/items/${id}/verify`, { version }, to)
const change = (by: Person, { id, version }: Pick<ItemForAdmin, 'id' | 'version'>, body: object) =>
  send(by, 'PUT', `/westerncontent/${id}`, { ...body, version })

const read = async (id: string, by = first): Promise<ItemForAdmin> =>
  itemOf(await server.call(`/api/items/${id}`, { headers: by.headers }))

const statuses = async () => server.app.db.selectFrom('items').select(['name', 'status']).orderBy('no').execute()

describe('POST /api/items/:id/verify', () => {
  test('notes who has verified the rights of another, and when, once', async () => {
    const item = await created()
    expect(item).toMatchObject({ attestation: { isOwn: true }, verification: null, requiresSecondPerson: true })
    expect((await read(item.id, second)).attestation).toMatchObject({ by: first.id, isOwn: false })
    const at = new Date(server.clock.now()).toISOString()
    const answer = await verify(second, item)
    expect(answer.status, answer.text).toBe(200)
    expect(itemOf(answer)).toMatchObject({
      version: item.version,
      updatedAt: item.updatedAt,
      status: 'draft',
      verification: { by: second.id, name: 'Ana Second', at },
      reasons: [],
    })
    server.clock.advance(60_000)
    const third = await anAdministrator(server, 'Somebody Third')
    for (const by of [second, third]) {
      expect(itemOf(await verify(by, item)).verification).toEqual({ by: second.id, name: 'Ana Second', at })
    }
    const events = await server.app.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'details'])
      .where('subject_id', '=', item.id)
      .where('action', '=', 'item.verified')
      .execute()
    expect(events).toEqual([
      {
        action: 'item.verified',
        actor_id: second.id,
        details: { name: item.name, slug: item.slug, version: item.version },
      },
    ])
    await server.app.db.updateTable('users').set({ is_admin: false }).where('id', '=', third.id).execute()
  })

  test('is refused to who recorded the rights, where none are recorded, and for a removed item', async () => {
    const own = await created()
    const none = await created({ ...draft, name: 'Without rights' })
    const [gone] = await someItems(server.app, [{ name: 'Gone', status: 'removed' }])
    const { version } = await read(String(gone?.id))
    for (const [by, item, code] of [
      [first, own, 'rights.own_attestation'],
      [second, none, 'rights.missing'],
      [second, { id: String(gone?.id), version }, 'item.removed'],
    ] as const) {
      const answer = await verify(by, item)
      expect([answer.status, reasonsOf(answer)]).toEqual([
        422,
        [{ code, field: expect.any(String), sentence: expect.any(String), remedy: expect.any(String) }],
      ])
      expect((await read(item.id)).verification).toBeNull()
    }
  })

  test('meets another version with the item as it is, and an id that is none with 404', async () => {
    const item = await created()
    const changed = itemOf(await change(first, item, { rights: { evidence: 'Another proof.' } }))
    const answer = await verify(second, item)
    expect([answer.status, answer.json()]).toMatchObject([
      409,
      { code: 'item.conflict', current: { version: changed.version, rights: { evidence: 'Another proof.' } } },
    ])
    expect((await read(item.id)).verification).toBeNull()
    expect((await verify(second, { id: '018bcfe5-0000-7000-8000-000000000000', version: 1 })).status).toBe(404)
    expect((await send(second, 'POST', `/api/items/${item.id}/verify`, {})).status).toBe(422)
  })

  test('what the command line has recorded, any administrator verifies', async () => {
    const [item] = await someItems(server.app, [{ name: 'Of a file', status: 'draft' }])
    const answer = await verify(first, { id: String(item?.id), version: 1 })
    expect(itemOf(answer)).toMatchObject({ verification: { by: first.id } })
  })
})

describe('the form', () => {
  test('publishes after the verification, not before, and says why', async () => {
    const refusedAtOnce = await send(first, 'POST', '/westerncontent', { ...draft, rights, publish: true })
    expect([refusedAtOnce.status, reasonsOf(refusedAtOnce)]).toMatchObject([
      422,
      [{ ...unverified, remedy: expect.stringMatching(/^Save them unpublished first\./) }],
    ])
    const item = await created()
    expect(item.reasons).toMatchObject([
      { ...unverified, remedy: 'Another administrator than who recorded them verifies them on the form of the entry.' },
    ])
    const { data } = (await server.call('/westerncontent', { headers: first.headers })).json() as { data: unknown }
    expect((decode(data) as ContentList).data[0]?.reasons).toEqual([unverified.sentence])
    for (const by of [first, second]) {
      const answer = await change(by, item, { publish: true })
      expect([answer.status, reasonsOf(answer)]).toMatchObject([422, [unverified]])
    }
    await verify(second, item)
    const published = await change(first, item, { name: 'Genji', publish: true })
    expect(itemOf(published)).toMatchObject({ status: 'published', verification: { by: second.id } })
    expect((await server.search('search=genji')).items).toHaveLength(1)
    // Fields without rights are edited without another verification.
    expect((await change(first, itemOf(published), { link2: 'https://mega.nz/file/two' })).status).toBe(200)
  })

  test('a schedule is a publication', async () => {
    const item = await created()
    const ahead = { postDate: '2099-01-01', publish: true }
    expect(reasonsOf(await change(first, item, ahead))).toMatchObject([unverified])
    await verify(second, item)
    expect(itemOf(await change(first, item, ahead))).toMatchObject({ status: 'published' })
  })

  test('rights that change fall out of their verification, in the very write that would publish them too', async () => {
    const item = await created()
    await verify(second, item)
    const renewed = { rights: { evidence: 'Another proof.' } }
    expect(reasonsOf(await change(second, item, { ...renewed, publish: true }))).toMatchObject([unverified])
    const saved = itemOf(await change(second, item, renewed))
    expect(saved).toMatchObject({ attestation: { by: second.id }, verification: null })
    expect(reasonsOf(await verify(second, saved))).toMatchObject([{ code: 'rights.own_attestation' }])
    expect(itemOf(await verify(first, saved)).reasons).toEqual([])
  })

  test('what is published already stays, and is cleared anew once it is verified', async () => {
    const [made] = await someItems(server.app, [{ name: 'From before' }])
    const item = await read(String(made?.id))
    expect((await server.search('search=before')).items).toHaveLength(1)
    expect(reasonsOf(await change(first, item, { name: 'From long before' }))).toMatchObject([unverified])
    const verified = await verify(second, item)
    expect(itemOf(verified)).toMatchObject({ status: 'published', version: 1 })
    expect((await server.search('search=before')).items).toHaveLength(1)
    expect(itemOf(await change(first, item, { name: 'From long before' }))).toMatchObject({ status: 'published' })
  })
})

const csv = (name: string): string =>
  `name,category,contentType,link,rightsBasis,evidence,permitsDownload,people\n${name},Literature,western,https://mega.nz/file/a,public_domain,The author died in 1900.,true,none\n`

async function importFile(by: Person, name: string): Promise<ImportForAdmin> {
  const headers = by.headers
  const sent = await server.request('/api/imports?name=works.csv', { method: 'POST', headers, body: csv(name) })
  const { id } = sent.json() as ImportForAdmin
  const begun = await post(server, `/api/imports/${id}/start`, { publish: true, createCategories: false }, headers)
  expect(begun.status, begun.text).toBe(202)
  await drainJobs(server.app)
  return (await server.request(`/api/imports/${id}`, { headers })).json() as ImportForAdmin
}

describe('imports', () => {
  test('bring rows in as drafts with the reason, and publish them once they are verified', async () => {
    const done = await importFile(first, 'Sonnets')
    expect(done.tally).toMatchObject({ created: 1, published: 0, held: 1 })
    const answer = await server.request(`/api/imports/${done.id}/problems?page=1`, { headers: first.headers })
    expect((answer.json() as ImportProblems).problems[0]?.reasons[0]?.sentence).toContain(unverified.sentence)
    expect(await statuses()).toEqual([{ name: 'Sonnets', status: 'draft' }])
    const { id } = await server.app.db.selectFrom('items').select('id').executeTakeFirstOrThrow()
    await verify(second, await read(id))
    expect((await importFile(first, 'Sonnets')).tally).toMatchObject({ published: 1, held: 0 })
    expect(await statuses()).toEqual([{ name: 'Sonnets', status: 'published' }])
  })

  test('of the command line too', async () => {
    const run = openImportRun(server.app, { publish: true, createCategories: false, dryRun: false })
    const cells: Record<string, string> = {
      name: 'Of the operator',
      category: 'Literature',
      contentType: 'western',
      link: 'https://mega.nz/a',
      rightsBasis: 'public_domain',
      evidence: 'Old.',
      permitsDownload: 'true',
      people: 'none',
    }
    const row = Object.fromEntries(itemColumns.map((column) => [column, cells[column] ?? '']))
    const rejected = await importBatch(server.app, run, [{ line: 2, cells: row }])
    expect(rejected.map(({ reasons }) => reasons)).toEqual([[expect.stringMatching(/^rights\.unverified: /)]])
    expect(await statuses()).toEqual([{ name: 'Of the operator', status: 'draft' }])
  })
})

describe('work on many items', () => {
  async function bulk(filter: object, changes: object): Promise<{ edit: BulkEditForAdmin; refused: BulkItems }> {
    const { headers } = first
    const { id } = (await post(server, '/api/bulk-edits', { filter, changes }, headers)).json() as BulkEditForAdmin
    await drainJobs(server.app)
    const path = `/api/bulk-edits/${id}`
    const edit = (await server.request(path, { headers })).json() as BulkEditForAdmin
    const refused = await server.request(`${path}/items?outcome=refused&after=0`, { headers })
    return { edit, refused: refused.json() as BulkItems }
  }

  test('a change of many entries publishes only what is verified', async () => {
    const item = await created()
    await created({ ...draft, name: 'Not looked at', rights })
    await verify(second, item)
    const { edit, refused } = await bulk({ status: 'draft' }, { status: 'published' })
    expect(edit.counts).toMatchObject({ planned: 1, refused: 1 })
    expect(refused.items).toMatchObject([{ name: 'Not looked at', reasons: [unverified.sentence] }])
    await post(server, `/api/bulk-edits/${edit.id}/apply`, {}, first.headers)
    await drainJobs(server.app)
    expect(await statuses()).toEqual([
      { name: 'The Tale of Genji', status: 'published' },
      { name: 'Not looked at', status: 'draft' },
    ])
  })

  test('a merge of categories leaves what is published and not verified where it is', async () => {
    await post(server, '/api/categories', { name: 'Verse' }, first.headers)
    await someItems(server.app, [
      { name: 'Sonnet', category: 'Verse' },
      { name: 'Ballad', category: 'Verse', status: 'draft' },
    ])
    const listed = async () =>
      (await server.request('/api/categories', { headers: first.headers })).json() as CategoriesForAdmin
    const idOf = async (name: string) => (await listed()).categories.find((one) => one.name === name)?.id
    const into = await idOf('Literature')
    await post(server, `/api/categories/${await idOf('Verse')}/merge`, { into }, first.headers)
    await drainJobs(server.app)
    expect((await listed()).stopped[0]?.refused).toEqual([{ name: 'Sonnet', reason: unverified.sentence }])
  })
})

describe('the home of the administration', () => {
  const home = async (by: Person, of = server): Promise<AdminHome> =>
    (await of.request('/api/admin/home', { headers: by.headers })).json() as AdminHome
  const toVerify = async (by: Person) => (await home(by)).rows.filter(({ sentence }) => sentence.endsWith(' to verify'))

  test('counts what others have recorded, and leads to the list that has the most', async () => {
    expect(await toVerify(second)).toEqual([])
    const one = await created()
    await created({ ...draft, name: 'Two', rights })
    await created({ ...draft, name: 'Without rights' })
    await someItems(server.app, [{ name: 'Published' }, { name: 'Gone', status: 'removed' }])
    expect(await toVerify(second)).toMatchObject([
      { sentence: '2 entries to verify', verb: 'Verify', to: '/admin/settings?status=draft' },
    ])
    expect(await toVerify(first)).toEqual([])
    await verify(second, one)
    expect(await toVerify(second)).toMatchObject([{ sentence: '1 entry to verify' }])
  })

  test('says that nothing can be published where there is nobody to verify', async () => {
    const problems = async () =>
      (await home(first)).rows.filter(({ sentence }) => /second administrator/.test(sentence))
    expect(await problems()).toEqual([])
    const { db } = server.app
    await db.updateTable('users').set({ is_admin: false }).where('id', '=', second.id).execute()
    try {
      expect(await problems()).toMatchObject([
        {
          sentence: expect.stringContaining('Nothing can be published until there is a second administrator'),
          to: '/admin/people',
        },
      ])
    } finally {
      await db.updateTable('users').set({ is_admin: true }).where('id', '=', second.id).execute()
    }
  })
})

test('a site that does not require it publishes at once, notes a verification all the same, and waits for none', async () => {
  await using own = await openTestServer()
  const jane = await anAdministrator(own, 'Jane Reader')
  const draftItem = await created({ ...draft, name: 'A draft', rights }, jane, own)
  const item = await created({ ...draft, rights, publish: true }, jane, own)
  expect(item).toMatchObject({ status: 'published', verification: null, requiresSecondPerson: false, reasons: [] })
  const answer = (await own.request('/api/admin/home', { headers: jane.headers })).json() as AdminHome
  expect(answer.rows).toEqual([])
  const ana = await anAdministrator(own, 'Ana Second')
  const { rows } = (await own.request('/api/admin/home', { headers: ana.headers })).json() as AdminHome
  expect(rows).toEqual([])
  expect(itemOf(await verify(ana, draftItem, own)).verification).toMatchObject({ name: 'Ana Second' })
  expect((await verify(jane, draftItem, own)).status).toBe(422)
})
