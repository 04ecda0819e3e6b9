import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { DecidedNotices, NoticesForDesk } from '../../src/features/notices/desk/desk-schema.ts'
import { fileAppeal } from '../../src/features/notices/desk/file-appeal.server.ts'
import { ledgerInvariant } from '../../src/features/notices/desk/notice-invariants.server.ts'
import { listNotices } from '../../src/features/notices/desk/list-notices.server.ts'
import { anonymous, type Viewer } from '../../src/features/office/viewer/viewer.ts'
import { deskCalls } from '../harness/desk.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { type MadeItem, someItems, statusOfItem } from '../harness/items.ts'
import { anAdministrator, type MadeMember, type SignedIn } from '../harness/members.ts'
import { aNotice, type MadeNotice } from '../harness/notices.ts'
import { serverOfFile } from '../harness/test-server.ts'

/** docs/spec/notices.md#second-officer */

let olga: SignedIn
let otto: SignedIn
let ada: SignedIn

const server = serverOfFile({ now: new Date().toISOString() })

beforeAll(async () => {
  // The first administrator is a safety officer.
  olga = await anAdministrator(server, 'Olga')
  otto = await anAdministrator(server, 'Otto')
  ada = await anAdministrator(server, 'Ada')
})
afterEach(() => setOfficer(otto, true))

const setOfficer = async ({ id }: MadeMember, isOfficer: boolean): Promise<void> => {
  await server.app.db.updateTable('users').set({ is_safety_officer: isOfficer }).where('id', '=', id).execute()
}
beforeAll(() => setOfficer(otto, true))

let works = 0
async function reported(
  kind: 'child-safety' | 'privacy' = 'child-safety',
): Promise<{ work: MadeItem; made: MadeNotice }> {
  works += 1
  const [work] = await someItems(server.app, [{ name: `Work ${works}`, link: `https://mega.nz/file/second${works}` }])
  const made = await aNotice(server.app, { kind, urls: [(work as MadeItem).slug] })
  return { work: work as MadeItem, made }
}
const { act, read } = deskCalls(
  () => server,
  () => ada,
)
const statusOf = (item: MadeItem): Promise<string> => statusOfItem(server.app, item)
const auditOf = async ({ id }: MadeNotice) =>
  (
    await server.app.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
  ).filter(({ action }) => action.startsWith('notice.'))

const reasons = { ground: 'illegal', legalGround: 'A law', facts: 'It shows a toy.', explanation: 'Nobody is shown.' }
const keep = { outcome: 'keep', ...reasons, version: 1 }

test('a decision to keep waits for a second safety officer, who is told, and then takes effect', async () => {
  const { work, made } = await reported()
  expect(await statusOf(work)).toBe('restricted')
  await drainJobs(server.app)
  const before = (await readEmails(server.app)).length
  const first = await act(`${made.reference}/decision`, keep, olga)
  expect(first.status).toBe(202)
  expect(first.json()).toMatchObject({
    waitsForSecond: true,
    status: 'received',
    version: 1,
    decisions: [],
    clocks: [],
    firstAct: { act: 'keep', of: null, by: 'Olga', isOwn: true, facts: 'It shows a toy.' },
  })
  // Again by the same person: nothing but the answer.
  expect((await act(`${made.reference}/decision`, keep, olga)).status).toBe(202)
  expect(await statusOf(work)).toBe('restricted')
  await drainJobs(server.app)
  const sent = (await readEmails(server.app)).slice(before)
  expect(sent.map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
    `otto@library.example: Notice ${made.reference} waits for a second safety officer`,
  ])
  const seen = await read(made, otto)
  expect(seen).toMatchObject({ waitsForSecond: true, firstAct: { by: 'Olga', isOwn: false } })
  expect(seen.events.at(-1)?.sentence).toBe(
    'Olga wants to keep the entries. A second safety officer has to do the same.',
  )
  const { notices } = (await server.request('/api/notices', { headers: otto.headers })).json() as NoticesForDesk
  expect(notices.find(({ reference }) => reference === made.reference)?.waitsForSecond).toBe(true)
  // Others know nothing of it.
  expect((await act(`${made.reference}/decision`, keep, ada)).status).toBe(404)

  const second = await act(`${made.reference}/decision`, keep, otto)
  expect(second.status).toBe(200)
  expect(second.json()).toMatchObject({
    waitsForSecond: false,
    firstAct: null,
    status: 'decided',
    decisions: [{ outcome: 'keep', decidedBy: 'Otto' }],
  })
  expect(await statusOf(work)).toBe('published')
  const recorded = await auditOf(made)
  expect(recorded.map(({ action }) => action)).toEqual(['notice.second_wanted', 'notice.decided'])
  for (const { details } of recorded) expect(details).toMatchObject({ onlyFor: 'safety officers' })
  expect(await ledgerInvariant.examine?.(server.app.db, sql`(select * from notices where id = ${made.id})`)).toEqual([])
})

test('where there is one safety officer, they decide alone; removing takes one of two', async () => {
  const { work, made } = await reported()
  expect((await act(`${made.reference}/decision`, { ...keep, outcome: 'remove' }, olga)).status).toBe(200)
  expect(await statusOf(work)).toBe('removed')
  // A removal by a person is also reversed by two alone.
  const { version } = await read(made, olga)
  expect((await act(`${made.reference}/decision`, { ...keep, version }, olga)).status).toBe(202)
  expect(await statusOf(work)).toBe('removed')
  await setOfficer(otto, false)
  expect(await read(made, olga)).toMatchObject({ waitsForSecond: false, firstAct: null })
  expect((await act(`${made.reference}/decision`, { ...keep, version }, olga)).status).toBe(200)
  expect(await statusOf(work)).toBe('published')
})

test('one of two cannot take the other out of the way, through no call', async () => {
  const { work, made } = await reported()
  for (const [path, body] of [
    ['/safety-officer', undefined],
    ['/administrator', undefined],
    ['', { email: otto.email }],
    ['/factors', undefined],
  ] as const) {
    const answer = await server.request(`/api/people/${otto.id}${path}`, {
      method: 'DELETE',
      ...(body === undefined
        ? { headers: olga.headers }
        : { body: JSON.stringify(body), headers: { ...olga.headers, 'content-type': 'application/json' } }),
    })
    expect([path, answer.status]).toEqual([path, path === '/factors' ? 409 : 403])
  }
  expect((await act(`${made.reference}/decision`, keep, olga)).status).toBe(202)
  expect(await statusOf(work)).toBe('restricted')
})

test('the desk counts no officer without the factor that the site asks for', async () => {
  const { made } = await reported()
  expect((await act(`${made.reference}/decision`, keep, olga)).status).toBe(202)
  const config = { ...server.app.config, requiresAdminSecondFactor: true }
  const officer: Viewer = { ...anonymous, roles: new Set(['admin', 'safety-officer']) }
  const waits = async (): Promise<boolean | undefined> => {
    const wanted = { state: 'open', search: made.reference, limit: 1 } as const
    return (await listNotices({ ...server.app, config }, officer, wanted)).notices[0]?.waitsForSecond
  }
  const setFactor = async ({ id }: MadeMember, has: boolean): Promise<void> => {
    await server.app.db.updateTable('users').set({ has_second_factor: has }).where('id', '=', id).execute()
  }
  expect(await waits()).toBe(false)
  await setFactor(olga, true)
  // Otto still cannot decide.
  expect(await waits()).toBe(false)
  await setFactor(otto, true)
  expect(await waits()).toBe(true)
  await setFactor(olga, false)
  await setFactor(otto, false)
})

test('an ordinary notice takes one, whoever they are', async () => {
  const { made } = await reported('privacy')
  expect((await act(`${made.reference}/decision`, keep, ada)).status).toBe(200)
})

test('a first decision ends with what changes the notice, and with the mark of who made it', async () => {
  const { work, made } = await reported()
  expect((await act(`${made.reference}/decision`, keep, olga)).status).toBe(202)
  expect((await act(`${made.reference}/review`, { version: 1 }, olga)).json()).toMatchObject({ waitsForSecond: false })
  expect((await act(`${made.reference}/decision`, { ...keep, version: 2 }, otto)).status).toBe(202)
  await setOfficer(ada, true)
  await setOfficer(otto, false)
  expect((await act(`${made.reference}/decision`, { ...keep, version: 2 }, olga)).status).toBe(202)
  expect(await statusOf(work)).toBe('restricted')
  await setOfficer(ada, false)
})

test('another kind, and an address that leads to an entry, take two as well', async () => {
  const { work, made } = await reported()
  const other = { kind: 'other', version: 1 }
  expect((await act(`${made.reference}/kind`, other, olga)).status).toBe(202)
  // Another act is another question.
  expect((await act(`${made.reference}/kind`, { ...other, kind: 'privacy' }, otto)).status).toBe(202)
  expect((await act(`${made.reference}/decision`, keep, otto)).status).toBe(202)
  expect((await act(`${made.reference}/kind`, other, otto)).json()).toMatchObject({ kind: 'other', version: 2 })
  expect(await statusOf(work)).toBe('restricted')

  const next = await reported()
  const [address] = (await read(next.made, olga)).addresses
  const removed = { remove: address?.id, version: 1 }
  expect((await act(`${next.made.reference}/entries`, removed, olga)).json()).toMatchObject({
    waitsForSecond: true,
    firstAct: { act: 'address', of: address?.url },
  })
  expect(await statusOf(next.work)).toBe('restricted')
  expect((await act(`${next.made.reference}/entries`, removed, otto)).json()).toMatchObject({
    addresses: [],
    version: 2,
  })
  expect(await statusOf(next.work)).toBe('published')
})

test('is decided on its own, and not with many at once', async () => {
  const [one, two] = [await reported(), await reported('privacy')]
  const notices = [one, two].map(({ made: { reference } }) => ({ reference, version: 1 }))
  for (const outcome of ['keep', 'remove']) {
    const answer = (await act('decisions', { notices, outcome, ...reasons }, olga)).json() as DecidedNotices
    expect(answer.results[0]).toMatchObject({
      reference: one.made.reference,
      result: 'refused',
      reason: 'A notice about a child at risk is decided on its own.',
    })
  }
  expect(await statusOf(one.work)).toBe('restricted')
  expect(await read(one.made, olga)).toMatchObject({ decisions: [], waitsForSecond: false, version: 1 })
  expect((await read(two.made, olga)).decisions.map(({ outcome }) => outcome)).toEqual(['keep'])
})

test('an appeal that gives back takes two, of whom one may have removed it', async () => {
  const { work, made } = await reported()
  await act(`${made.reference}/decision`, { ...keep, outcome: 'remove' }, olga)
  await server.app.db
    .transaction()
    .execute((trx) => fileAppeal(server.app, trx, { noticeId: made.id, statement: 'It is a toy.' }))
  const { version } = await read(made, olga)
  const overturn = { outcome: 'overturn', ...reasons, version }
  expect((await act(`${made.reference}/appeal`, overturn, olga)).status).toBe(403)
  expect((await act(`${made.reference}/appeal`, overturn, otto)).status).toBe(202)
  expect(await statusOf(work)).toBe('removed')
  expect((await read(made, olga)).appeal?.mayAnswer).toBe(true)
  expect((await act(`${made.reference}/appeal`, overturn, olga)).status).toBe(200)
  expect(await statusOf(work)).toBe('published')
})
