import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ContentList, ItemForAdmin, Reason } from '../../src/features/catalogue/editing/content-schema.ts'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import { deleteAllItems, someItems } from '../harness/items.ts'
import { aMember, type MadeMember, bearer, signIn } from '../harness/members.ts'
import { decode, type TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

let administrator: MadeMember
let adminToken: string
let memberToken: string
let vipToken: string

/** The headers of an administrator's write. */
const keysOf = (token: string): Record<string, string> => ({ ...bearer(token), 'admin-key': adminKeyOf(token) })

function send(method: string, path: string, body?: unknown, headers = keysOf(adminToken)): Promise<TestResponse> {
  return server.call(path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const read = (query: string): Promise<TestResponse> => server.call(query, { headers: bearer(adminToken) })

async function list(query: string): Promise<ContentList> {
  const answer = await read(query)
  expect(answer.status, answer.text).toBe(200)
  return decode((answer.json() as { data: unknown }).data) as ContentList
}

const namesOf = ({ data }: ContentList): string[] => data.map(({ name }) => name)
const itemOf = (answer: TestResponse): ItemForAdmin => answer.json() as ItemForAdmin
const reasonsOf = (answer: TestResponse): Reason[] => (answer.json() as { reasons: Reason[] }).reasons
const codesOf = (answer: TestResponse): string[] => reasonsOf(answer).map(({ code }) => code)

const draft = { name: 'The Tale of Genji', category: 'Literature', link: 'https://mega.nz/file/genji' }
const rights = {
  basis: 'public_domain',
  evidence: 'Its author died about 1014.',
  permitsDownload: true,
  permitsPaidAccess: true,
}
const cleared = { ...draft, rights, people: 'none', publish: true }
const consent = {
  pseudonym: 'The reader',
  permitsPublication: true,
  permitsDownload: true,
  evidence: 'A signed form of 2020.',
  verifiedAdult: 'yes',
}

async function created(body: object, endpoint = '/westerncontent'): Promise<ItemForAdmin> {
  const answer = await send('POST', endpoint, body)
  expect(answer.status, answer.text).toBe(201)
  return itemOf(answer)
}

async function eventsOf(id: string): Promise<{ action: string; actor_id: string | null; details: unknown }[]> {
  return server.app.db
    .selectFrom('audit_events')
    .select(['action', 'actor_id', 'details'])
    .where('subject_id', '=', id)
    .orderBy('recorded_at')
    .orderBy('id')
    .execute()
}

const server = serverOfFile()

beforeAll(async () => {
  administrator = await aMember(server.app, { isAdmin: true })
  adminToken = await signIn(server, administrator)
  memberToken = await signIn(server, await aMember(server.app))
  vipToken = await signIn(server, await aMember(server.app, { isVip: true }))
})
beforeEach(() => deleteAllItems(server.app))

test("visitors' details stand beside them under the same path", async () => {
  const { slug } = await created(cleared)
  expect((await server.call(`/westerncontent/${slug}`)).status).toBe(200)
  expect((await send('PUT', `/westerncontent/${slug}`, { ...draft, version: 1 })).status).toBe(404)
})

describe('POST', () => {
  test('adds a draft, which nobody sees but administrators', async () => {
    const item = await created(draft)
    expect(item).toMatchObject({
      name: 'The Tale of Genji',
      slug: 'the-tale-of-genji',
      category: 'Literature',
      contentType: 'western',
      region: 'western',
      rating: 'general',
      status: 'draft',
      version: 1,
      people: null,
      consents: [],
      evidenceFiles: [],
      rights: { basis: null, permitsDownload: false },
    })
    expect(item.reasons.map(({ code }) => code)).toContain('rights.missing')
    expect((await server.call(`/westerncontent/${item.slug}`)).status).toBe(404)
    expect((await server.search('search=Genji')).items).toEqual([])
  })

  test('publishes what the gate lets pass, and the site shows it in the same moment', async () => {
    const item = await created(cleared)
    expect(item).toMatchObject({ status: 'published', reasons: [], rights: { basis: 'public_domain' } })
    expect((await server.search('search=Genji')).items.map(({ name }) => name)).toEqual(['The Tale of Genji'])
  })

  test('refuses to publish with all reasons at once, each with its field and remedy, and adds nothing', async () => {
    const answer = await send('POST', '/vipcontent', {
      ...draft,
      contentType: 'vip-banned',
      linkG: 'https://reader:secret@gofile.io/d/1',
      rights: { basis: 'license', validTo: '2020-01-01' },
      people: 'identifiable',
      publish: true,
    })
    expect(answer.status).toBe(422)
    expect(codesOf(answer).toSorted()).toEqual(
      [
        'link.credentials',
        'rights.holder_missing',
        'rights.evidence_missing',
        'rights.expired',
        'rights.no_download',
        'rights.no_paid_access',
        'consent.missing',
        'category.type',
      ].toSorted(),
    )
    expect(reasonsOf(answer).find(({ code }) => code === 'rights.expired')).toEqual({
      code: 'rights.expired',
      field: 'rights.validTo',
      sentence: 'The rights ended on 2020-01-01.',
      remedy: 'Renew the rights and record the new end.',
    })
    expect((await list('/vipcontent')).total).toBe(0)
  })

  test('names a missing name, link and category together', async () => {
    const answer = await send('POST', '/westerncontent', { name: ' ' })
    expect(answer.status).toBe(422)
    expect(reasonsOf(answer).map(({ field }) => field)).toEqual(['name', 'category', 'link'])
  })

  test('a category has to exist, whatever its case', async () => {
    const answer = await send('POST', '/westerncontent', { ...draft, category: 'Cookery' })
    expect(codesOf(answer)).toEqual(['category.unknown'])
    expect((await created({ ...draft, category: 'LITERATURE' })).category).toBe('Literature')
  })

  test.each([
    ['status', { status: 'published' }],
    ['id', { id: '018bcfe5-0000-7000-8000-000000000000' }],
    ['createdAt', { createdAt: '2020-01-01' }],
    ['updatedAt', { updatedAt: '2020-01-01' }],
    ['version', { version: 1 }],
    ['clearedVersion', { clearedVersion: 1 }],
    ['colour', { colour: 'blue' }],
    ['attestedBy', { rights: { ...rights, attestedBy: 'me' } }],
    ['withdrawnAt', { consents: [{ ...consent, withdrawnAt: null }] }],
  ])('%s cannot be set', async (field, extra) => {
    const answer = await send('POST', '/westerncontent', { ...draft, ...extra })
    expect(answer.status).toBe(422)
    expect((answer.json() as { message: string }).message).toContain(field)
    expect((await list('/westerncontent')).total).toBe(0)
  })

  test.each([
    ['a number for a name', { name: 5 }],
    ['a text for a flag', { rights: { permitsDownload: 'yes' } }],
    ['a zero character', { name: 'a\0b' }],
    ['half a character', { name: 'a\ud800b' }],
    ['an unknown type', { contentType: 'video' }],
    ['a day that is none', { postDate: '2024-02-30' }],
    ['a link that is none', { link2: 'javascript:alert(1)' }],
    ['a private address', { linkMV4: 'http://127.0.0.1/file' }],
    ['a name of 301 characters', { name: 'a'.repeat(301) }],
    ['a region of another type', { region: 'asian' }],
  ])('%s is refused, of a draft too', async (_what, extra) => {
    expect((await send('POST', '/westerncontent', { ...draft, ...extra })).status).toBe(422)
  })

  test('each endpoint takes its own types, and /vipcontent all five', async () => {
    expect(codesOf(await send('POST', '/asiancontent', { ...draft, contentType: 'western' }))).toEqual([
      'contentType.endpoint',
    ])
    for (const contentType of ['vip', 'vip-asian', 'vip-western', 'vip-banned', 'vip-unknown']) {
      expect((await created({ ...draft, contentType }, '/vipcontent')).contentType).toBe(contentType)
    }
    expect((await created(draft, '/bannedcontent')).contentType).toBe('banned')
  })

  test('a name that is taken gets a number in its slug, and a wished slug must be free', async () => {
    await created({ ...draft, name: 'Poems' })
    await created({ ...draft, name: 'Poems 1890' })
    expect((await created({ ...draft, name: 'Poems' })).slug).toBe('poems-2')
    expect((await created({ ...draft, name: 'Other', slug: 'other-poems' })).slug).toBe('other-poems')
    expect(codesOf(await send('POST', '/westerncontent', { ...draft, slug: 'poems' }))).toEqual(['slug.taken'])
  })

  test('an item ahead of its post date is published and stays invisible until then', async () => {
    const item = await created({ ...cleared, postDate: '2024-03-16' })
    expect(item).toMatchObject({ status: 'published', postDay: '2024-03-16' })
    expect((await server.call(`/westerncontent/${item.slug}`)).status).toBe(404)
    server.clock.advance(86_400_000)
    adminToken = await signIn(server, administrator)
    expect((await server.call(`/westerncontent/${item.slug}`)).status).toBe(200)
  })

  test('shows people with the consent of each', async () => {
    const people = { ...cleared, people: 'identifiable' }
    const doubtful = await send('POST', '/westerncontent', {
      ...people,
      consents: [consent, { ...consent, pseudonym: 'Second', verifiedAdult: 'unknown' }],
    })
    expect(reasonsOf(doubtful)).toMatchObject([{ code: 'consent.age_unverified', field: 'consents.1' }])
    const item = await created({ ...people, consents: [consent] })
    expect(item.status).toBe('published')
    expect(item.consents).toMatchObject([{ ...consent, withdrawnAt: null, validTo: null }])
  })

  test('two people need two pseudonyms', async () => {
    const answer = await send('POST', '/westerncontent', { ...draft, consents: [consent, consent] })
    expect(codesOf(answer)).toEqual(['consent.twice'])
  })
})

describe('PUT', () => {
  test('an edit at another version is told, with the item as it is now, and changes nothing', async () => {
    const { id } = await created(draft)
    const first = await send('PUT', `/westerncontent/${id}`, { name: 'First', version: 1 })
    expect(first.status).toBe(200)
    expect(itemOf(first)).toMatchObject({ name: 'First', version: 2, slug: 'the-tale-of-genji' })
    const second = await send('PUT', `/westerncontent/${id}`, { name: 'Second', version: 1 })
    expect(second.status).toBe(409)
    expect((second.json() as { current: ItemForAdmin }).current).toMatchObject({ name: 'First', version: 2 })
    expect((await list('/westerncontent')).data).toMatchObject([{ name: 'First', version: 2 }])
  })

  test('of two edits at once one wins', async () => {
    const { id } = await created(draft)
    const answers = await Promise.all(
      ['A', 'B'].map((name) => send('PUT', `/westerncontent/${id}`, { name, version: 1 })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('one that changes nothing writes nothing', async () => {
    const item = await created({ ...cleared, people: 'identifiable', consents: [consent] })
    const { name, category, rights: stored, consents } = item
    const same = [
      {},
      { publish: true },
      { name, category: category.toUpperCase(), rights: stored },
      { consents: consents.map(({ withdrawnAt: _at, ...one }) => one) },
    ]
    const events = (await eventsOf(item.id)).length
    for (const body of same) {
      const answer = await send('PUT', `/westerncontent/${item.id}`, { ...body, version: item.version })
      expect(answer.json(), JSON.stringify(body)).toEqual(item)
    }
    expect(await eventsOf(item.id)).toHaveLength(events)
  })

  test('an emptied post date is the day of the addition', async () => {
    const item = await created({ ...draft, postDate: '2020-03-01' })
    const put = (body: object, version: number) => send('PUT', `/westerncontent/${item.id}`, { ...body, version })
    expect(itemOf(await put({ rating: 'mature' }, 1)).postDate).toBe(item.postDate)
    const emptied = itemOf(await put({ postDate: null }, 2))
    expect(emptied.postDate).toBe(item.createdAt)
  })

  test('what is left out stays, and null empties', async () => {
    const { id } = await created({ ...draft, link2: 'https://mega.nz/two', rights: { ...rights, holder: 'Nobody' } })
    const answer = itemOf(
      await send('PUT', `/westerncontent/${id}`, { link2: null, rights: { holder: null }, version: 1 }),
    )
    expect(answer).toMatchObject({ name: draft.name, link2: null, rights: { ...rights, holder: null } })
  })

  test('the version is needed', async () => {
    const { id } = await created(draft)
    expect((await send('PUT', `/westerncontent/${id}`, draft)).status).toBe(422)
  })

  test('a published item must still pass, or is refused whole', async () => {
    const { id, slug } = await created(cleared)
    const answer = await send('PUT', `/westerncontent/${id}`, { name: 'Renamed', people: null, version: 1 })
    expect(answer.status).toBe(422)
    expect(codesOf(answer)).toEqual(['people.unknown'])
    expect((await list('/westerncontent')).data).toMatchObject([{ name: draft.name, status: 'published', version: 1 }])
    expect(itemOf(await send('PUT', `/westerncontent/${id}`, { name: 'Renamed', version: 1 }))).toMatchObject({
      name: 'Renamed',
      slug,
      status: 'published',
      version: 2,
    })
    expect((await server.call(`/westerncontent/${slug}`)).status).toBe(200)
  })

  test('a draft is published once its rights are there', async () => {
    const { id } = await created(draft)
    expect((await send('PUT', `/westerncontent/${id}`, { publish: true, version: 1 })).status).toBe(422)
    const answer = await send('PUT', `/westerncontent/${id}`, { rights, people: 'none', publish: true, version: 1 })
    expect(itemOf(answer)).toMatchObject({ status: 'published', version: 2 })
  })

  test('an item is edited under the endpoint of its own type, and its type may change', async () => {
    const { id } = await created(draft)
    expect((await send('PUT', `/asiancontent/${id}`, { name: 'X', version: 1 })).status).toBe(404)
    const moved = await send('PUT', `/westerncontent/${id}`, { contentType: 'asian', region: null, version: 1 })
    expect(itemOf(moved)).toMatchObject({ contentType: 'asian', region: 'asian' })
    expect((await list('/asiancontent')).total).toBe(1)
    expect((await list('/westerncontent')).total).toBe(0)
    // An editor at the old address is shown the new one, and not that the entry was deleted.
    const late = await send('PUT', `/westerncontent/${id}`, { name: 'X', version: 1 })
    expect(late.status).toBe(409)
    expect(JSON.parse(late.text)).toMatchObject({ current: { contentType: 'asian', version: 2 } })
  })

  test('an item says who attested its rights, and when; nobody can set that', async () => {
    const { id } = await created({ ...draft, rights })
    const attestation = { by: administrator.id, name: 'Jane Reader', at: new Date(server.clock.now()).toISOString() }
    expect(itemOf(await read(`/api/items/${id}`))).toMatchObject({ attestation })
    const refused = await send('PUT', `/westerncontent/${id}`, { attestation, version: 1 })
    expect(reasonsOf(refused).map(({ code, field }) => [code, field])).toEqual([['field.readonly', 'attestation']])
    const unknown = await send('PUT', `/westerncontent/${id}`, { attestedBy: 'me', verifiedBy: 'me', version: 1 })
    expect(unknown.text).toContain('attestedBy, verifiedBy cannot be set. Leave them out.')
    const emptied = await send('PUT', `/westerncontent/${id}`, { rights: { basis: null }, version: 1 })
    expect(itemOf(emptied)).toMatchObject({ attestation: null })
    const [, changed] = await eventsOf(id)
    expect(changed).toMatchObject({ action: 'item.changed', details: { fields: ['rights.basis'] } })
  })

  test('PUT takes an item as it was read, alone and from a list, and changes nothing', async () => {
    const { id } = await created({ ...draft, rights, people: 'identifiable', consents: [consent] })
    const whole = itemOf(await read(`/api/items/${id}`))
    expect(whole.consents).toHaveLength(1)
    const answer = await send('PUT', `/westerncontent/${id}`, whole)
    expect([answer.status, itemOf(answer)]).toEqual([200, whole])
    const [line] = (await list('/westerncontent')).data
    expect(line).toMatchObject({ id })
    const fromList = await send('PUT', `/westerncontent/${id}`, line)
    expect([fromList.status, itemOf(fromList)]).toEqual([200, whole])
    const edited = await send('PUT', `/westerncontent/${id}`, { ...whole, name: 'Another name' })
    expect(itemOf(edited)).toMatchObject({ name: 'Another name', version: whole.version + 1 })
    // Read-only fields that a save has changed are those of another version.
    expect((await send('PUT', `/westerncontent/${id}`, whole)).status).toBe(409)
    expect((await send('PUT', `/westerncontent/${id}`, { ...whole, version: undefined })).status).toBe(422)
  })

  test('read-only fields that were changed are named, all at once, with what else is wrong', async () => {
    const { id } = await created({ ...draft, rights, people: 'identifiable', consents: [consent] })
    const whole = itemOf(await read(`/api/items/${id}`))
    const refused = await send('PUT', `/westerncontent/${id}`, {
      ...whole,
      name: '',
      id: '018bcfe5-0000-7000-8000-000000000000',
      slug: 'Another one',
      status: 'published',
      createdAt: '2020-01-01T00:00:00.000Z',
      attestation: null,
      evidenceFiles: [{}],
      reasons: [{}],
      consents: whole.consents.map((one) => ({ ...one, withdrawnAt: '2020-01-01T00:00:00.000Z' })),
    })
    expect(refused.status).toBe(422)
    expect(reasonsOf(refused).map(({ code, field }) => [code, field])).toEqual([
      ['field.readonly', 'id'],
      ['field.readonly', 'slug'],
      ['field.readonly', 'createdAt'],
      ['field.readonly', 'status'],
      ['field.readonly', 'attestation'],
      ['field.readonly', 'evidenceFiles'],
      ['field.readonly', 'reasons'],
      ['field.readonly', 'consents.0.withdrawnAt'],
      ['field.missing', 'name'],
    ])
    expect(itemOf(await read(`/api/items/${id}`))).toEqual(whole)
  })

  test('an item that is held for a notice, or removed, is not edited', async () => {
    const [held, gone] = await someItems(server.app, [
      { name: 'Held', status: 'restricted' },
      { name: 'Gone', status: 'removed' },
    ])
    for (const [item, code] of [
      [held, 'item.restricted'],
      [gone, 'item.removed'],
    ] as const) {
      const { data } = await list(`/westerncontent?search=${item?.name}`)
      const answer = await send('PUT', `/westerncontent/${item?.id}`, { name: 'New', version: data[0]?.version })
      expect(answer.status).toBe(422)
      expect(codesOf(answer)).toEqual([code])
    }
  })
})

describe('consents', () => {
  const people = { ...cleared, people: 'identifiable', consents: [consent] }
  const withdraw = (item: ItemForAdmin) =>
    send('POST', `/api/items/${item.id}/consents/${item.consents[0]?.id}/withdraw`)

  test('a withdrawn one takes the item off the site in the same moment', async () => {
    const item = await created(people)
    const answer = itemOf(await withdraw(item))
    expect(answer).toMatchObject({ status: 'restricted', restriction: 'consent' })
    expect(answer.consents[0]?.withdrawnAt).not.toBeNull()
    expect((await server.call(`/westerncontent/${item.slug}`)).status).toBe(404)
    expect((await eventsOf(item.id)).slice(-2)).toMatchObject([
      { action: 'consent.withdrawn', actor_id: administrator.id },
      { action: 'item.restricted', actor_id: administrator.id, details: { restriction: 'consent' } },
    ])
    // Said twice, it is recorded once.
    expect(itemOf(await withdraw(item)).version).toBe(answer.version)
    expect((await eventsOf(item.id)).filter(({ action }) => action === 'consent.withdrawn')).toHaveLength(1)
  })

  test('it counts again with new evidence alone', async () => {
    const item = itemOf(await withdraw(await created(people)))
    const [{ withdrawnAt: _at, ...given }] = item.consents as [ItemForAdmin['consents'][number]]
    const put = (body: object) =>
      send('PUT', `/westerncontent/${item.id}`, { ...body, publish: true, version: item.version })
    const again = (evidence: string, version = item.version) =>
      send('POST', `/api/items/${item.id}/consents/${given.id}/renew`, { evidence, version })
    expect(codesOf(await again(given.evidence))).toEqual(['consent.same_evidence'])
    expect(codesOf(await again(' '))).toEqual(['field.invalid'])
    expect((await again('A new form of 2024.', item.version - 1)).status).toBe(409)
    // An edit never lifts it, whatever it says of the consent.
    const edited = { ...given, evidence: 'A new form of 2024.' }
    expect(codesOf(await put({ consents: [{ ...edited, isWithdrawn: false }] }))).toContain('consent.not_renewed_here')
    expect(codesOf(await put({ consents: [edited] }))).toEqual(['consent.withdrawn'])
    // The item still shows them: the record is not taken out.
    const left = await send('PUT', `/westerncontent/${item.id}`, { consents: [], version: item.version })
    expect(codesOf(left)).toEqual(['consent.withdrawn'])
    const renewed = itemOf(await again('A new form of 2024.'))
    expect(renewed).toMatchObject({
      status: 'restricted',
      version: item.version + 1,
      consents: [{ withdrawnAt: null, evidence: 'A new form of 2024.' }],
    })
    expect((await eventsOf(item.id)).at(-1)).toMatchObject({ action: 'consent.renewed', actor_id: administrator.id })
    const body = { publish: true, version: renewed.version }
    expect(itemOf(await send('PUT', `/westerncontent/${item.id}`, body))).toMatchObject({ status: 'published' })
  })

  test('a withdrawal meets every edit that was begun before it, of a draft too', async () => {
    for (const publish of [true, false]) {
      const item = await created({ ...people, publish })
      const [{ withdrawnAt: _at, ...given }] = item.consents as [ItemForAdmin['consents'][number]]
      const noted = itemOf(await withdraw(item))
      expect(noted.version).toBe(item.version + 1)
      const put = (version: number) =>
        send('PUT', `/westerncontent/${item.id}`, { consents: [{ ...given, evidence: 'Another form.' }], version })
      expect((await put(item.version)).status).toBe(409)
      expect(itemOf(await put(noted.version)).consents[0]?.withdrawnAt).not.toBeNull()
    }
  })

  test('that somebody was no adult is final', async () => {
    const item = await created({
      ...draft,
      rights,
      people: 'identifiable',
      consents: [{ ...consent, verifiedAdult: 'no' }],
    })
    const put = (body: object) => send('PUT', `/westerncontent/${item.id}`, { ...body, version: 1 })
    const [{ withdrawnAt: _at, ...stored }] = item.consents as [ItemForAdmin['consents'][number]]
    expect(codesOf(await put({ consents: [{ ...stored, verifiedAdult: 'yes' }] }))).toContain('consent.age_no')
    expect(codesOf(await put({ consents: [] }))).toContain('consent.age_no')
    expect(codesOf(await put({ people: 'none', publish: true }))).toEqual(['consent.age_no'])
    const { db } = server.app
    await expect(sql`delete from consent_records where id = ${stored.id}`.execute(db)).rejects.toThrow(/final/)
    await expect(
      sql`update consent_records set verified_adult = 'yes' where id = ${stored.id}`.execute(db),
    ).rejects.toThrow(/final/)
    const kept = await send('DELETE', `/westerncontent/${item.id}`)
    expect(kept.status).toBe(409)
    expect(kept.json()).toMatchObject({
      code: 'item.kept_as_record',
      message:
        'The reader was no adult at production. The item stays as the record of that: leave it unpublished instead.',
    })
    expect((await read(`/api/items/${item.id}`)).status).toBe(200)
  })

  test.each(['none', 'not_identifiable'])('a withdrawal is not undone by stating %s of the people', async (shown) => {
    const item = itemOf(await withdraw(await created(people)))
    const change = { people: shown, publish: true, version: item.version }
    expect(codesOf(await send('PUT', `/westerncontent/${item.id}`, change))).toEqual(['consent.withdrawn'])
    // Saved as a draft first, it is refused all the same.
    const stated = itemOf(await send('PUT', `/westerncontent/${item.id}`, { people: shown, version: item.version }))
    expect(stated.status).toBe('restricted')
    const again = await send('PUT', `/westerncontent/${item.id}`, { publish: true, version: stated.version })
    expect(codesOf(again)).toEqual(['consent.withdrawn'])
    const kept = await send('DELETE', `/westerncontent/${item.id}`)
    expect(kept.status).toBe(409)
    expect((kept.json() as { message: string }).message).toMatch(/^The reader withdrew the consent\. .*unpublished/)
  })

  test('a withdrawal restricts an item that is said to show nobody, too', async () => {
    const item = await created({ ...people, people: 'none' })
    expect(itemOf(await withdraw(item))).toMatchObject({ status: 'restricted', restriction: 'consent' })
  })

  test('once the consent was given anew, the item may be deleted', async () => {
    const item = itemOf(await withdraw(await created(people)))
    expect((await send('DELETE', `/westerncontent/${item.id}`)).status).toBe(409)
    const evidence = 'A new form of 2024.'
    const renewal = `/api/items/${item.id}/consents/${item.consents[0]?.id}/renew`
    itemOf(await send('POST', renewal, { evidence, version: item.version }))
    expect((await send('DELETE', `/westerncontent/${item.id}`)).status).toBe(204)
  })

  test('names are exchanged, and who is left out is gone', async () => {
    const second = { ...consent, pseudonym: 'The writer' }
    const item = await created({ ...draft, consents: [consent, second] })
    const [a, b] = item.consents.map(({ withdrawnAt: _at, ...one }) => one)
    const swapped = await send('PUT', `/westerncontent/${item.id}`, {
      consents: [
        { ...a, pseudonym: 'The writer' },
        { ...b, pseudonym: 'The reader' },
      ],
      version: 1,
    })
    expect(itemOf(swapped).consents).toMatchObject([
      { id: a?.id, pseudonym: 'The writer' },
      { id: b?.id, pseudonym: 'The reader' },
    ])
    const one = await send('PUT', `/westerncontent/${item.id}`, { consents: [b], version: 2 })
    expect(itemOf(one).consents.map(({ id }) => id)).toEqual([b?.id])
  })
})

describe('unpublish and DELETE', () => {
  test('an unpublished item is a draft with a version of its own', async () => {
    const { id, slug } = await created(cleared)
    expect((await send('POST', `/api/items/${id}/unpublish`, { version: 7 })).status).toBe(409)
    const answer = await send('POST', `/api/items/${id}/unpublish`, { version: 1 })
    expect(itemOf(answer)).toMatchObject({ status: 'draft', version: 2 })
    expect((await server.call(`/westerncontent/${slug}`)).status).toBe(404)
  })

  test('DELETE answers 204, and then there is nothing', async () => {
    const { id } = await created({ ...cleared, people: 'identifiable', consents: [consent] })
    expect((await send('DELETE', `/asiancontent/${id}`)).status).toBe(404)
    const answer = await send('DELETE', `/westerncontent/${id}`)
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' })
    expect((await send('DELETE', `/westerncontent/${id}`)).status).toBe(404)
    expect((await read(`/api/items/${id}`)).status).toBe(404)
  })

  test('a removed item, and one that is held, stay', async () => {
    const [gone, held] = await someItems(server.app, [
      { name: 'Gone', status: 'removed' },
      { name: 'Held', status: 'restricted' },
    ])
    expect((await send('DELETE', `/westerncontent/${gone?.id}`)).status).toBe(409)
    expect((await send('DELETE', `/westerncontent/${held?.id}`)).status).toBe(422)
    expect((await list('/westerncontent')).total).toBe(2)
  })

  test('each leaves a line in the audit log, with who did it and the names of what changed', async () => {
    const { id } = await created(cleared)
    await send('PUT', `/westerncontent/${id}`, { name: 'Renamed', rights: { holder: 'Nobody' }, version: 1 })
    await send('POST', `/api/items/${id}/unpublish`, { version: 2 })
    await send('DELETE', `/westerncontent/${id}`)
    const events = await eventsOf(id)
    expect(events.map(({ action }) => action)).toEqual([
      'item.created',
      'item.published',
      'item.changed',
      'item.unpublished',
      'item.deleted',
    ])
    expect(new Set(events.map(({ actor_id }) => actor_id))).toEqual(new Set([administrator.id]))
    for (const { details } of events)
      expect(details).toMatchObject({ name: expect.any(String), slug: expect.any(String) })
    expect(events[1]?.details).toMatchObject({ checks: expect.arrayContaining(['rights', 'links']) })
    expect(events[2]?.details).toMatchObject({ fields: ['name', 'rights.holder'], version: 2 })
  })
})

describe('GET', () => {
  test('lists every status of its own type, newest first, with what keeps a draft back', async () => {
    await someItems(server.app, [
      { name: 'Old', postDate: '2020-01-01' },
      { name: 'Draft', postDate: '2023-01-01', status: 'draft', people: '' },
      { name: 'Ahead', postDate: '2030-01-01' },
      { name: 'Gone', postDate: '2021-01-01', status: 'removed' },
      { name: 'Eastern', contentType: 'asian' },
      { name: 'Secret', contentType: 'vip-western', category: 'VIP Content' },
    ])
    const page = await list('/westerncontent')
    expect(namesOf(page)).toEqual(['Ahead', 'Draft', 'Gone', 'Old'])
    expect(page).toMatchObject({ total: 4, editable: 3, totalPages: 1 })
    expect(page.data[1]).toMatchObject({ status: 'draft', reasons: ['It is not stated whether people are shown.'] })
    expect(namesOf(await list('/westerncontent?sortOrder=ASC'))).toEqual(['Old', 'Gone', 'Draft', 'Ahead'])
    expect(namesOf(await list('/vipcontent'))).toEqual(['Secret'])
    expect(namesOf(await list('/westerncontent?status=draft'))).toEqual(['Draft'])
    expect(namesOf(await list('/westerncontent?search=dRÁft'))).toEqual(['Draft'])
    expect(namesOf(await list('/westerncontent?search=d'))).toEqual(['Ahead', 'Draft', 'Old'])
    expect(namesOf(await list('/westerncontent?category=nothing'))).toEqual([])
    // The tab of everything.
    const all = await list('/allcontent?limit=4')
    expect(all).toMatchObject({ total: 6, editable: 5, totalPages: 2 })
    const rest = await list(`/allcontent?limit=4&page=2&after=${all.data.at(-1)?.id}`)
    const names = [...namesOf(all), ...namesOf(rest)]
    expect(new Set(names)).toEqual(new Set(['Ahead', 'Draft', 'Gone', 'Old', 'Eastern', 'Secret']))
    expect(names.slice(-2)).toEqual(namesOf(rest))
    expect(namesOf(await list('/allcontent?sortOrder=ASC'))).toEqual(names.toReversed())
    expect(await list('/allcontent?search=e')).toMatchObject({ total: 4, editable: 3 })
    expect(namesOf(await list('/allcontent?status=draft'))).toEqual(['Draft'])
    expect(await list('/allcontent?status=removed')).toMatchObject({ total: 1, editable: 0 })
  })

  test('tells what is scheduled from what is published, and what was hidden from what has lapsed', async () => {
    await someItems(server.app, [
      { name: 'Shown', postDate: '2020-01-01' },
      { name: 'Ahead', postDate: '2030-01-01' },
      { name: 'Taken down', status: 'restricted' },
      { name: 'Noticed', status: 'restricted' },
      { name: 'Ended', status: 'restricted' },
      { name: 'Gone', status: 'removed' },
    ])
    for (const [name, restriction] of [
      ['Noticed', 'notice'],
      ['Ended', 'rights_lapsed'],
    ] as const)
      await server.app.db.updateTable('items').set({ restriction }).where('name', '=', name).execute()
    const found = {
      published: ['Ahead', 'Shown'],
      scheduled: ['Ahead'],
      restricted: ['Ended', 'Noticed', 'Taken down'],
      hidden: ['Noticed', 'Taken down'],
      lapsed: ['Ended'],
    }
    for (const [status, names] of Object.entries(found)) {
      const page = await list(`/westerncontent?status=${status}`)
      expect([status, namesOf(page).toSorted(), page.total, page.editable]).toEqual([
        status,
        names,
        names.length,
        names.length,
      ])
      const searched = await list(`/allcontent?status=${status}&search=e`)
      expect(namesOf(searched).toSorted()).toEqual(names.filter((name) => name.toLowerCase().includes('e')))
      expect(searched.total).toBe(searched.data.length)
    }
  })

  test('pages go on behind the last item, whatever came before it meanwhile', async () => {
    const days = ['01', '02', '03', '04', '05']
    await someItems(
      server.app,
      days.map((day) => ({ name: `Work ${day}`, postDate: `2024-01-${day}`, category: 'Film' })),
    )
    const first = await list('/westerncontent?limit=2')
    expect(namesOf(first)).toEqual(['Work 05', 'Work 04'])
    expect(first.totalPages).toBe(3)
    await someItems(server.app, [{ name: 'Newer', postDate: '2024-02-01' }])
    const after = first.data.at(-1)?.id ?? ''
    for (const query of ['', '&search=Work', '&category=film']) {
      expect(namesOf(await list(`/westerncontent?limit=2&page=2&after=${after}${query}`)), query).toEqual([
        'Work 03',
        'Work 02',
      ])
    }
    // By the number alone, the newer one has moved everything.
    expect(namesOf(await list('/westerncontent?limit=2&page=2'))).toEqual(['Work 04', 'Work 03'])
    expect(namesOf(await list('/westerncontent?limit=2&page=9'))).toEqual([])
  })

  test('of a search, a page beyond the last knows the total, and so does a sign that no name holds', async () => {
    for (const name of ['A walk', 'A talk', 'A chalk']) await created({ ...draft, name })
    const totals = async (query: string) => {
      const { data, total, totalPages } = await list(`/westerncontent?${query}`)
      return [data.length, total, totalPages]
    }
    expect(await totals('search=a&limit=2&page=9')).toEqual([0, 3, 2])
    expect(await totals('search=alk&limit=2&page=9')).toEqual([0, 3, 2])
    expect(await totals('search=%25')).toEqual([0, 0, 0])
  })

  test.each([
    'page=0',
    'page=x',
    'limit=901',
    'limit=0',
    'sortOrder=up',
    'status=lost',
    'after=me',
    `search=${'a'.repeat(301)}`,
    'page=1&page=2',
  ])('%s is refused', async (query) => {
    expect((await read(`/westerncontent?${query}`)).status).toBe(400)
  })

  test('a VIP item is in no answer of a free endpoint, and in none to a member', async () => {
    const { slug, id } = await created(
      { ...cleared, contentType: 'vip-western', name: 'Secret letters' },
      '/vipcontent',
    )
    expect((await server.call(`/westerncontent/${slug}`)).status).toBe(404)
    expect((await server.call(`/vipcontent?search=Secret`, { headers: bearer(memberToken) })).text).not.toContain(
      'Secret',
    )
    expect((await server.call(`/api/items/${id}`, { headers: bearer(vipToken) })).text).not.toContain('Secret')
  })
})

test('the counts of the filters are those of the items, whatever was written', async () => {
  await someItems(server.app, [{}, { name: 'B', status: 'draft' }, { name: 'C', contentType: 'vip', category: 'Film' }])
  const { id } = await created(draft)
  await send('PUT', `/westerncontent/${id}`, { category: 'Film', contentType: 'asian', region: null, version: 1 })
  await send('POST', '/westerncontent', { ...draft, name: ' ' })
  const { rows } = await sql`
    (select section, status, category_id, count::bigint from item_counts where count > 0
     except select section_of(content_type), status, category_id, count(*) from items group by 1, 2, 3)
    union all
    (select section_of(content_type), status, category_id, count(*) from items group by 1, 2, 3
     except select section, status, category_id, count::bigint from item_counts)`.execute(server.app.db)
  expect(rows).toEqual([])
  expect((await list('/asiancontent?category=film')).total).toBe(1)
})
