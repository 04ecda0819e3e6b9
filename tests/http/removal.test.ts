import { sql, type Transaction } from 'kysely'
import { hash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import type { ItemForAdmin, Reason } from '../../src/features/catalogue/editing/content-schema.ts'
import type { CatalogueDatabase } from '../../src/features/catalogue/app.ts'
import { importItems } from '../../src/features/catalogue/transfer/import-items.server.ts'
import type { ImportFile } from '../../src/features/catalogue/transfer/import-file.server.ts'
import { followCatalogue } from '../../src/features/catalogue/index/follow-catalogue.server.ts'
import { lockCatalogue } from '../../src/features/catalogue/publishing/save-items.server.ts'
import { holdItems, releaseHolds } from '../../src/features/catalogue/removal/hold-items.server.ts'
import { removeItems, restoreItems } from '../../src/features/catalogue/removal/remove-items.server.ts'
import { itemColumns } from '../../src/features/catalogue/item/item.ts'
import { databaseUrl } from '../harness/prepare-database.ts'
import { drainJobs } from '../harness/drain.ts'
import { anItem, deleteAllItems, type ItemOverrides, type MadeItem, someItems } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { decode, type TestResponse } from '../harness/request.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

/* The traces of an item that a decision has removed, in every place (docs/spec/publishing.md#removed). */

let tokens: { member: string; vip: string; admin: string }
const server = serverOfFile({ now: new Date().toISOString() })

beforeAll(async () => {
  const sign = async (overrides: Parameters<typeof aMember>[1]): Promise<string> =>
    signIn(server, await aMember(server.app, overrides))
  tokens = { member: await sign({}), vip: await sign({ isVip: true }), admin: await sign({ isAdmin: true }) }
})
beforeEach(async () => {
  await deleteAllItems(server.app)
  await server.app.listing.catchUp()
})

async function locked<T>(work: (trx: Transaction<CatalogueDatabase>) => Promise<T>): Promise<T> {
  const done = await server.app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    return work(trx)
  })
  await server.app.listing.catchUp()
  return done
}
const by = 'system' as const
const attestation = () => ({ by: 'system', at: server.clock.now() })
const reference = 'N-2JZ4-8K0P'
const remove = (item: MadeItem, answer: 404 | 410 | 451 = 451, of = reference, kind = 'Copyright') =>
  locked((trx) => removeItems(trx, { reference: of, itemIds: [item.id], answer, kind, by }))
const restore = (of = reference) =>
  locked((trx) => restoreItems(server.app, trx, { reference: of, attestation: attestation() }))
const hold = (item: MadeItem, hides = true) =>
  locked((trx) => holdItems(trx, { reference, itemIds: [item.id], hides, by }))
const release = () => locked((trx) => releaseHolds(server.app, trx, { reference, attestation: attestation() }))

const link = 'https://files.example/works/alice.zip'
const alice: ItemOverrides = {
  name: 'Alice',
  contentType: 'asian',
  category: 'Literature',
  link,
  postDate: '2024-03-01',
}
const codeOf = (answer: TestResponse): [number, unknown] => [answer.status, (answer.json() as { code: string }).code]
const headings = ({ text }: TestResponse): string => /<h1[^>]*>([^<]*)/.exec(text)?.[1] ?? ''

describe('the page and the call of a removed item', () => {
  test.each([
    [451, 'item.removed_legal', 'This entry was removed after a legal demand.'],
    [410, 'item.removed_terms', 'This entry was removed because it went against this site&#x27;s terms.'],
  ] as const)('answer %i, and name kind, date and reference', async (answer, code, sentence) => {
    const item = await anItem(server.app, alice)
    expect((await server.request('/asian/alice')).status).toBe(200)
    expect((await server.call('/asiancontent/alice')).status).toBe(200)
    await remove(item, answer)
    const call = await server.call('/asiancontent/alice')
    expect(codeOf(call)).toEqual([answer, code])
    expect(call.json()).toMatchObject({ kind: 'Copyright', reference, removedAt: expect.stringMatching(/^\d{4}-.*Z$/) })
    const day = (call.json() as { removedAt: string }).removedAt.slice(0, 10)
    const page = await server.request('/asian/alice')
    expect([page.status, headings(page)]).toEqual([answer, 'Removed'])
    for (const told of [sentence, 'Copyright', reference, `dateTime="${day}"`, 'noindex'])
      expect(page.text).toContain(told)
    // Its publisher is led to what they can do, and everybody to what becomes of notices.
    const main = /<main[\s\S]*<\/main>/.exec(page.text)?.[0] ?? ''
    for (const way of [`/report/counter-notice?reference=${reference}`, '/transparency'])
      expect(main).toContain(`href="${way}"`)
    for (const hidden of ['files.example', 'Alice', 'Literature']) expect(page.text).not.toContain(hidden)
    // At another address as before: the endpoint of the other region, another page.
    expect((await server.call('/westerncontent/alice')).status).toBe(404)
    const elsewhere = await server.request('/western/alice')
    expect([elsewhere.status, elsewhere.headers.location]).toEqual([301, '/asian/alice'])
  })

  test('lead to a counter-notice after a copyright notice alone', async () => {
    const item = await anItem(server.app, alice)
    await remove(item, 451, reference, 'Personal data')
    const { text } = await server.request('/asian/alice')
    expect(text).toContain('Personal data')
    expect(text).not.toContain('/report/counter-notice')
    expect(/<main[\s\S]*<\/main>/.exec(text)?.[0]).toContain('href="/transparency"')
  })

  test('follow a reversal at once, also where their answers are kept', async () => {
    const item = await anItem(server.app, alice)
    for (const expected of [451, 200, 451, 200]) {
      if (expected === 451) await remove(item)
      else await restore()
      for (let times = 0; times < 3; times += 1) {
        expect((await server.request('/asian/alice')).status).toBe(expected)
        expect((await server.call('/asiancontent/alice')).status).toBe(expected)
      }
    }
  })

  test('say so also where a notice had hidden it before, and nothing was to be seen', async () => {
    const item = await anItem(server.app, alice)
    await hold(item)
    expect((await server.request('/asian/alice')).status).toBe(404)
    expect((await server.call('/asiancontent/alice')).status).toBe(404)
    await remove(item)
    expect((await server.request('/asian/alice')).status).toBe(451)
    await writeDraft()
    await restore()
    // The hold stands: it stays off, and is no tombstone any more.
    expect((await server.request('/asian/alice')).status).toBe(404)
    await release()
    expect((await server.request('/asian/alice')).status).toBe(200)
  })

  test('for the protection of a child are those of a slug that nobody knows, byte for byte', async () => {
    const paths = ['/asian/alice', '/asian/alice.data', '/western/alice', '/vip-asian/alice']
    const calls = ['/asiancontent/alice', '/westerncontent/alice', '/vip-asiancontent/alice']
    const look = async () => [
      ...(await Promise.all(paths.map((path) => server.request(path)))),
      ...(await Promise.all(calls.map((path) => server.call(path, { headers: bearer(tokens.vip) })))),
      ...(await Promise.all(calls.map((path) => server.call(path)))),
    ]
    const told = (answers: TestResponse[]) =>
      answers.map(({ status, text, headers }) => [
        status,
        hash('sha256', withoutNonce(text)),
        headers['content-type'],
        headers['cache-control'],
      ])
    const unknown = told(await look())
    const item = await anItem(server.app, alice)
    await remove(item, 404)
    expect(told(await look())).toEqual(unknown)
    // Regardless of other decisions.
    await remove(item, 451, 'N-0000-0001')
    expect(told(await look())).toEqual(unknown)
  })
})

const writeDraft = () => anItem(server.app, { name: 'Another', status: 'draft' })
const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '').replaceAll(/"requestId":"[^"]*"/g, '')

test('of a removed VIP item VIPs alone are told', async () => {
  const item = await anItem(server.app, { ...alice, contentType: 'vip-asian' })
  await remove(item)
  const call = (token?: string) =>
    server.call('/vip-asiancontent/alice', token === undefined ? {} : { headers: bearer(token) })
  expect(codeOf(await call(tokens.vip))).toEqual([451, 'item.removed_legal'])
  expect((await call(tokens.member)).status).toBe(403)
  expect((await call()).status).toBe(401)
  expect((await server.call('/asiancontent/alice')).status).toBe(404)
  expect((await server.call('/vip-westerncontent/alice', { headers: bearer(tokens.vip) })).status).toBe(404)
  expect((await server.request('/asian/alice')).status).toBe(404)
})

describe('nowhere else is it any more', () => {
  test('lists, searches and the nearest', async () => {
    const item = await anItem(server.app, { ...alice, name: 'Looking Glass' })
    const found = async (query: string) => {
      const { items, nearest } = await server.search(query)
      return [...items, ...(nearest ?? [])].map(({ name }) => name)
    }
    for (const query of ['', 'search=looking', 'search=lookling']) expect(await found(query)).toContain('Looking Glass')
    expect((await server.request('/asian')).text).toContain('Looking Glass')
    await remove(item)
    for (const query of ['', 'search=looking', 'search=lookling']) expect(await found(query)).toEqual([])
    expect((await server.request('/asian')).text).not.toContain('Looking Glass')
  })

  test('the gateway: a ticket that was issued before is gone, and no new one is', async () => {
    const item = await anItem(server.app, { ...alice, link: 'https://mega.nz/file/a1#key' })
    const ticket = (await server.request('/go/alice/link')).headers.location ?? ''
    expect(ticket).toMatch(/^\/go\/./)
    expect((await server.request(ticket)).status).toBe(200)
    await sql`update gateway_tickets set ready_at = ready_at - interval '1 minute'`.execute(server.app.db)
    await remove(item)
    const redeemed = await server.request(ticket, {
      method: 'POST',
      body: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
    })
    expect([redeemed.status, redeemed.headers.location]).toEqual([410, undefined])
    expect((await server.request('/go/alice/link')).status).toBe(404)
    expect((await post(server, '/links/report', { slug: 'alice', slot: 'link' })).status).toBe(404)
  })

  test.skipIf(inject('preparedDatabase').engine === 'embedded')('another instance, within some seconds', async () => {
    const { current } = (await sql<{ current: string }>`select current_database() as current`.execute(server.app.db))
      .rows[0] as { current: string }
    const { serverUrl } = inject('preparedDatabase') as { serverUrl: string }
    const other = await openTestServer({
      env: { DATABASE_URL: databaseUrl(serverUrl, current) },
      now: new Date().toISOString(),
    })
    const stop = await followCatalogue(other.app, other.database)
    try {
      const item = await anItem(server.app, alice)
      const seen = async () => [
        (await other.request('/asian/alice')).status,
        (await other.call('/asiancontent/alice')).status,
      ]
      const withinSeconds = { timeout: 5_000, interval: 50 }
      await vi.waitFor(async () => expect(await seen()).toEqual([200, 200]), withinSeconds)
      const startedAt = performance.now()
      await remove(item)
      await vi.waitFor(async () => expect(await seen()).toEqual([451, 451]), withinSeconds)
      expect((await other.search('')).items).toEqual([])
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      await restore()
      await vi.waitFor(async () => expect(await seen()).toEqual([200, 200]), withinSeconds)
    } finally {
      await stop()
      await other.close()
    }
  })
})

describe('a blocked link comes back in no way of writing, in whatever spelling', () => {
  const spelt = 'HTTP://www.files.example:80/works/%61lice.zip?dl=1#top'
  const send = (method: string, path: string, body: object) =>
    server.call(path, {
      method,
      headers: { 'content-type': 'application/json', ...bearer(tokens.admin), 'admin-key': adminKeyOf(tokens.admin) },
      body: JSON.stringify(body),
    })
  const codesOf = (answer: TestResponse) =>
    (answer.json() as { reasons: Reason[] }).reasons.map(({ code, field }) => `${code} ${field}`)
  const draft = { name: 'Once more', category: 'Literature' }
  const rights = { basis: 'public_domain', evidence: 'Of 1865.', permitsDownload: true, permitsPaidAccess: true }

  test('the form, also for a draft, in every slot', async () => {
    await remove(await anItem(server.app, alice))
    for (const body of [
      { ...draft, link: spelt },
      { ...draft, link: spelt, rights, people: 'none', publish: true },
      { ...draft, link: spelt, rights, people: 'none', publish: true, postDate: '2999-05-01' },
      { ...draft, link: 'https://mega.nz/file/x', linkMV3: spelt },
    ]) {
      const refused = await send('POST', '/asiancontent', body)
      expect(refused.status, refused.text).toBe(422)
      expect(codesOf(refused)).toEqual([`link.blocked ${'linkMV3' in body ? 'linkMV3' : 'link'}`])
      expect(refused.text).not.toContain(reference)
    }
    const other = (
      await send('POST', '/asiancontent', { ...draft, link: 'https://mega.nz/file/x' })
    ).json() as ItemForAdmin
    const edited = await send('PUT', `/asiancontent/${other.id}`, { link: spelt, version: other.version })
    expect([edited.status, codesOf(edited)]).toEqual([422, ['link.blocked link']])
    await restore()
    expect((await send('PUT', `/asiancontent/${other.id}`, { link: spelt, version: other.version })).status).toBe(200)
  })

  test('an import, whose row is rejected, with and without publishing', async () => {
    const item = await anItem(server.app, { ...alice, externalId: 'a1' })
    await remove(item)
    const columns = ['name', 'category', 'contentType', 'link', 'linkG', 'externalId']
    const row = (cells: Record<string, string>, line: number) => ({
      line,
      cells: Object.fromEntries(itemColumns.map((column) => [column, cells[column] ?? ''])),
    })
    const given = { name: 'In a file', category: 'Literature', contentType: 'asian' }
    const rows = [
      row({ ...given, link: spelt, externalId: 'b1' }, 2),
      row({ ...given, link: 'https://mega.nz/file/y', linkG: spelt, externalId: 'b2' }, 3),
      row({ ...given, link: 'https://mega.nz/file/z', externalId: 'b3' }, 4),
      row({ ...given, link, externalId: 'a1' }, 5),
    ]
    for (const [publish, dryRun] of [
      [false, true],
      [true, true],
      [false, false],
      [true, false],
    ] as const) {
      const file = {
        format: 'csv',
        columns,
        rows: (async function* () {
          yield* rows
        })(),
        bytesRead: () => 0,
      } as ImportFile
      const reasons: string[] = []
      const tally = await importItems(
        server.app,
        file,
        { publish, createCategories: false, dryRun },
        {
          onProgress: ({ rejected }) => {
            for (const {
              row: { line },
              reasons: found,
            } of rejected)
              reasons.push(`${line} ${found.map((each) => each.split(':')[0]).join(' ')}`)
          },
        },
      )
      expect(tally.rejected).toBe(3)
      expect(reasons.filter((each) => !each.startsWith('4 '))).toEqual(
        publish
          ? [expect.stringMatching(/^2 .*link\.blocked/), expect.stringMatching(/^3 .*link\.blocked/), '5 item.removed']
          : ['2 link.blocked', '3 link.blocked', '5 item.removed'],
      )
    }
    const names = await server.app.db.selectFrom('items').select(['name', 'link']).orderBy('no').execute()
    expect(names.map(({ link: stored }) => stored)).toEqual([link, 'https://mega.nz/file/z'])
  })

  test('a schedule: what was to appear later does not', async () => {
    const item = await anItem(server.app, alice)
    const later = await anItem(server.app, { name: 'Later', contentType: 'asian', link: spelt, postDate: '2999-01-01' })
    await remove(item)
    server.clock.advance(Date.parse('2999-01-02') - server.clock.now())
    await server.app.listing.catchUp()
    expect((await server.call(`/asiancontent/${later.slug}`)).status).toBe(404)
    server.clock.advance(Date.now() - server.clock.now())
  })

  test('a change of many entries and a merge of categories publish none', async () => {
    const item = await anItem(server.app, alice)
    await anItem(server.app, { name: 'Swept', contentType: 'asian', category: 'Film', link: spelt })
    await remove(item)
    const admin = bearer(tokens.admin)
    const begun = await post(server, '/api/bulk-edits', { filter: {}, changes: { status: 'published' } }, admin)
    expect(begun.status, begun.text).toBe(202)
    await drainJobs(server.app)
    const { id } = begun.json() as { id: string }
    const refused = await server.request(`/api/bulk-edits/${id}/items?outcome=refused`, { headers: admin })
    expect(refused.text).toContain('leads to a file that was removed from this site')
    const categories = await server.app.db.selectFrom('categories').select(['id', 'name']).execute()
    const idOf = (name: string) => categories.find((each) => each.name === name)?.id
    const merged = await post(server, `/api/categories/${idOf('Film')}/merge`, { into: idOf('Literature') }, admin)
    expect(merged.status).toBe(202)
    await drainJobs(server.app)
    expect(await server.app.db.selectFrom('items').select(['name', 'status']).orderBy('no').execute()).toEqual([
      { name: 'Alice', status: 'removed' },
      { name: 'Swept', status: 'restricted' },
    ])
  })

  test('a replaced host: the preview refuses what would lead to it', async () => {
    await remove(await anItem(server.app, alice))
    await anItem(server.app, { name: 'Moved', link: link.replace('files.example', 'old.example') })
    const admin = bearer(tokens.admin)
    const begun = await post(
      server,
      '/api/bulk-edits',
      {
        filter: { linkHost: 'old.example' },
        changes: { action: 'replace-host', host: 'old.example', newHost: 'files.example' },
      },
      admin,
    )
    await drainJobs(server.app)
    const { id } = begun.json() as { id: string }
    const refused = await server.request(`/api/bulk-edits/${id}/items?outcome=refused`, { headers: admin })
    expect(refused.json()).toMatchObject({
      items: [{ name: 'Moved', reasons: ['link leads to a file that was removed from this site.'] }],
    })
  })

  test('a swept entry is published again with another link alone', async () => {
    const item = await anItem(server.app, alice)
    const swept = await anItem(server.app, { name: 'Swept', contentType: 'asian', link: spelt })
    await remove(item)
    const read = async () =>
      (await server.request(`/api/items/${swept.id}`, { headers: bearer(tokens.admin) })).json() as ItemForAdmin
    const before = await read()
    expect([before.status, before.restriction, before.reasons.map(({ code }) => code)]).toEqual([
      'restricted',
      'gate',
      ['link.blocked'],
    ])
    const { version } = before
    expect((await send('PUT', `/asiancontent/${swept.id}`, { publish: true, version })).status).toBe(422)
    const mended = await send('PUT', `/asiancontent/${swept.id}`, {
      link: 'https://mega.nz/file/new',
      publish: true,
      version,
    })
    expect([mended.status, (mended.json() as ItemForAdmin).status]).toEqual([200, 'published'])
  })
})

describe('while a notice holds an entry', () => {
  const send = (method: string, path: string, body?: object) =>
    server.call(path, {
      method,
      headers: { 'content-type': 'application/json', ...bearer(tokens.admin), 'admin-key': adminKeyOf(tokens.admin) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  const readAsAdmin = async (id: string) =>
    (await server.request(`/api/items/${id}`, { headers: bearer(tokens.admin) })).json() as ItemForAdmin

  test.each([true, false])('nobody edits or deletes it (hidden: %s)', async (hides) => {
    const item = await anItem(server.app, alice)
    await hold(item, hides)
    const shown = (
      await server.request(`/api/items/${item.id}`, { headers: bearer(tokens.admin) })
    ).json() as ItemForAdmin
    expect(shown).toMatchObject({ heldBy: 'notice', status: hides ? 'restricted' : 'published' })
    expect(JSON.stringify(shown)).not.toContain(reference)
    const list = await server.call('/asiancontent', { headers: bearer(tokens.admin) })
    expect(decode((list.json() as { data: unknown }).data)).toMatchObject({ data: [{ heldBy: 'notice' }] })
    const { version } = shown
    for (const answer of [
      await send('PUT', `/asiancontent/${item.id}`, { name: 'Renamed', version }),
      await send('PUT', `/asiancontent/${item.id}`, { publish: true, version }),
      await send('DELETE', `/asiancontent/${item.id}`),
    ])
      expect(codeOf(answer)).toEqual([422, 'item.held'])
    await release()
    const { version: after } = (
      await server.request(`/api/items/${item.id}`, { headers: bearer(tokens.admin) })
    ).json() as ItemForAdmin
    expect((await send('PUT', `/asiancontent/${item.id}`, { name: 'Renamed', version: after })).status).toBe(200)
  })

  test('what is on the site may be taken off it all the same, and is not published again', async () => {
    const item = await anItem(server.app, alice)
    await hold(item, false)
    const { version } = await readAsAdmin(item.id)
    expect((await send('POST', `/api/items/${item.id}/unpublish`, { version })).status).toBe(200)
    const draft = await readAsAdmin(item.id)
    expect(draft).toMatchObject({ heldBy: 'notice', status: 'draft' })
    expect(codeOf(await send('PUT', `/asiancontent/${item.id}`, { publish: true, version: draft.version }))).toEqual([
      422,
      'item.held',
    ])
  })

  test('an import, a change of many and a merge leave it as it is', async () => {
    const [draft] = await someItems(server.app, [{ ...alice, category: 'Film', status: 'draft', externalId: 'a1' }])
    await hold(draft as MadeItem, false)
    const cells = { ...alice, name: 'Renamed', category: 'Literature', externalId: 'a1' } as Record<string, string>
    const row = { line: 2, cells: Object.fromEntries(itemColumns.map((column) => [column, cells[column] ?? ''])) }
    const file = {
      format: 'csv',
      columns: [],
      rows: (async function* () {
        yield row
      })(),
      bytesRead: () => 0,
    } as unknown as ImportFile
    const reasons: string[] = []
    await importItems(
      server.app,
      file,
      { publish: false, createCategories: false, dryRun: false },
      {
        onProgress: ({ rejected }) => void reasons.push(...rejected.flatMap((each) => each.reasons)),
      },
    )
    expect(reasons).toEqual([expect.stringMatching(/^item\.held: /)])
    const admin = bearer(tokens.admin)
    await post(server, '/api/bulk-edits', { filter: {}, changes: { rating: 'mature' } }, admin)
    const categories = await server.app.db.selectFrom('categories').select(['id', 'name']).execute()
    const idOf = (name: string) => categories.find((each) => each.name === name)?.id
    await post(server, `/api/categories/${idOf('Film')}/merge`, { into: idOf('Literature') }, admin)
    await drainJobs(server.app)
    expect(
      await server.app.db
        .selectFrom('items as i')
        .innerJoin('categories as c', 'c.id', 'i.category_id')
        .select(['i.name', 'i.rating', 'c.name as category', 'i.version'])
        .execute(),
    ).toEqual([{ name: 'Alice', rating: 'general', category: 'Film', version: 1 }])
  })
})
