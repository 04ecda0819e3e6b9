import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AdminHome } from '../../src/features/site/home/admin-home-schema.ts'
import type {
  NoticeForDesk,
  NoticesForDesk,
  UnattachedCounterNotices,
} from '../../src/features/notices/desk/desk-schema.ts'
import { noticeInvariants } from '../../src/features/notices/desk/notice-invariants.server.ts'
import { withAddresses } from '../../src/features/notices/desk/stood-at.ts'
import { workOnClocks } from '../../src/features/notices/desk/work-on-clocks.server.ts'
import { forgetSenders } from '../../src/features/notices/notice/forget-senders.server.ts'
import { aCounterNoticeTo, deleteAllNotices } from '../harness/counter-notices.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { deleteAllItems, type MadeItem, someItems } from '../harness/items.ts'
import { ageProof, aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import { ageNotice, aNotice, type MadeNotice } from '../harness/notices.ts'
import { writePastRules } from '../harness/past-rules.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/** Counter-notices without a notice (docs/spec/notices.md#unattached). */

const list = '/api/notices/counter-notices'
const unanswerable = {
  code: 'notice.invalid',
  field: 'reference',
  message: 'No decided copyright notice that keeps something off the site has this reference.',
}

let server: TestServer
let ada: MadeMember
let headers: { authorization: string }
beforeAll(async () => {
  server = await openTestServer({ now: new Date().toISOString(), env: { CONTACT_EMAIL: 'desk@library.example' } })
  ada = await aMember(server.app, { name: 'Ada Admin', email: 'ada@library.example', isAdmin: true })
  headers = bearer(await signIn(server, ada))
})
afterAll(() => server.close())
afterEach(async () => {
  await drainJobs(server.app)
  await deleteAllNotices(server.app)
  await deleteAllItems(server.app)
})

const read = async ({ reference }: MadeNotice): Promise<NoticeForDesk> =>
  (await server.request(`/api/notices/${reference}`, { headers })).json() as NoticeForDesk
const waiting = async (query = ''): Promise<UnattachedCounterNotices> => {
  const answer = await server.request(`${list}${query}`, { headers })
  expect(answer.status).toBe(200)
  return answer.json() as UnattachedCounterNotices
}
const attach = (id: string, reference: string) => post(server, `${list}/${id}/attach`, { reference }, headers)
const refuse = (id: string, reasons = 'You did not publish it.') =>
  post(server, `${list}/${id}/refuse`, { reasons }, headers)
const age = (id: string, interval: string) =>
  writePastRules(
    server.app,
    `update counter_notices set received_at = received_at - interval '${interval}' where id = '${id}'`,
  )

/** One that waits without a notice, about these entries. */
async function lost(items: readonly MadeItem[] = [], reference = 'N-0000-0000'): Promise<string> {
  const { noticeId, counterNoticeId } = await aCounterNoticeTo(server.app, reference, { slugs: [] })
  expect(noticeId).toBeNull()
  const text = withAddresses(
    'The author died in 1900.',
    items.map(({ slug }) => `/western/${slug}`),
  )
  await server.app.db
    .updateTable('counter_notices')
    .set({ explanation: text })
    .where('id', '=', counterNoticeId)
    .execute()
  return counterNoticeId
}

let works = 0
async function aWork(): Promise<MadeItem> {
  works += 1
  const [item] = await someItems(server.app, [
    { name: `Lost work ${works}`, link: `https://mega.nz/file/lost${works}` },
  ])
  return item as MadeItem
}

/** A copyright notice by which an entry was removed. */
async function removed(): Promise<{ made: MadeNotice; item: MadeItem }> {
  const item = await aWork()
  const made = await aNotice(server.app, { urls: [item.slug], email: 'claimant@authors.example' })
  await decide(made, 'remove')
  return { made, item }
}

async function decide(made: MadeNotice, outcome: string): Promise<void> {
  const reasons = { ground: 'illegal', legalGround: '17 U.S.C. 106', facts: 'The same text.', explanation: 'A copy.' }
  const { version } = await read(made)
  const answer = await post(
    server,
    `/api/notices/${made.reference}/decision`,
    { outcome, ...reasons, version },
    headers,
  )
  expect(answer.status, answer.text).toBe(200)
}

async function expectInvariants(): Promise<void> {
  for (const { name, over, findBroken, examine } of noticeInvariants) {
    const { rows } = await findBroken(over.table).execute(server.app.db)
    expect([name, rows]).toEqual([name, []])
    if (examine !== undefined) expect([name, await examine(server.app.db, over.table)]).toEqual([name, []])
  }
}

describe('a counter-notice without a notice', () => {
  test('is read with all that was typed, counted at the desk and at the home, and paged the oldest first', async () => {
    const item = await aWork()
    const first = await lost([item], 'n-0000-0000, I think')
    const second = await lost()
    const { counterNotices, next } = await waiting('?limit=1')
    expect(counterNotices).toEqual([
      {
        id: first,
        reference: 'n-0000-0000, I think',
        name: 'Otto Operator',
        address: '2 Library Lane',
        phone: '+1 555 0199',
        email: 'otto@library.example',
        explanation: 'The author died in 1900.',
        addresses: [`/western/${item.slug}`],
        signature: 'Otto Operator',
        receivedAt: expect.stringMatching(/Z$/),
        isAnswered: true,
        forgottenAt: null,
      },
    ])
    expect(next).toBe(first)
    const rest = await waiting(`?after=${next}`)
    expect([rest.counterNotices.map(({ id }) => id), rest.next]).toEqual([[second], null])
    expect((await server.request(`${list}?after=nonsense`, { headers })).status).toBe(400)
    const queue = (await server.request('/api/notices', { headers })).json() as NoticesForDesk
    expect(queue.counts).toMatchObject({ open: 0, counterNotices: 0, unattached: 2 })
    const home = (await server.request('/api/admin/home', { headers })).json() as AdminHome
    expect(home.waiting).toContainEqual({
      sentence: '2 counter-notices without a notice',
      count: 2,
      to: '/admin/notices/counter-notices',
    })
  })

  test('is for administrators, and asks for a proof of the last hour to be changed', async () => {
    const id = await lost()
    const member = bearer(await signIn(server, await aMember(server.app, { email: 'jane@readers.example' })))
    const old = await aMember(server.app, { name: 'Olga Old', email: 'olga@library.example', isAdmin: true })
    const stale = bearer(await signIn(server, old))
    await ageProof(server.app, old, 61)
    for (const [path, body] of [
      [`${list}/${id}/attach`, { reference: 'N-0000-0000' }],
      [`${list}/${id}/refuse`, { reasons: 'No.' }],
    ] as const) {
      expect((await post(server, path, body)).status).toBe(401)
      expect((await post(server, path, body, member)).status).toBe(403)
      expect((await post(server, path, body, stale)).json()).toMatchObject({ code: 'proof.needed' })
    }
    expect((await server.request(list)).status).toBe(401)
    expect((await server.request(list, { headers: member })).status).toBe(403)
    expect((await waiting()).counterNotices).toHaveLength(1)
  })

  test('is no other one: unknown ids are not there, and those of a notice are left alone', async () => {
    const { made, item } = await removed()
    const { counterNoticeId } = await aCounterNoticeTo(server.app, made.reference, { slugs: [item.slug] })
    for (const id of ['nonsense', '0190b5a0-0000-7000-8000-000000000000']) {
      for (const answer of [await attach(id, made.reference), await refuse(id)])
        expect([answer.status, answer.json()]).toMatchObject([404, { code: 'notice.counter_notice_not_found' }])
    }
    const { version } = await read(made)
    for (const answer of [await attach(counterNoticeId, made.reference), await refuse(counterNoticeId)])
      expect([answer.status, answer.json()]).toMatchObject([409, { code: 'notice.counter_notice_settled' }])
    expect(await read(made)).toMatchObject({ version, counterNotices: [{ state: 'received' }] })
  })
})

describe('attached', () => {
  test('it is as if it had come with that notice, and its times count from its receipt', async () => {
    const { made, item } = await removed()
    const id = await lost([item])
    await age(id, '40 days')
    await ageNotice(server.app, made, '60 days')
    const answer = await attach(id, ` ${made.reference.toLowerCase()} `)
    expect([answer.status, answer.json()]).toEqual([200, { reference: made.reference }])
    expect((await waiting()).counterNotices).toEqual([])
    await expectInvariants()

    const { counterNotices, clocks, events } = await read(made)
    expect(counterNotices).toMatchObject([{ id, state: 'received', entries: [{ id: item.id }] }])
    const [{ receivedAt }] = counterNotices as [NoticeForDesk['counterNotices'][number]]
    expect(Date.now() - Date.parse(receivedAt)).toBeGreaterThan(39 * 86_400_000)
    // The deadline of an answer is over before anybody could give one, and the record says so.
    expect(clocks).toMatchObject([{ name: 'forward', isOverdue: true }])
    expect(Date.parse(clocks[0]?.dueAt ?? '')).toBeLessThan(Date.now() - 30 * 86_400_000)
    expect(events.slice(-2).map(({ sentence }) => sentence)).toEqual([
      'Ada Admin attached a counter-notice that had come in before.',
      'The deadline for an answer to the counter-notice passed.',
    ])
    await workOnClocks(server.app)
    expect((await read(made)).events).toHaveLength(events.length)
    const { details } = await server.app.db
      .selectFrom('audit_events')
      .select('details')
      .where('action', '=', 'notice.counter_attached')
      .executeTakeFirstOrThrow()
    expect(details).toMatchObject({ reference: made.reference, counterNoticeId: id })

    // It goes on as every other one: accepted, its entry comes back.
    const { version } = await read(made)
    const path = `/api/notices/${made.reference}/counter-notices/${id}/accept`
    expect((await post(server, path, { version }, headers)).status).toBe(200)
    await ageNotice(server.app, made, '6 days')
    await workOnClocks(server.app)
    expect(await read(made)).toMatchObject({ counterNotices: [{ state: 'restored' }] })
    await expectInvariants()
  })

  test('in time it is not overdue, and one that names no entry can only be refused', async () => {
    const { made } = await removed()
    const id = await lost()
    expect((await attach(id, made.reference)).status).toBe(200)
    const { counterNotices, clocks, events } = await read(made)
    expect(counterNotices).toMatchObject([{ id, state: 'unmatched' }])
    expect(clocks).toMatchObject([{ name: 'forward', isOverdue: false }])
    expect(events.at(-1)?.sentence).toContain('It names no entry')
    await expectInvariants()
  })

  test('it is one more than wait at a notice by themselves', async () => {
    const { made, item } = await removed()
    for (let no = 0; no < 20; no += 1)
      await aCounterNoticeTo(server.app, made.reference, { slugs: [item.slug], email: `otto${no}@library.example` })
    const { noticeId, counterNoticeId: id } = await aCounterNoticeTo(server.app, made.reference, { slugs: [item.slug] })
    expect(noticeId).toBeNull()
    expect((await attach(id, made.reference)).status).toBe(200)
    expect((await read(made)).counterNotices).toHaveLength(21)
    await expectInvariants()
  })

  test('it is to no notice that it cannot answer, and the answer does not tell why', async () => {
    const { made } = await removed()
    await decide(made, 'keep')
    const child = await aNotice(server.app, { kind: 'child-safety', urls: [(await aWork()).slug] })
    const privacy = await aNotice(server.app, { kind: 'privacy', urls: [(await aWork()).slug] })
    await decide(privacy, 'remove')
    const open = await aNotice(server.app)
    const id = await lost()
    for (const reference of ['N-0000-0000', 'nonsense', ...[child, privacy, open, made].map((one) => one.reference)]) {
      const answer = await attach(id, reference)
      expect([reference, answer.status, answer.json()]).toMatchObject([reference, 422, unanswerable])
    }
    expect((await attach(id, '')).status).toBe(422)
    expect((await waiting()).counterNotices).toHaveLength(1)
  })

  test('it is once, however often it is clicked', async () => {
    const { made, item } = await removed()
    const id = await lost([item])
    const answers = await Promise.all([attach(id, made.reference), attach(id, made.reference), refuse(id)])
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status >= 300))
      expect([answer.status, answer.json()]).toMatchObject([409, { code: 'notice.counter_notice_settled' }])
    await expectInvariants()
  })

  test('it is whole: what was forgotten after the years can only be refused', async () => {
    const { made, item } = await removed()
    const id = await lost([item])
    await age(id, '1200 days')
    await forgetSenders(server.app)
    expect((await waiting()).counterNotices).toMatchObject([{ address: '(no longer kept)', name: 'Otto Operator' }])
    expect((await attach(id, made.reference)).json()).toMatchObject({ code: 'notice.counter_notice_settled' })
    expect((await refuse(id)).status).toBe(204)
  })
})

describe('refused', () => {
  test('its sender reads why, and nothing else happens to it', async () => {
    const { made } = await removed()
    const id = await lost([], made.reference.replace(/.$/, 'U'))
    expect((await refuse(id, ' ')).json()).toMatchObject({ code: 'notice.invalid', field: 'reasons' })
    expect((await refuse(id, 'You did not publish it.\nWrite to us.')).status).toBe(204)
    expect((await waiting()).counterNotices).toEqual([])
    for (const answer of [await refuse(id), await attach(id, made.reference)])
      expect([answer.status, answer.json()]).toMatchObject([409, { code: 'notice.counter_notice_settled' }])
    await drainJobs(server.app)
    const email = (await readEmails(server.app)).findLast(({ to }) => to === 'otto@library.example')
    expect(email?.subject).toBe('Your counter-notice was refused')
    expect(email?.text).toContain('You did not publish it.')
    const row = await server.app.db.selectFrom('counter_notices').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ state: 'refused', notice_id: null, refusal: 'You did not publish it.\nWrite to us.' })
    const audited = await server.app.db
      .selectFrom('audit_events')
      .select(['subject', 'subject_id'])
      .where('action', '=', 'notice.counter_refused')
      .execute()
    expect(audited).toContainEqual({ subject: 'counter_notice', subject_id: id })
    await expectInvariants()
  })
})
