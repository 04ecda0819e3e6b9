import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  ImportForAdmin,
  ImportProblemGroups,
  ImportProblems,
} from '../../src/features/catalogue/transfer/import-schema.ts'
import { catalogueRuns } from '../../src/features/catalogue/catalogue-runs.ts'
import { runSteps } from '../../src/features/catalogue/jobs.server.ts'
import { takeUpForgottenRuns, workOnRun } from '../../src/features/office/runs/work-on-run.server.ts'
import { deleteOldImports } from '../../src/features/catalogue/transfer/delete-old-imports.server.ts'
import { exportItems } from '../../src/features/catalogue/transfer/export-items.server.ts'
import { rowsInStep } from '../../src/features/catalogue/transfer/steps-of-import.server.ts'
import { drainJobs } from '../harness/drain.ts'
import { deleteAllItems, someItems } from '../harness/items.ts'
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
  // Queued jobs of another test would be done in this one.
  await drainJobs(server.app)
  await deleteAllItems(server.app)
})

const head = 'name,category,contentType,link,rightsBasis,evidence,permitsDownload,people'
const row = (name: string, more: { category?: string; type?: string; link?: string; basis?: string } = {}): string =>
  [
    name,
    more.category ?? 'Literature',
    more.type ?? 'western',
    more.link ?? `https://mega.nz/file/${name.replaceAll(' ', '-')}`,
    more.basis ?? 'public_domain',
    'The author died in 1900.',
    'true',
    'none',
  ].join(',')
const csv = (...rows: string[]): string => [head, ...rows, ''].join('\n')

const send = (body: string | Buffer, name = 'works.csv'): Promise<TestResponse> =>
  server.request(`/api/imports?name=${encodeURIComponent(name)}`, { method: 'POST', headers: admin, body })

async function upload(body: string | Buffer, name?: string): Promise<ImportForAdmin> {
  const answer = await send(body, name)
  expect(answer.status, answer.text).toBe(201)
  return answer.json() as ImportForAdmin
}

const begin = (id: string, verb: 'check' | 'start', options: object = {}): Promise<TestResponse> =>
  post(server, `/api/imports/${id}/${verb}`, { publish: false, createCategories: false, ...options }, admin)

const read = async (id: string): Promise<ImportForAdmin> =>
  (await server.request(`/api/imports/${id}`, { headers: admin })).json() as ImportForAdmin

const problemsOf = async (id: string, page = 1): Promise<ImportProblems> =>
  (await server.request(`/api/imports/${id}/problems?page=${page}`, { headers: admin })).json() as ImportProblems

const groupsOf = async (id: string): Promise<ImportProblemGroups> =>
  (await server.request(`/api/imports/${id}/problem-groups`, { headers: admin })).json() as ImportProblemGroups

async function runImport(body: string, verb: 'check' | 'start' = 'start', options = {}): Promise<ImportForAdmin> {
  const { id } = await upload(body)
  expect((await begin(id, verb, options)).status).toBe(202)
  await drainJobs(server.app)
  return read(id)
}

const countItems = async (): Promise<number> =>
  (await server.app.db.selectFrom('items').select('id').where('status', '<>', 'removed').execute()).length

const countPieces = async (id: string): Promise<number> =>
  (await server.app.db.selectFrom('import_pieces').select('place').where('import_id', '=', id).execute()).length

/** Each names too much in its first line. */
const headersOutOfBounds: [header: string, sentence: string][] = [
  [Array.from({ length: 100_000 }, (_, no) => no).join(','), 'The first line of the file is longer than 64 KiB.'],
  [`name,${'x,'.repeat(250)}link\na,b\n`, 'The first line of the file names 252 columns; a file has up to 200.'],
  [
    `name,${'x'.repeat(58_000)},link\na,b,c\n`,
    'The first line of the file is out of bounds: the name of column 2 is longer than 60 characters.',
  ],
]

describe('an uploaded file', () => {
  test('waits, with its columns', async () => {
    const imported = await upload(`link,${csv().replace(',link', '')}`)
    expect(imported).toMatchObject({
      fileName: 'works.csv',
      format: 'csv',
      state: 'waiting',
      isInOrder: false,
      hasFile: true,
      tally: null,
    })
    expect(imported.columns[0]).toBe('link')
    expect(imported.columnsLeftOut).toContain('postDate')
    expect((await upload('{"name":"a"}\n', 'works.jsonl')).format).toBe('jsonl')
    const list = (await server.request('/api/imports', { headers: admin })).json() as { imports: ImportForAdmin[] }
    expect(list.imports.slice(0, 2).map(({ fileName }) => fileName)).toEqual(['works.jsonl', 'works.csv'])
  })

  test('with a wrong header is refused at once with what was probably meant, and is not kept', async () => {
    const before = await server.app.db.selectFrom('import_pieces').select('place').execute()
    const answer = await send('title,catgory,contentType,link,link\n')
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      code: 'import.columns',
      columns: {
        unknown: [
          { name: 'title', meant: 'name' },
          { name: 'catgory', meant: 'category' },
        ],
        missing: ['name', 'category'],
        repeated: ['link'],
      },
    })
    expect((await send('name;category;contentType;link\na;b;western;c\n')).json()).toMatchObject({
      code: 'import.columns',
      message: 'The columns are separated by semicolons. Save the file as CSV whose cells are separated by commas.',
    })
    expect((await send('%PDF-1.4 abc\n1 0 obj\n')).json()).toMatchObject({
      code: 'import.columns',
      message:
        'This is not a CSV or JSON lines file. The first line of a CSV file names its columns, separated by commas.',
    })
    for (const [header, sentence] of headersOutOfBounds) {
      const refused = await send(header)
      expect([refused.status, refused.json()]).toMatchObject([422, { code: 'import.header', message: sentence }])
    }
    expect((await send('')).json()).toMatchObject({ code: 'import.file' })
    expect((await send(csv(), '')).status).toBe(422)
    expect(await server.app.db.selectFrom('import_pieces').select('place').execute()).toEqual(before)
  })

  test('that is larger than 200 MB is refused before it is sent', async () => {
    const answer = await server
      .request('/api/imports?name=a.csv', {
        method: 'POST',
        headers: { ...admin, 'content-length': String(200 * 1024 * 1024 + 1) },
      })
      .catch((error: Error) => error)
    expect(answer).toMatchObject({ status: 413 })
  })

  test('is deleted when it is given up, and after a week', async () => {
    const given = await upload(csv(row('Given up')))
    const cancelled = await post(server, `/api/imports/${given.id}/cancel`, {}, admin)
    expect(cancelled.json()).toMatchObject({ state: 'cancelled', hasFile: false })
    expect((await begin(given.id, 'start')).json()).toMatchObject({ code: 'import.gone' })
    const forgotten = await upload(csv(row('Forgotten')))
    await deleteOldImports(server.app)
    expect(await countPieces(forgotten.id)).toBe(1)
    await server.app.db
      .updateTable('imports')
      .set({ uploaded_at: new Date(Date.now() - 8 * 86_400_000) })
      .where('id', '=', forgotten.id)
      .execute()
    await deleteOldImports(server.app)
    expect(await countPieces(forgotten.id)).toBe(0)
    expect((await read(forgotten.id)).state).toBe('cancelled')
  })
})

const faulty = csv(
  row('Right one'),
  row('Wrong type', { type: 'eastern' }),
  row('No such shelf', { category: 'Nowhere' }),
  row('Without rights', { basis: '' }),
  row('Right two'),
)

describe('a check', () => {
  test('writes nothing, and lists each problem by line and column', async () => {
    const checked = await runImport(faulty, 'check', { publish: true })
    expect(checked).toMatchObject({ state: 'waiting', wasChecked: true, rowsDone: 5, problems: 3, hasFile: true })
    expect(checked.tally).toEqual({ created: 3, updated: 0, unchanged: 0, rejected: 2, published: 2, held: 1 })
    const { problems, totalPages } = await problemsOf(checked.id)
    expect(totalPages).toBe(1)
    expect(problems.map(({ line, reasons }) => [line, reasons[0]?.column])).toEqual([
      [3, 'contentType'],
      [4, 'category'],
      [5, 'rightsBasis'],
    ])
    expect(problems[0]?.reasons[0]?.sentence).toContain('contentType is "eastern". Use one of: asian')
    expect(await countItems()).toBe(0)
    // The next one replaces its result.
    await begin(checked.id, 'check')
    await drainJobs(server.app)
    expect((await read(checked.id)).problems).toBe(2)
  })

  test('says each sentence once, with the number of its rows and the first of them', async () => {
    const rows = Array.from({ length: 130 }, (_, i) => row(`Work ${i}`, { type: 'eastern' }))
    const { id } = await runImport(csv(row('Wrong too', { type: 'southern' }), ...rows), 'check')
    const { groups, total } = await groupsOf(id)
    expect(total).toBe(2)
    expect(groups).toMatchObject([
      { column: 'contentType', rows: 130, lines: [3, 4, 5, 6, 7] },
      { column: 'contentType', rows: 1, lines: [2] },
    ])
    expect(groups[0]?.sentence).toContain('contentType is "eastern". Use one of:')
    const wrong = await server.request(`/api/imports/${id}/problems?page=0`, { headers: admin })
    expect([wrong.status, wrong.json()]).toMatchObject([400, { code: 'search.parameter' }])
    const page = await server.request(`/api/imports/${id}/problems?page=2&group=${groups[0]?.key}`, { headers: admin })
    const { problems, total: inGroup, totalPages } = page.json() as ImportProblems
    expect([inGroup, totalPages, problems.length]).toEqual([130, 2, 30])
    expect(problems[0]).toMatchObject({ line: 103, name: 'Work 100' })
  })

  test('tells the categories that are missing; they are created and the file is checked again, but for prohibited ones', async () => {
    const { id } = await runImport(
      csv(
        row('One', { category: 'Sea shanties' }),
        row('Two', { category: 'SEA SHANTIES' }),
        row('Three', { category: 'Leaked letters' }),
        row('Four', { category: 'Ballads of old' }),
        row('Five', { type: 'eastern', category: 'Old maps' }),
      ),
      'check',
      { publish: true },
    )
    const found = await groupsOf(id)
    // Categories that one click creates are not listed again; the rest is.
    expect(found.groups.map(({ sentence }) => sentence).join(' ')).not.toMatch(/Sea shanties|Ballads of old/i)
    expect(found.groups.map(({ sentence }) => sentence)).toContainEqual(expect.stringContaining('Leaked letters'))
    expect(found.missingCategories).toEqual([
      { name: 'Sea shanties', rows: 2, refusal: null },
      { name: 'Ballads of old', rows: 1, refusal: null },
      {
        name: 'Leaked letters',
        rows: 1,
        refusal: "The category 'Leaked letters' is not created: it holds the prohibited term 'leaked'.",
      },
      // Also for a row with another problem: it is mended, and then its category is there.
      { name: 'Old maps', rows: 1, refusal: null },
    ])
    const answer = await post(server, `/api/imports/${id}/categories`, { publish: true }, admin)
    expect([answer.status, (answer.json() as ImportForAdmin).state], answer.text).toEqual([202, 'checking'])
    // Running work is not begun once more, and nothing is created twice.
    const again = await post(server, `/api/imports/${id}/categories`, { publish: true }, admin)
    expect([again.status, (again.json() as { code: string }).code]).toEqual([409, 'run.underway'])
    await drainJobs(server.app)
    const checked = await read(id)
    expect(checked).toMatchObject({ wasChecked: true, publish: true, problems: 2, tally: { created: 3, published: 3 } })
    expect((await groupsOf(id)).missingCategories.map(({ name }) => name)).toEqual(['Leaked letters'])
    const events = await server.app.db
      .selectFrom('audit_events')
      .select(['actor_id', 'details'])
      .where('action', '=', 'category.created')
      .where('actor_id', '=', adminId)
      .execute()
    expect(events.map(({ details }) => details)).toEqual([
      { name: 'Sea shanties', import: true },
      { name: 'Ballads of old', import: true },
      { name: 'Old maps', import: true },
    ])
    expect(await countItems()).toBe(0)
    await server.app.db
      .deleteFrom('categories')
      .where('name', 'in', ['Sea shanties', 'Ballads of old', 'Old maps'])
      .execute()
  })

  test('lists rows whose texts are none to the database, and rejects what is nested too deep', async () => {
    const { id } = await upload(
      [
        '{"name":"a\\u0000b","category":"Nowhere","contentType":"zap","link":"x"}',
        '{"name":"c\\ud800d","category":"Film","contentType":"western","link":"https://mega.nz/c"}',
        '{"name":"A key","\\u0000\\ud800":"e"}',
        `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)},"category":"Film","contentType":"western","link":"x"}`,
        '{"name":"Whole","category":"Film","contentType":"western","link":"https://mega.nz/whole"}',
      ].join('\n'),
      'works.jsonl',
    )
    await begin(id, 'check')
    await drainJobs(server.app)
    expect(await read(id)).toMatchObject({ state: 'waiting', wasChecked: true, problems: 4, tally: { created: 1 } })
    const { problems } = await problemsOf(id)
    expect(problems.map(({ line, name }) => [line, name.slice(0, 10)])).toEqual([
      [1, 'a\ufffdb'],
      [2, 'c\ufffdd'],
      [3, 'A key'],
      [4, '["…"]'],
    ])
    expect((await groupsOf(id)).groups.flatMap(({ lines }) => lines)).toEqual(expect.arrayContaining([1, 2, 3, 4]))
    const again = await post(server, `/api/imports/${id}/categories`, { publish: false }, admin)
    expect(again.status, again.text).toBe(202)
    await drainJobs(server.app)
    const bytes = await runImport(csv(row('a\0b', { type: 'zap' })), 'check')
    expect((await problemsOf(bytes.id)).problems[0]?.name).toBe('a\ufffdb')
  })

  test('can be stopped, and the file waits again', async () => {
    const { id } = await upload(csv(row('Stopped')))
    await begin(id, 'check')
    expect((await begin(id, 'start')).json()).toMatchObject({ code: 'run.underway' })
    await post(server, `/api/imports/${id}/cancel`, {}, admin)
    await drainJobs(server.app)
    expect(await read(id)).toMatchObject({ state: 'waiting', wasChecked: false, rowsDone: 0, tally: null })
  })
})

describe('an import', () => {
  test('of JSON lines gives a row back with the keys that it does not know', async () => {
    const line = '{"name":"A work","colour":"red","sizes":[1,2],"category":"Film"}\n'
    const { id } = await upload(line, 'works.jsonl')
    expect((await begin(id, 'start')).status).toBe(202)
    await drainJobs(server.app)
    const rejects = await server.request(`/api/imports/${id}/rejects`, { headers: admin })
    expect(JSON.parse(rejects.text)).toMatchObject({ name: 'A work', colour: 'red', sizes: '[1,2]', category: 'Film' })
  })

  test('brings in what it can, and gives the rest as a file that can be mended', async () => {
    const done = await runImport(faulty, 'start', { publish: true, createCategories: true })
    expect(done).toMatchObject({ state: 'done', problems: 2, hasFile: false, bytesDone: done.bytes })
    expect(done.tally).toEqual({ created: 4, updated: 0, unchanged: 0, rejected: 1, published: 3, held: 1 })
    expect(await countItems()).toBe(4)
    const { problems } = await problemsOf(done.id)
    expect(problems.map(({ line }) => line)).toEqual(problems.map(({ line }) => line).toSorted((a, b) => a - b))
    // Codes are for programs: they stand in the file of rejects alone.
    expect(problems.flatMap(({ reasons }) => reasons.map(({ sentence }) => sentence)).join()).not.toMatch(
      /rights\.\w+:/,
    )
    // The administrator who began it attests the rights, and made its categories.
    const attested = await server.app.db.selectFrom('items').select('rights_attested_by').distinct().execute()
    expect(attested.map(({ rights_attested_by }) => rights_attested_by).filter((by) => by !== null)).toEqual([adminId])
    const made = await server.app.db
      .selectFrom('audit_events')
      .select(['actor_id', 'details'])
      .where('action', '=', 'category.created')
      .execute()
    expect(made.every(({ actor_id }) => actor_id === adminId)).toBe(true)
    expect(made.length).toBeGreaterThan(0)
    const rejects = await server.request(`/api/imports/${done.id}/rejects`, { headers: admin })
    expect(rejects.headers['content-disposition']).toMatch(/^attachment; filename="rejects-.+\.csv"$/)
    expect(rejects.text.split('\n')[0]).toBe(`${head},line,reason`)
    expect(rejects.text).toContain(',3,"contentType is ""eastern"".')
    const again = await runImport(
      rejects.text.replace('eastern', 'western').replace(',,The', ',public_domain,The'),
      'start',
      {
        publish: true,
      },
    )
    expect(again.tally).toMatchObject({ created: 1, updated: 1, rejected: 0, published: 2, held: 0 })
    const event = await server.app.db
      .selectFrom('audit_events')
      .select(['actor_id', 'subject_id', 'details'])
      .where('action', '=', 'items.imported')
      .orderBy('recorded_at', 'desc')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({
      actor_id: adminId,
      subject_id: again.id,
      details: { file: 'works.csv', publish: true, created: 1, updated: 1, checks: expect.arrayContaining(['rights']) },
    })
  })

  test('does not undo a withdrawn consent by stating that nobody is shown', async () => {
    const { db } = server.app
    const [shown] = await someItems(server.app, [{ name: 'Portrait', people: 'identifiable', status: 'draft' }])
    const consent = { permits_publication: true, permits_download: true, verified_adult: 'yes' } as const
    await db
      .insertInto('consent_records')
      .values({
        ...consent,
        id: '018f0000-0000-7000-8000-0000000000c1',
        item_id: shown?.id ?? '',
        pseudonym: 'Ana',
        evidence: 'A letter.',
        recorded_by: 'me',
        withdrawn_at: new Date(),
      })
      .execute()
    const file = `slug,${csv(row('Portrait')).replace('\nPortrait', '\nportrait,Portrait')}`
    const done = await runImport(file, 'start', { publish: true })
    expect(done.tally).toMatchObject({ held: 1, published: 0 })
    expect((await problemsOf(done.id)).problems[0]?.reasons[0]?.sentence).toContain('Ana withdrew the consent on')
    const { status } = await db.selectFrom('items').select('status').executeTakeFirstOrThrow()
    expect(status).toBe('draft')
  })

  test('has rejects that no spreadsheet computes, and that come back as they were', async () => {
    const done = await runImport(csv(row('=1+1', { type: 'eastern' }), row("'=2+2")))
    const rejects = await server.request(`/api/imports/${done.id}/rejects`, { headers: admin })
    expect(rejects.text.split('\n')[1]).toMatch(/^'=1\+1,/)
    await runImport(rejects.text.replace('eastern', 'western'))
    const items = await server.app.db.selectFrom('items').select('name').orderBy('name').execute()
    expect(items).toEqual([{ name: '=1+1' }, { name: '=2+2' }])
  })

  test('that ceases to be CSV fails with the line, after what was before it', async () => {
    const rows = Array.from({ length: 2 * rowsInStep + 200 }, (_, i) => row(`Whole ${i}`))
    const failed = await runImport(`${csv(...rows)}"never closed`)
    expect(failed.state).toBe('failed')
    expect(failed.failure).toContain('a quotation mark that is opened there is never closed')
    const cancelled = await post(server, `/api/imports/${failed.id}/cancel`, {}, admin)
    expect(cancelled.json()).toMatchObject({ state: 'failed', failure: failed.failure, hasFile: false })
    expect(await countItems()).toBe(2 * rowsInStep)
  })
})

/** More than three steps; the same item stands in the first and in the last with other content. */
const long = csv(
  row('Twice', { link: 'https://mega.nz/file/same' }).replace('died in 1900', 'died in 1901'),
  ...Array.from({ length: 3_400 }, (_, i) => row(`Number ${i}`)),
  row('Wrong', { type: 'eastern' }),
  row('Twice', { link: 'https://mega.nz/file/same' }),
)
const expected = { created: 3_401, updated: 0, unchanged: 0, rejected: 2, published: 3_401, held: 0 }

const patient = { isLast: false, isStopping: () => false }

async function expectWhole(id: string): Promise<void> {
  expect(await read(id)).toMatchObject({ state: 'done', tally: expected, rowsDone: 3_403, problems: 2 })
  const { problems } = await problemsOf(id)
  expect(problems.map(({ line }) => line)).toEqual([3_403, 3_404])
  expect(problems[1]?.reasons[0]?.sentence).toContain('stands in line 2 already')
  expect(await countItems()).toBe(3_401)
}

async function beginLong(): Promise<string> {
  const { id } = await upload(long)
  await begin(id, 'start', { publish: true })
  return id
}

describe('a long import', () => {
  test.each([1, 2, 3, 4])('goes on in another process after the first died behind step %i', async (steps) => {
    const id = await beginLong()
    let left = steps
    const dying = {
      isLast: false,
      isStopping() {
        left -= 1
        if (left === 0) throw new Error('killed')
        return false
      },
    }
    await expect(workOnRun(server.app, catalogueRuns, runSteps, id, dying)).rejects.toThrow('killed')
    expect((await read(id)).rowsDone).toBe(Math.min(steps * rowsInStep, 3_403))
    await workOnRun(server.app, catalogueRuns, runSteps, id, patient)
    await expectWhole(id)
  })

  test('is done once when two processes work on it', async () => {
    const id = await beginLong()
    await Promise.all([
      workOnRun(server.app, catalogueRuns, runSteps, id, patient),
      workOnRun(server.app, catalogueRuns, runSteps, id, patient),
      workOnRun(server.app, catalogueRuns, runSteps, id, patient),
    ])
    // The overtaken worker has stopped; the last one to take it went on.
    await expectWhole(id)
    await drainJobs(server.app)
    await expectWhole(id)
  })

  test('puts the rest in line when the process stops', async () => {
    const id = await beginLong()
    await workOnRun(server.app, catalogueRuns, runSteps, id, { isLast: false, isStopping: () => true })
    expect((await read(id)).rowsDone).toBe(rowsInStep)
    await drainJobs(server.app)
    await expectWhole(id)
  })

  test('keeps what is in when it is cancelled in the middle', async () => {
    const id = await beginLong()
    await workOnRun(server.app, catalogueRuns, runSteps, id, { isLast: false, isStopping: () => true })
    expect((await post(server, `/api/imports/${id}/cancel`, {}, admin)).json()).toMatchObject({ state: 'cancelled' })
    await drainJobs(server.app)
    expect(await read(id)).toMatchObject({ state: 'cancelled', rowsDone: rowsInStep, hasFile: false })
    expect(await countItems()).toBe(rowsInStep)
    // Another's bulk edit may have its id by now, and goes on.
    const edit = { id, filter: {}, changes: { rating: 'mature' } }
    expect((await post(server, '/api/bulk-edits', edit, admin)).status).toBe(202)
    expect((await post(server, `/api/imports/${id}/cancel`, {}, admin)).json()).toMatchObject({ state: 'cancelled' })
    await drainJobs(server.app)
    const { json } = await server.request(`/api/bulk-edits/${id}`, { headers: admin })
    expect(json()).toMatchObject({ state: 'ready' })
  })

  test.each([
    ['loses the role', 'start'],
    ['is erased', 'start'],
    ['loses the role', 'check'],
  ] as const)('ends when whoever began it %s (%s), and what is in stays', async (what, verb) => {
    const { app } = server
    const other = await aMember(app, { isAdmin: true })
    const theirs = bearer(await signIn(server, other))
    const { id } = await upload(long)
    const options = { publish: true, createCategories: false }
    expect((await post(server, `/api/imports/${id}/${verb}`, options, theirs)).status).toBe(202)
    await workOnRun(app, catalogueRuns, runSteps, id, { isLast: false, isStopping: () => true })
    await app.db.updateTable('users').set({ is_admin: false }).where('id', '=', other.id).execute()
    if (what === 'is erased') await app.db.deleteFrom('users').where('id', '=', other.id).execute()
    await drainJobs(app)
    expect(await read(id)).toMatchObject({
      state: 'failed',
      rowsDone: rowsInStep,
      failure:
        'It was stopped: whoever began it does not have the role of an administrator any more. Finished work stays.',
    })
    expect(await countItems()).toBe(verb === 'start' ? rowsInStep : 0)
    // Another administrator may take it on.
    await begin(id, 'start', { publish: true })
    await drainJobs(app)
    expect((await read(id)).state).toBe('done')
    expect(await countItems()).toBe(3_401)
  })

  test('is put in line again when nobody has moved it for long', async () => {
    const { app } = server
    const id = await beginLong()
    await app.db
      .updateTable('pgboss.job' as 'users')
      .set({ state: 'cancelled' } as never)
      .execute()
    await drainJobs(app)
    expect((await read(id)).state).toBe('importing')
    await takeUpForgottenRuns(app, catalogueRuns)
    await drainJobs(app)
    expect((await read(id)).state).toBe('importing')
    await app.db
      .updateTable('runs')
      .set({ advanced_at: new Date(Date.now() - 600_000) })
      .execute()
    await takeUpForgottenRuns(app, catalogueRuns)
    await drainJobs(app)
    await expectWhole(id)
  })

  test('is given up with a sentence when it fails for the last time', async () => {
    const id = await beginLong()
    const failing = { ...runSteps, import: { ...runSteps.import, open: () => Promise.reject(new Error('A defect.')) } }
    await expect(workOnRun(server.app, catalogueRuns, failing, id, patient)).rejects.toThrow('A defect.')
    expect((await read(id)).state).toBe('importing')
    await expect(workOnRun(server.app, catalogueRuns, failing, id, { ...patient, isLast: true })).rejects.toThrow(
      'A defect.',
    )
    expect(await read(id)).toMatchObject({
      state: 'failed',
      failure: 'Something went wrong on our side. Please try again.',
      hasFile: true,
    })
    expect((await begin(id, 'start', { publish: true })).status).toBe(202)
    await workOnRun(server.app, catalogueRuns, runSteps, id, patient)
    await expectWhole(id)
  })
})

describe('an export', () => {
  const get = (query: string) => server.request(`/api/export?${query}`, { headers: admin })

  test.each(['csv', 'jsonl'] as const)('as %s is the file of the command line', async (format) => {
    await someItems(server.app, [
      { name: 'An "odd", name', people: 'none' },
      { name: 'A draft', status: 'draft', contentType: 'asian', category: 'Art' },
      { name: 'Gone', status: 'removed' },
    ])
    let file = ''
    await exportItems(server.app, { format }, async (chunk) => void (file += chunk))
    const answer = await get(`format=${format}`)
    expect(answer.text).toBe(file)
    expect(answer.text).not.toContain('Gone')
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="catalogue-2024-03-15.${format}"`)
    const event = await server.app.db
      .selectFrom('audit_events')
      .select('details')
      .where('action', '=', 'items.exported')
      .orderBy('recorded_at', 'desc')
      .executeTakeFirst()
    expect(event?.details).toEqual({ format })
  })

  test('takes filters, and refuses others', async () => {
    await someItems(server.app, [
      { name: 'Song', category: 'Music' },
      { name: 'Sketch', category: 'Music', status: 'draft' },
      { name: 'Print', category: 'Art', contentType: 'asian' },
    ])
    const names = async (query: string): Promise<string[]> =>
      (await get(`format=jsonl&${query}`)).text
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { name: string }).name)
    expect(await names('')).toEqual(['Song', 'Sketch', 'Print'])
    expect(await names('status=draft')).toEqual(['Sketch'])
    expect(await names('category=MUSIC')).toEqual(['Song', 'Sketch'])
    expect(await names('contentType=asian')).toEqual(['Print'])
    expect(await names('category=None')).toEqual([])
    expect((await get('status=old')).status).toBe(400)
    expect((await get('category=%00')).status).toBe(400)
  })
})
