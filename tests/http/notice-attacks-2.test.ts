import { beforeAll, describe, expect, test } from 'vitest'
import { digestOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import { readTrackedNotice } from '../../src/features/notices/intake/read-tracked-notice.server.ts'
import { trackingPath, trackingTokenOf } from '../../src/features/notices/intake/tracking-token.server.ts'
import { forgetSenders } from '../../src/features/notices/notice/forget-senders.server.ts'
import type { NoticeKind } from '../../src/features/notices/notice/notice-kinds.ts'
import { readReport } from '../../src/features/notices/transparency/read-report.server.ts'
import { deskCalls, emailsOf } from '../harness/desk.ts'
import { drainJobs } from '../harness/drain.ts'
import type { ReadEmail } from '../harness/emails.ts'
import { type ItemOverrides, type MadeItem, someItems } from '../harness/items.ts'
import { anAdministrator, aMember, bearer, type SignedIn, signIn } from '../harness/members.ts'
import { leaveNoNotice, ageNotice, aNotice, type MadeNotice, type NoticeOverrides } from '../harness/notices.ts'
import { writePastRules } from '../harness/past-rules.ts'
import { fromHtml } from '../harness/rendered.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { fileCounterNoticeTo } from '../harness/counter-notices.ts'

/* Secrets that senders, administrators and strangers must not learn from a notice, and losses that it must not
   cause. */

/** The first administrator is the safety officer. */
let officer: SignedIn
let ada: SignedIn

const server = serverOfFile({
  now: new Date().toISOString(),
  env: { CONTACT_EMAIL: 'desk@library.example', TRUSTED_PROXIES: '127.0.0.1/32' },
})

beforeAll(async () => {
  officer = await anAdministrator(server, 'Olga Officer')
  ada = await anAdministrator(server, 'Ada Admin')
})
leaveNoNotice(server)

let works = 0
async function aWork(overrides: ItemOverrides = {}): Promise<MadeItem> {
  works += 1
  const [item] = await someItems(server.app, [
    { name: `Work ${works}`, link: `https://mega.nz/file/attack${works}`, ...overrides },
  ])
  return item as MadeItem
}
const notice = (overrides: NoticeOverrides = {}): Promise<MadeNotice> => aNotice(server.app, overrides)
const { get, act, read } = deskCalls(
  () => server,
  () => ada,
)
/** The private page of a notice, whose token the harness has made up. */
async function tracked({ id }: MadeNotice) {
  const token = await trackingTokenOf(server.app.db, id)
  await server.app.db
    .updateTable('notices')
    .set({ token_digest: digestOf(token) })
    .where('id', '=', id)
    .execute()
  return readTrackedNotice(server.app, token)
}
const mailedBy = (work: () => Promise<unknown>): Promise<ReadEmail[]> => emailsOf(server, work)
const reasons = {
  ground: 'illegal',
  legalGround: '17 U.S.C. 106',
  facts: 'The text is that of the novel.',
  explanation: 'It is a copy without a licence.',
}
const removal = { outcome: 'remove', ...reasons }
const words = ({ text }: TestResponse): string => fromHtml(text).text

describe('a receipt', () => {
  const report = (fields: Record<string, string>) =>
    server.request('/report/other', {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.7' },
    })
  const whole = { itemUrls: '/western/a', explanation: 'A court has forbidden it.', goodFaith: 'on', sending: 'once' }

  test('is a page of its own, to which the form leads: a reload sends nothing, and a second sending leads to it too', async () => {
    const answer = await report({ ...whole, email: 'jane@readers.example' })
    const path = answer.headers['location'] ?? ''
    expect([answer.status, path]).toEqual([303, expect.stringMatching(/^\/report\/receipt\/[\w-]{43}$/)])
    for (let no = 0; no < 2; no += 1) {
      const receipt = await server.request(path)
      expect([receipt.status, receipt.headers['cache-control']]).toEqual([200, 'no-store'])
      expect(receipt.text).toContain('name="robots" content="noindex"')
      expect(receipt.text).toContain('name="referrer" content="same-origin"')
      expect(words(receipt)).toMatch(/N-[0-9A-Z]{4}-[0-9A-Z]{4}/)
      expect(words(receipt)).toContain('We are sending the reference and this address to jane@readers.example')
    }
    const again = await report({ ...whole, email: 'jane@readers.example' })
    expect([again.status, again.headers['location']]).toEqual([303, path])
    const { count } = await server.app.db
      .selectFrom('notices')
      .select((of) => of.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(1)
  })

  test('is over after an hour: then the private page answers, and for another token nothing', async () => {
    const path = (await report({ ...whole, sending: 'late' })).headers['location'] ?? ''
    const { id } = await server.app.db.selectFrom('notices').select('id').executeTakeFirstOrThrow()
    await ageNotice(server.app, { id }, '61 minutes')
    const late = await server.request(path)
    expect([late.status, late.headers['location']]).toEqual([303, path.replace('receipt', 'track')])
    for (const token of ['x', 'a'.repeat(43)]) {
      const other = await server.request(`/report/receipt/${token}`)
      expect([other.status, other.headers['location']]).toEqual([303, `/report/track/${token}`])
      expect((await server.request(`/report/track/${token}`)).status).toBe(404)
    }
  })
})

test('public figures do not move when a notice is handled as another kind', async () => {
  const figures = async () => {
    const { kinds, together } = await readReport(server.app)
    const received = (wanted: NoticeKind) => kinds.find(({ kind }) => kind === wanted)?.all.received
    return [received('other'), received('child-safety'), together.all.received, together.all.open]
  }
  const made = await notice({ kind: 'other' })
  for (let no = 0; no < 4; no += 1) await notice({ kind: 'child-safety' })
  const before = await figures()
  expect(before).toEqual([1, 'fewer than 5', 1, 1])
  await act(`${made.reference}/kind`, { kind: 'child-safety', version: 1 })
  expect((await read(made, officer)).kind).toBe('child-safety')
  expect(await figures()).toEqual(before)
})

describe('senders of notices that repeat another one', () => {
  test('get the statement of its decision, about what they have named, under their own reference', async () => {
    const [one, other] = [await aWork(), await aWork()]
    const made = await notice({ urls: [one.slug, other.slug], email: 'first@authors.example' })
    const second = await notice({ urls: [one.slug], email: 'second@authors.example' })
    const silent = await notice({ urls: [one.slug], email: null })
    await act(`${second.reference}/duplicate`, { of: made.reference, version: 1 })
    await act(`${silent.reference}/duplicate`, { of: made.reference, version: 1 })
    const { version } = await read(made)
    const preview = (await act(`${made.reference}/decision/preview`, { ...removal, version })).json() as {
      emails: { to: string }[]
    }
    expect(preview.emails.map(({ to }) => to)).toContain('second@authors.example')
    const mails = await mailedBy(() => act(`${made.reference}/decision`, { ...removal, version }))
    const mail = mails.find(({ to }) => to === 'second@authors.example')
    expect(mail?.subject).toBe(`Decision on notice ${second.reference}`)
    expect(mail?.text).toContain('We removed what was reported.')
    expect(mail?.text).toContain(`'${one.name}'`)
    for (const secret of [other.name, made.reference, 'first@authors.example']) expect(mail?.text).not.toContain(secret)
    const page = await tracked(second)
    expect(page).toMatchObject({ status: 'duplicate', mayAppeal: false, decision: { outcome: 'remove', found: 'all' } })
    // A new decision is told to them as well.
    const again = await mailedBy(async () =>
      act(`${made.reference}/decision`, { ...removal, outcome: 'keep', version: (await read(made)).version }),
    )
    expect(again.find(({ to }) => to === 'second@authors.example')?.subject).toBe(
      `New decision on notice ${second.reference}`,
    )
  })

  test('of one that is decided already hear at once what was decided', async () => {
    const work = await aWork()
    const made = await notice({ urls: [work.slug] })
    await act(`${made.reference}/decision`, { ...removal, version: 1 })
    const late = await notice({ urls: [work.slug], email: 'late@authors.example' })
    const mails = await mailedBy(() => act(`${late.reference}/duplicate`, { of: made.reference, version: 1 }))
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['late@authors.example', `Decision on notice ${late.reference}`],
    ])
  })

  test('of which one is for the safety officers are in no preview of anybody else', async () => {
    const work = await aWork()
    const made = await notice({ kind: 'child-safety', urls: [work.slug] })
    const second = await notice({ kind: 'child-safety', urls: [work.slug], email: 'second@authors.example' })
    await act(`${second.reference}/duplicate`, { of: made.reference, version: 1 }, officer)
    const { version } = await read(made, officer)
    await act(`${made.reference}/kind`, { kind: 'other', version }, officer)
    const body = { ...removal, version: version + 1 }
    for (const [by, isShown] of [
      [ada, false],
      [officer, true],
    ] as const) {
      const preview = await act(`${made.reference}/decision/preview`, body, by)
      expect([preview.status, preview.text.includes('second@authors.example')]).toEqual([200, isShown])
    }
  })

  test('the sender of the original reads why it cannot be withdrawn', async () => {
    const work = await aWork()
    const made = await notice({ urls: [work.slug] })
    expect(await tracked(made)).toMatchObject({ mayWithdraw: true, whyItStays: undefined })
    const second = await notice({ urls: [work.slug] })
    await act(`${second.reference}/duplicate`, { of: made.reference, version: 1 })
    expect(await tracked(made)).toMatchObject({ mayWithdraw: false, whyItStays: 'repeated' })
    const page = await server.request(trackingPath(await trackingTokenOf(server.app.db, made.id)))
    expect(words(page)).toContain('cannot be withdrawn: others have reported the same')
  })
})

test('a change of kind is told to the sender, by email and on the private page, with what it means', async () => {
  const made = await notice({ kind: 'other', email: 'jane@readers.example' })
  const mails = await mailedBy(() => act(`${made.reference}/kind`, { kind: 'privacy', version: 1 }))
  const mail = mails.find(({ to }) => to === 'jane@readers.example')
  expect(mail?.subject).toBe(`Your notice ${made.reference} is handled differently`)
  const sentence = "You sent it as 'Something else illegal'. We handle it as 'Personal data'"
  expect(mail?.text).toContain(sentence)
  expect(mail?.text).toContain('We decide within 7 days.')
  expect(await tracked(made)).toMatchObject({ kind: 'privacy', sentAs: 'other' })
  const page = await server.request(trackingPath(await trackingTokenOf(server.app.db, made.id)))
  expect(words(page)).toContain(sentence)
  // Two changes at once: the last one is told.
  const twice = await mailedBy(async () => {
    await act(`${made.reference}/kind`, { kind: 'consent', version: 2 })
    await act(`${made.reference}/kind`, { kind: 'other', version: 3 })
  })
  expect(twice.filter(({ to }) => to === 'jane@readers.example')).toHaveLength(1)
  expect(twice.at(-1)?.text).toContain("We handle it as 'Something else illegal' again, as you sent it")
})

describe('whoever has lost a role', () => {
  test('sees no notice any more, in the session that is open, and gets no email that waits', async () => {
    const child = await notice({ kind: 'child-safety' })
    const image = await notice({ kind: 'intimate-image' })
    await drainJobs(server.app)
    const email = 'eve@library.example'
    const made = await aMember(server.app, { name: 'Eve Ever', email, isAdmin: true })
    const eve: SignedIn = { ...made, headers: bearer(await signIn(server, made)) }
    const set = (what: string) => writePastRules(server.app, `update users set ${what} where id = '${eve.id}'`)
    await set('is_safety_officer = true')
    const statuses = async () =>
      [await get(`/api/notices/${child.reference}`, eve), await get(`/api/notices/${image.reference}`, eve)].map(
        ({ status }) => status,
      )
    expect(await statuses()).toEqual([200, 200])
    const mails = await mailedBy(async () => {
      await notice({ kind: 'child-safety' })
      await set('is_safety_officer = false')
      expect(await statuses()).toEqual([404, 200])
      await notice({ kind: 'intimate-image' })
      await act(`${image.reference}/decision`, { ...removal, outcome: 'keep', version: 1 })
      server.app.alarms.raise({ name: 'notices.test', headline: 'Test', sentence: 'A test.', advice: 'None.' })
      await server.app.alarms.settle()
      await set('is_admin = false')
      expect(await statuses()).toEqual([403, 403])
    })
    expect(mails.length).toBeGreaterThan(3)
    expect(mails.filter(({ to }) => to === email)).toEqual([])
  })
})

describe('what only the handling of a notice needed', () => {
  const fileCounter = (reference: string, slug?: string) =>
    fileCounterNoticeTo(server.app, reference, { slugs: slug === undefined ? [] : [slug], isAnswered: false })
  const ofNotice = ({ id }: MadeNotice) =>
    server.app.db
      .selectFrom('notices')
      .select(['name', 'email', 'explanation', 'address', 'phone', 'signature', 'network'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('is forgotten NOTICE_DAYS after all that followed it, and the rest stays', async () => {
    const work = await aWork()
    const [closed, waits, fresh] = [
      await notice({ urls: [work.slug], from: '203.0.113.9' }),
      await notice(),
      await notice(),
    ]
    for (const { reference } of [closed, fresh])
      await act(`${reference}/decision`, { ...removal, outcome: 'keep', version: 1 })
    await act(`${closed.reference}/decision`, { ...removal, version: 2 })
    await fileCounter(closed.reference, work.slug)
    const days = server.app.config.noticeDays
    expect(days).toBe(1_095)
    for (const one of [closed, waits]) await ageNotice(server.app, one, `${days} days`)
    await forgetSenders(server.app)
    // Its counter-notice waits.
    expect((await ofNotice(closed)).address).toBe('1 Reading Row')
    const [{ id } = { id: '' }] = (await read(closed)).counterNotices
    await act(`${closed.reference}/counter-notices/${id}/refuse`, {
      reasons: 'No.',
      version: (await read(closed)).version,
    })
    await forgetSenders(server.app)
    expect((await ofNotice(closed)).address).toBe('1 Reading Row')
    await writePastRules(
      server.app,
      `update counter_notices set refused_at = refused_at - interval '${days} days', received_at = received_at - interval '${days} days'`,
    )
    await forgetSenders(server.app)
    expect(await ofNotice(closed)).toEqual({
      name: 'Ada Author',
      email: 'ada@authors.example',
      explanation: 'An image of me.',
      address: null,
      phone: null,
      signature: null,
      network: null,
    })
    for (const one of [waits, fresh]) expect((await ofNotice(one)).address).toBe('1 Reading Row')
    const kept = await server.app.db.selectFrom('counter_notices').select(['address', 'phone', 'signature']).execute()
    expect(kept).toEqual([{ address: '', phone: '', signature: '' }])
    const shown = await read(closed)
    expect(shown.forgottenAt).not.toBeNull()
    expect(shown.elements.every(({ isGiven }) => isGiven)).toBe(true)
    expect(shown.counterNotices).toMatchObject([{ name: 'Otto Operator', phone: '(no longer kept)' }])
  })
})
