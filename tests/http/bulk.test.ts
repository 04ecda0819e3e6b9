import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemsInStep } from '../../src/features/catalogue/bulk/bulk-edit-steps.server.ts'
import type { BulkEditForAdmin, BulkItems, BulkOutcome } from '../../src/features/catalogue/bulk/bulk-schema.ts'
import { deleteOldBulkEdits } from '../../src/features/catalogue/bulk/delete-old-bulk-edits.server.ts'
import { catalogueRuns } from '../../src/features/catalogue/catalogue-runs.ts'
import { runSteps } from '../../src/features/catalogue/jobs.server.ts'
import { workOnRun } from '../../src/features/office/runs/work-on-run.server.ts'
import { drainJobs } from '../harness/drain.ts'
import { deleteAllItems, editItem, type ItemOverrides, type MadeItem, someItems } from '../harness/items.ts'
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
beforeEach(async () => {
  await drainJobs(server.app)
  await deleteAllItems(server.app)
})

const begin = (filter?: object, changes?: object): Promise<TestResponse> =>
  post(server, '/api/bulk-edits', { filter, changes }, admin)

async function preview(filter: object, changes: object): Promise<BulkEditForAdmin> {
  const answer = await begin(filter, changes)
  expect(answer.status, answer.text).toBe(202)
  await drainJobs(server.app)
  return read((answer.json() as BulkEditForAdmin).id)
}

const read = async (id: string): Promise<BulkEditForAdmin> =>
  (await server.request(`/api/bulk-edits/${id}`, { headers: admin })).json() as BulkEditForAdmin

const act = (id: string, verb: 'apply' | 'undo' | 'cancel'): Promise<TestResponse> =>
  post(server, `/api/bulk-edits/${id}/${verb}`, {}, admin)

async function actToTheEnd(id: string, verb: 'apply' | 'undo'): Promise<BulkEditForAdmin> {
  const answer = await act(id, verb)
  expect(answer.status, answer.text).toBe(202)
  await drainJobs(server.app)
  await server.app.listing.catchUp()
  return read(id)
}

const itemsOf = async (id: string, outcome: BulkOutcome, after = 0): Promise<BulkItems> =>
  (
    await server.request(`/api/bulk-edits/${id}/items?outcome=${outcome}&after=${after}`, { headers: admin })
  ).json() as BulkItems

async function stored(...names: string[]) {
  const rows = await server.app.db
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'category_id')
    .select(['items.name', 'status', 'version', 'rating', 'content_type', 'region', 'post_date', 'rights_holder'])
    .select(['categories.name as category', 'cleared_version'])
    .$if(names.length > 0, (query) => query.where('items.name', 'in', names))
    .orderBy('items.no')
    .execute()
  return rows.map(({ post_date, ...row }) => ({ ...row, day: post_date.toISOString().slice(0, 10) }))
}

const events = async (action: string): Promise<unknown[]> =>
  (
    await server.app.db
      .selectFrom('audit_events')
      .select(['actor_id', 'details'])
      .where('action', '=', action)
      .orderBy('recorded_at')
      .execute()
  ).map(({ actor_id, details }) => {
    expect(actor_id).toBe(adminId)
    return details
  })

test('a parameter of the items that is wrong answers 400', async () => {
  for (const query of ['outcome=x', 'outcome=planned&after=x']) {
    const answer = await server.request(`/api/bulk-edits/${randomUUID()}/items?${query}`, { headers: admin })
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 'search.parameter' }])
  }
})

test.each([
  [{}, {}, 'Choose at least one change.'],
  [{}, { status: 'removed' }, 'status must be one of draft, published.'],
  [{}, { version: 7 }, 'The changes have a field that is not known.'],
  [{ slug: 'x' }, { rating: 'mature' }, 'The filter has a field that is not known.'],
  [{ text: 'mob' }, { rating: 'mature' }, 'The filter has a field that is not known.'],
  [undefined, undefined, 'The filter is missing. Send {} for all entries.'],
  [{}, undefined, 'The changes are missing. Choose at least one change.'],
  [[], { rating: 'mature' }, 'The filter must be a JSON object.'],
  [{ postedFrom: '2024-03-02', postedTo: '2024-03-01' }, { rating: 'mature' }, 'The days are the wrong way round:'],
  [{ postedFrom: '0000-01-01' }, { rating: 'mature' }, 'postedFrom must be a day, such as 2024-03-05.'],
  [{ postedTo: '9999-12-31' }, { rating: 'mature' }, 'postedTo must be a day, such as 2024-03-05.'],
  [{}, { validTo: '9999-12-31' }, 'validTo must be a day, such as 2024-03-05.'],
  [{ postedFrom: '2024-02-30' }, { rating: 'mature' }, 'postedFrom must be a day, such as 2024-03-05.'],
  [{}, { category: 'Nowhere' }, "The category 'Nowhere' does not exist."],
  [{}, { postDate: '2024-03-01', shiftDays: 1 }, 'Either set the post date or move it, not both.'],
  [{}, { validFrom: '2024-03-02', validTo: '2024-02-01' }, 'validTo lies before validFrom. It must be later.'],
  [{}, { contentType: 'asian', region: 'western' }, /belongs to 'asian'/],
])('the filter %j with the changes %j is refused', async (filter, changes, message) => {
  const answer = await begin(filter, changes)
  expect(answer.status).toBe(422)
  expect((answer.json() as { message: string }).message).toMatch(message)
})

const works: ItemOverrides[] = [
  { name: 'Moby Dick', postDate: '2024-01-10' },
  { name: 'Mobile home', postDate: '2024-01-20', category: 'Art', creators: 'Somebody Melville' },
  { name: 'Middlemarch', postDate: '2024-02-01', contentType: 'asian' },
  { name: 'Draft of Moby', postDate: '2024-02-10', status: 'draft', rightsBasis: '' },
  { name: 'Removed Moby', status: 'removed' },
]

describe('a filter', () => {
  test.each([
    [{}, ['Moby Dick', 'Mobile home', 'Middlemarch', 'Draft of Moby']],
    [{ search: 'MOB' }, ['Moby Dick', 'Mobile home', 'Draft of Moby']],
    [{ search: 'dick moby' }, ['Moby Dick']],
    [{ contentType: 'asian' }, ['Middlemarch']],
    [{ category: 'art' }, ['Mobile home']],
    [{ status: 'draft' }, ['Draft of Moby']],
    [{ postedFrom: '2024-01-20', postedTo: '2024-02-01' }, ['Mobile home', 'Middlemarch']],
    [{ postedFrom: '1000-01-01', postedTo: '9998-12-31', search: 'dick' }, ['Moby Dick']],
    [{ rightsBasis: 'none' }, ['Draft of Moby']],
    [{ section: 'asian' }, ['Middlemarch']],
    [{ section: 'western', search: 'moby', status: 'draft' }, ['Draft of Moby']],
    [{ search: 'melville' }, ['Mobile home']],
    [{ rightsBasis: 'public_domain', search: 'm', category: 'Literature' }, ['Moby Dick', 'Middlemarch']],
  ])('%j finds %j', async (filter, names) => {
    await someItems(server.app, works)
    const { id, selected } = await preview(filter, { rating: 'mature' })
    expect((await itemsOf(id, 'planned')).items.map(({ name }) => name)).toEqual(names)
    expect(selected).toBe(names.length)
  })

  test('takes a part of a status as the list does', async () => {
    await someItems(server.app, [...works, { name: 'Ahead', postDate: '2030-01-01' }])
    const { id } = await preview({ status: 'scheduled' }, { rating: 'mature' })
    expect((await itemsOf(id, 'planned')).items).toMatchObject([{ name: 'Ahead' }])
  })
})

describe('a preview', () => {
  test('that is asked for twice under one id is one; another edit may not have that id', async () => {
    const [first, second] = ['018f0000-0000-7000-8000-0000000000b1', '018f0000-0000-7000-8000-0000000000b2']
    const send = (id: string | undefined, rating: string) =>
      post(server, '/api/bulk-edits', { ...(id === undefined ? {} : { id }), filter: {}, changes: { rating } }, admin)
    const answers = await Promise.all([send(first, 'mature'), send(first, 'mature')])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    await drainJobs(server.app)
    expect((await send(first, 'mature')).json()).toMatchObject({ id: first, state: 'ready' })
    const other = await send(first, 'general')
    expect([other.status, (other.json() as { code: string }).code]).toEqual([409, 'bulk.id'])
    expect((await send('no id', 'mature')).status).toBe(422)
    expect((await send(second, 'mature')).json()).toMatchObject({ id: second })
    const { edits } = (await server.request('/api/bulk-edits', { headers: admin })).json() as {
      edits: BulkEditForAdmin[]
    }
    expect(edits.map(({ id }) => id).slice(0, 2)).toEqual([second, first])
    await drainJobs(server.app)
  })

  test('changes nothing, and says what would change and what the gate would refuse', async () => {
    await someItems(server.app, [...works, { name: 'So already', rightsHolder: 'A heir', status: 'draft' }])
    const edit = await preview({}, { rightsHolder: 'A heir', status: 'published' })
    expect(edit).toMatchObject({ state: 'ready', selected: 5, unchanged: 0, undoUntil: null })
    expect(edit.counts).toMatchObject({ planned: 4, refused: 1, changed: 0 })
    const planned = await itemsOf(edit.id, 'planned')
    expect(planned.items.map(({ name, difference }) => [name, difference])).toEqual([
      ['Moby Dick', [{ field: 'rightsHolder', before: '', after: 'A heir' }]],
      ['Mobile home', [{ field: 'rightsHolder', before: '', after: 'A heir' }]],
      ['Middlemarch', [{ field: 'rightsHolder', before: '', after: 'A heir' }]],
      ['So already', [{ field: 'status', before: 'draft', after: 'published' }]],
    ])
    expect((await itemsOf(edit.id, 'refused')).items).toMatchObject([
      { name: 'Draft of Moby', reasons: ['No rights basis is recorded.'] },
    ])
    expect((await stored()).map(({ version }) => version)).toEqual([1, 1, 1, 1, 2, 1])
    expect(await events('items.bulk_edited')).toEqual([])
  })

  test('refuses what the database would: somebody who was no adult, whatever is stated of the people', async () => {
    const [made] = (await someItems(server.app, [{ name: 'Portrait', status: 'draft' }])) as [MadeItem]
    await server.app.db
      .insertInto('consent_records')
      .values({
        id: '018f0000-0000-7000-8000-0000000000aa',
        item_id: made.id,
        pseudonym: 'The sitter',
        permits_publication: true,
        permits_download: true,
        evidence: 'A form.',
        verified_adult: 'no',
        recorded_by: 'a test',
      })
      .execute()
    const { id, counts } = await preview({}, { status: 'published' })
    expect(counts).toMatchObject({ planned: 0, refused: 1 })
    expect((await itemsOf(id, 'refused')).items).toMatchObject([
      { reasons: ['The sitter was no adult at production.'] },
    ])
  })

  test('comes in pages', async () => {
    await someItems(
      server.app,
      Array.from({ length: 70 }, (_, i) => ({ name: `Work ${i}`, slug: `work-${i}` })),
    )
    const { id } = await preview({}, { shiftDays: 3 })
    const first = await itemsOf(id, 'planned')
    expect(first.items).toHaveLength(50)
    const second = await itemsOf(id, 'planned', first.next ?? 0)
    expect([second.items.length, second.next]).toEqual([20, null])
  })

  test('of items that were named takes those alone, as far as they are there, and says how many were named', async () => {
    const [moby, , march, , removed] = await someItems(server.app, works)
    const gone = randomUUID()
    const named = [moby, march, removed].flatMap((item) => (item === undefined ? [] : [item.id]))
    const items = [...named, gone, named[0]]
    const { id, filter, selected } = await preview({ items }, { rating: 'mature' })
    expect([filter, selected]).toEqual([{ chosen: 4 }, 2])
    expect((await itemsOf(id, 'planned')).items.map(({ name }) => name)).toEqual(['Moby Dick', 'Middlemarch'])
    // With other conditions beside them, all hold.
    const both = await preview({ items, section: 'asian' }, { rating: 'mature' })
    expect([both.filter, both.selected]).toEqual([{ chosen: 4, section: 'asian' }, 1])
    // Sent again under its id with other items, it is another edit.
    const body = { id: randomUUID(), changes: { rating: 'mature' } }
    const again = (ids: unknown) => post(server, '/api/bulk-edits', { ...body, filter: { items: ids } }, admin)
    expect((await again([moby?.id])).status).toBe(202)
    expect((await again([moby?.id, moby?.id])).status).toBe(202)
    expect((await again([march?.id])).json()).toMatchObject({ code: 'bulk.id' })
  })

  test.each([
    [[], 'items must name at least one item.'],
    [['moby-dick'], 'items must be ids of items.'],
    [Array.from({ length: 1_001 }, () => randomUUID()), 'items must name at most 1,000 items.'],
    ['all', 'items must be a list of ids.'],
  ])('of impossible items is refused: %#', async (items, message) => {
    const answer = await begin({ items }, { rating: 'mature' })
    expect([answer.status, answer.json()]).toMatchObject([422, { message }])
  })

  test('that another version began with a condition that is not known here fails, and selects nothing', async () => {
    const { db } = server.app
    await someItems(server.app, works)
    for (const filter of [{ text: 'mob' }, { chosen: 1, text: 'mob' }, { status: 'new' }]) {
      const { id } = (await begin({ search: 'mob' }, { rating: 'mature' })).json() as BulkEditForAdmin
      await db
        .updateTable('bulk_edits')
        .set({ filter: JSON.stringify(filter) })
        .where('id', '=', id)
        .execute()
      await drainJobs(server.app)
      expect(await read(id)).toMatchObject({
        state: 'failed',
        failure: expect.stringContaining('conditions that this one does not know'),
        selected: 0,
        counts: { planned: 0 },
      })
      expect((await act(id, 'apply')).json()).toMatchObject({ code: 'bulk.state' })
    }
  })

  test('that is discarded cannot be applied', async () => {
    await someItems(server.app, works)
    const { id } = await preview({}, { rating: 'mature' })
    expect((await act(id, 'cancel')).json()).toMatchObject({ state: 'cancelled' })
    expect((await act(id, 'apply')).json()).toMatchObject({ code: 'bulk.state' })
    expect((await act('018f0000-0000-7000-8000-000000000000', 'apply')).json()).toMatchObject({
      code: 'bulk.not_found',
    })
  })
})

describe('an edit', () => {
  test('changes the items of its preview that are still so, and clears them anew', async () => {
    const [moby, mobile] = (await someItems(server.app, works)) as [MadeItem, MadeItem]
    const { id } = await preview({ search: 'mob' }, { category: 'Film', rating: 'mature', shiftDays: 31 })
    // Comes after the preview, and is left alone.
    await someItems(server.app, [{ name: 'Mob rule' }])
    await editItem(server.app, mobile, { name: 'Mobile home', category: 'Art', rating: 'general' })
    const done = await actToTheEnd(id, 'apply')
    expect(done).toMatchObject({ state: 'done', counts: { planned: 0, changed: 2, skipped: 1, refused: 0 } })
    expect((await itemsOf(id, 'skipped')).items).toMatchObject([
      { name: 'Mobile home', reasons: ['It was changed since the preview.'] },
    ])
    expect(await stored('Moby Dick', 'Mobile home', 'Draft of Moby', 'Mob rule')).toMatchObject([
      { name: 'Moby Dick', category: 'Film', rating: 'mature', day: '2024-02-10', version: 2, cleared_version: 2 },
      { name: 'Mobile home', category: 'Art', rating: 'general' },
      { name: 'Draft of Moby', category: 'Film', status: 'draft', day: '2024-03-12', cleared_version: null },
      { name: 'Mob rule', category: 'Literature', version: 1 },
    ])
    expect((await server.search('search=moby%20dick')).items[0]).toMatchObject({ slug: moby.slug, category: 'Film' })
    expect(await events('items.bulk_edited')).toEqual([
      {
        filter: { search: 'mob' },
        changes: { category: 'Film', rating: 'mature', shiftDays: 31 },
        changed: 2,
        skipped: 1,
      },
    ])
    expect((await act(id, 'apply')).json()).toMatchObject({ code: 'bulk.state' })
  })

  test('of the type takes the region along', async () => {
    await someItems(server.app, works)
    const { id } = await preview({ search: 'moby dick' }, { contentType: 'asian' })
    await actToTheEnd(id, 'apply')
    expect(await stored('Moby Dick')).toMatchObject([{ content_type: 'asian', region: 'asian' }])
  })

  test('leaves what people restricted, and what the gate refuses by now', async () => {
    await someItems(server.app, [{ name: 'Restricted', status: 'restricted' }, { name: 'Smuggled' }])
    const { id, counts } = await preview({}, { rating: 'mature' })
    expect(counts).toMatchObject({ planned: 1, refused: 1 })
    await server.app.db.insertInto('prohibited_terms').values({ term_folded: 'smuggled' }).execute()
    expect((await actToTheEnd(id, 'apply')).counts).toMatchObject({ changed: 0, refused: 2 })
    await server.app.db.deleteFrom('prohibited_terms').where('term_folded', '=', 'smuggled').execute()
  })
})

test.each(['none', 'not_identifiable'])('no edit to people %s undoes a withdrawn consent', async (people) => {
  const { app } = server
  const [shown] = (await someItems(app, [{ name: 'Portrait', people: 'identifiable', status: 'draft' }])) as [MadeItem]
  await sql`
    insert into consent_records (id, item_id, pseudonym, permits_publication, permits_download, verified_adult, evidence,
      recorded_by, withdrawn_at)
    values (gen_random_uuid(), ${shown.id}, 'Ana', true, true, 'yes', 'letter', 'me', now())`.execute(app.db)
  await sql`update items set status = 'restricted', restriction = 'consent' where id = ${shown.id}`.execute(app.db)
  for (const filter of [{ status: 'restricted' }, {}]) {
    const { id, counts } = await preview(filter, { people, status: 'published' })
    expect(counts).toMatchObject({ planned: 0, refused: 1 })
    const [refused] = (await itemsOf(id, 'refused')).items
    expect(refused?.reasons).toEqual([expect.stringMatching(/^Ana withdrew the consent on/)])
    // The next one meets an item that states it already.
    const { id: first } = await preview(filter, { people })
    await actToTheEnd(first, 'apply')
  }
  expect(await stored('Portrait')).toMatchObject([{ status: 'restricted' }])
})

test('an edit stops when whoever began it is no administrator any more', async () => {
  const { app } = server
  const other = await aMember(app, { isAdmin: true })
  const theirs = bearer(await signIn(server, other))
  await someItems(
    app,
    Array.from({ length: 700 }, (_, i) => ({ name: `Work ${i}`, slug: `work-${i}` })),
  )
  const { id } = await preview({}, { shiftDays: 1 })
  expect((await post(server, `/api/bulk-edits/${id}/apply`, {}, theirs)).status).toBe(202)
  await workOnRun(app, catalogueRuns, runSteps, id, { isLast: false, isStopping: () => true })
  await app.db.updateTable('users').set({ is_admin: false }).where('id', '=', other.id).execute()
  await drainJobs(app)
  expect(await read(id)).toMatchObject({
    state: 'failed',
    failure: expect.stringMatching(/does not have the role of an administrator any more/) as string,
    counts: { changed: itemsInStep, planned: 700 - itemsInStep },
  })
})

describe('an undo', () => {
  test('gives the items back what they were, but those that were changed since', async () => {
    const made = await someItems(server.app, works)
    const before = await stored()
    const { id } = await preview({}, { category: 'Music', rightsHolder: 'A heir', postDate: '2024-03-01' })
    const { undoUntil } = await actToTheEnd(id, 'apply')
    expect(undoUntil).not.toBeNull()
    await editItem(server.app, made[1] as MadeItem, { name: 'Mobile home', category: 'Film' })
    const undone = await actToTheEnd(id, 'undo')
    expect(undone).toMatchObject({ state: 'undone', counts: { changed: 0, undone: 3, left: 1 }, undoUntil })
    expect((await itemsOf(id, 'left')).items).toMatchObject([
      { name: 'Mobile home', reasons: ['It was changed since.'] },
    ])
    const after = await stored()
    const content = (rows: typeof before) =>
      rows
        .filter(({ name }) => name !== 'Mobile home')
        .map(({ version: _version, cleared_version: _cleared, ...rest }) => rest)
    expect(content(after)).toEqual(content(before))
    expect(after.find(({ name }) => name === 'Mobile home')?.category).toBe('Film')
    expect(await events('items.bulk_undone')).toMatchObject([{ undone: 3, left: 1 }])
  })

  test('that had to leave items is done for them once nothing stands in its way', async () => {
    const { app } = server
    await someItems(app, [{ name: 'Sketch' }])
    const { id } = await preview({}, { rating: 'mature' })
    await actToTheEnd(id, 'apply')
    await app.db.insertInto('prohibited_terms').values({ term_folded: 'sketch' }).execute()
    const left = await actToTheEnd(id, 'undo')
    await app.db.deleteFrom('prohibited_terms').where('term_folded', '=', 'sketch').execute()
    expect(left).toMatchObject({ state: 'undone', counts: { undone: 0, left: 1 } })
    expect((await itemsOf(id, 'left')).items).toMatchObject([
      { reasons: ["The name holds the prohibited term 'sketch'."] },
    ])
    const undone = await actToTheEnd(id, 'undo')
    expect(undone).toMatchObject({ state: 'undone', counts: { undone: 1, left: 0 }, undoUntil: null })
    expect((await act(id, 'undo')).json()).toMatchObject({ code: 'bulk.state' })
  })

  test('unpublishes what the edit published, and publishes what it took off', async () => {
    await someItems(server.app, [{ name: 'Sketch', status: 'draft' }])
    const published = await preview({}, { status: 'published' })
    await actToTheEnd(published.id, 'apply')
    expect(await stored('Sketch')).toMatchObject([{ status: 'published' }])
    const { details } = await server.app.db
      .selectFrom('audit_events')
      .select('details')
      .where('subject_id', '=', published.id)
      .executeTakeFirstOrThrow()
    expect(details).toMatchObject({ changed: 1, checks: expect.arrayContaining(['rights']) })
    await actToTheEnd(published.id, 'undo')
    expect(await stored('Sketch')).toMatchObject([{ status: 'draft', cleared_version: null }])
  })

  test('is over after a day, and the items of an edit are forgotten after a week', async () => {
    const { app } = server
    await someItems(app, works)
    const { id } = await preview({}, { rating: 'mature' })
    await actToTheEnd(id, 'apply')
    const hoursAgo = (hours: number) => sql<Date>`now() - ${hours} * interval '1 hour'`
    await app.db
      .updateTable('bulk_edits')
      .set({ applied_at: hoursAgo(25) })
      .where('id', '=', id)
      .execute()
    expect((await read(id)).undoUntil).toBeNull()
    expect((await act(id, 'undo')).json()).toMatchObject({ code: 'bulk.state' })
    await deleteOldBulkEdits(app)
    expect((await itemsOf(id, 'changed')).items).toHaveLength(4)
    await app.db
      .updateTable('bulk_edits')
      .set({ made_at: hoursAgo(200) })
      .where('id', '=', id)
      .execute()
    await deleteOldBulkEdits(app)
    expect((await itemsOf(id, 'changed')).items).toEqual([])
  })
})

test('each step of an edit and its undo is done once, wherever its process dies and whoever goes on', async () => {
  const { app } = server
  const count = 1_200
  await someItems(
    app,
    Array.from({ length: count }, (_, i) => ({ name: `Work ${i}`, slug: `work-${i}` })),
  )
  const die = () => {
    throw new Error('killed')
  }
  const dying = { isLast: false, isStopping: die }
  const patient = { isLast: false, isStopping: () => false }
  const work = async (id: string): Promise<void> => {
    await expect(workOnRun(app, catalogueRuns, runSteps, id, dying)).rejects.toThrow('killed')
    await Promise.all([
      workOnRun(app, catalogueRuns, runSteps, id, patient),
      workOnRun(app, catalogueRuns, runSteps, id, patient),
    ])
  }
  const { id } = (await begin({}, { shiftDays: 1 })).json() as BulkEditForAdmin
  await work(id)
  expect(await read(id)).toMatchObject({ state: 'ready', selected: count, counts: { planned: count } })
  await act(id, 'apply')
  await work(id)
  expect(await read(id)).toMatchObject({ state: 'done', counts: { changed: count } })
  const days = async () => [...new Set((await stored()).map(({ day, version }) => `${day} ${version}`))]
  // Once each: not two days later.
  expect(await days()).toEqual(['2024-01-02 2'])
  await act(id, 'undo')
  await work(id)
  expect(await days()).toEqual(['2024-01-01 3'])
  await drainJobs(app)
  expect(await days()).toEqual(['2024-01-01 3'])
})

test('an edit leaves what was switched off in its preview as it is', async () => {
  const made = (await someItems(server.app, works)) as [MadeItem, MadeItem, MadeItem]
  const [moby, mobile, march] = made
  const { id } = await preview({ items: made.map((item) => item.id) }, { rating: 'mature' })
  const flip = (items: unknown, isOn: unknown) => post(server, `/api/bulk-edits/${id}/switch`, { items, isOn }, admin)
  expect((await flip([moby.id, march.id], false)).json()).toMatchObject({
    version: 2,
    counts: { planned: 2, excluded: 2 },
  })
  // Twice the same is the same.
  expect((await flip([moby.id], false)).json()).toMatchObject({ counts: { planned: 2, excluded: 2 } })
  expect((await flip([march.id], true)).json()).toMatchObject({ counts: { planned: 3, excluded: 1 } })
  expect((await itemsOf(id, 'planned')).items.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['Moby Dick', 'excluded'],
    ['Mobile home', 'planned'],
    ['Middlemarch', 'planned'],
    ['Draft of Moby', 'planned'],
  ])
  for (const items of [[mobile.id, randomUUID()], [randomUUID()]])
    expect((await flip(items, false)).json()).toMatchObject({ code: 'bulk.item' })
  expect((await flip([], false)).status).toBe(422)
  expect((await flip([mobile.id], 'no')).status).toBe(422)
  expect((await read(id)).counts).toMatchObject({ planned: 3, excluded: 1 })
  // It is not applied as somebody saw it before.
  expect((await post(server, `/api/bulk-edits/${id}/apply`, { version: 1 }, admin)).json()).toMatchObject({
    code: 'bulk.overtaken',
  })
  const { version } = await read(id)
  expect((await post(server, `/api/bulk-edits/${id}/apply`, { version }, admin)).status).toBe(202)
  expect((await flip([moby.id], true)).json()).toMatchObject({ code: 'bulk.state' })
  await drainJobs(server.app)
  expect(await read(id)).toMatchObject({ state: 'done', counts: { planned: 0, excluded: 1, changed: 3 } })
  expect(await stored('Moby Dick', 'Mobile home')).toMatchObject([
    { rating: 'general', version: 1 },
    { rating: 'mature' },
  ])
  expect((await itemsOf(id, 'excluded')).items).toMatchObject([{ name: 'Moby Dick' }])
  const event = await server.app.db
    .selectFrom('audit_events')
    .select('details')
    .where('subject_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(event.details).toEqual({
    filter: { chosen: 5 },
    changes: { rating: 'mature' },
    changed: 3,
    excluded: 1,
  })
  expect((await actToTheEnd(id, 'undo')).counts).toMatchObject({ excluded: 1, undone: 3 })
  expect(
    (await post(server, `/api/bulk-edits/${randomUUID()}/switch`, { items: [moby.id], isOn: true }, admin)).json(),
  ).toMatchObject({ code: 'bulk.not_found' })
})

describe('a host of links is replaced by another one', () => {
  const links = async () =>
    server.app.db.selectFrom('items').select(['name', 'status', 'link', 'link_g', 'version']).orderBy('no').execute()
  const replaced = { action: 'replace-host', host: 'old.example', newHost: 'new.example:8443' }

  test('everywhere, in the rest of the address as it was; it can be undone', async () => {
    await someItems(server.app, [
      { name: 'Plain', link: 'https://old.example/a%20b/?q=old.example#k' },
      { name: 'Mixed', link: 'https://other.example/1', linkG: 'http://www.OLD.example:80/2' },
      { name: 'Draft', status: 'draft', link: 'https://old.example/3' },
      { name: 'Another', link: 'https://not-old.example/old.example' },
    ])
    const before = await links()
    const edit = await preview({ linkHost: 'old.example' }, replaced)
    expect(edit).toMatchObject({ state: 'ready', selected: 3, unchanged: 0, counts: { planned: 3, refused: 0 } })
    expect((await itemsOf(edit.id, 'planned')).items[1]?.difference).toEqual([
      { field: 'linkG', before: 'http://www.OLD.example:80/2', after: 'http://new.example:8443/2' },
    ])
    await actToTheEnd(edit.id, 'apply')
    expect((await links()).map(({ link, link_g, status }) => [status, link, link_g])).toEqual([
      ['published', 'https://new.example:8443/a%20b/?q=old.example#k', null],
      ['published', 'https://other.example/1', 'http://new.example:8443/2'],
      ['draft', 'https://new.example:8443/3', null],
      ['published', 'https://not-old.example/old.example', null],
    ])
    expect((await actToTheEnd(edit.id, 'undo')).counts.undone).toBe(3)
    expect((await links()).map(({ link, link_g }) => [link, link_g])).toEqual(
      before.map(({ link, link_g }) => [link, link_g]),
    )
  })

  test('also by one that is typed in its own letters', async () => {
    await someItems(server.app, [{ name: 'Plain', link: 'https://old.example/1' }])
    const { id } = await preview({ linkHost: 'old.example' }, { ...replaced, newHost: 'Bücher.example' })
    expect((await itemsOf(id, 'planned')).items[0]?.difference).toEqual([
      { field: 'link', before: 'https://old.example/1', after: 'https://xn--bcher-kva.example/1' },
    ])
  })

  test('found by its letters: signs in it are no pattern', async () => {
    await someItems(server.app, [
      { name: 'Letters', link: 'https://aa.old.example/1' },
      { name: 'Signs', link: 'https://(a+)+.old.example/2' },
    ])
    const { id } = await preview({ linkHost: '(a+)+.old.example' }, { rating: 'mature' })
    expect((await itemsOf(id, 'planned')).items.map(({ name }) => name)).toEqual(['Signs'])
  })

  test.each<[object, string, string]>([
    [{ action: 'replace-host', host: 'old.example' }, 'newHost', 'send action, host and newHost.'],
    [{ host: 'old.example', newHost: 'new.example' }, 'newHost', 'send action, host and newHost.'],
    [{ ...replaced, newHost: 'old.example' }, 'newHost', 'This is the host that the links have now.'],
    ...['', 'localhost', '127.0.0.1', 'a b', 'new.example/path', 'user@new.example', 'https://new.example'].map(
      (newHost): [object, string, string] => [{ ...replaced, newHost }, 'newHost', 'newHost must be a host'],
    ),
    [{ ...replaced, separator: ' - ' }, 'separator', 'send action and separator.'],
  ])('%j is refused', async (changes, field, sentence) => {
    const answer = await begin({ linkHost: 'old.example' }, changes)
    expect(answer.status).toBe(422)
    expect(answer.json()).toMatchObject({ field: `changes.${field}` })
    expect(answer.text).toContain(sentence)
  })
})
