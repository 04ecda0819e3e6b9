import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { readEmails } from '../../../../tests/harness/emails.ts'
import { deleteAllItems, type MadeItem, someItems } from '../../../../tests/harness/items.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { ageNotice, aNotice, type MadeNotice, noticeToken } from '../../../../tests/harness/notices.ts'
import { writePastRules } from '../../../../tests/harness/past-rules.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import type { App } from '../../../app/app.ts'
import { openLog } from '../../../platform/log.ts'
import { addMoreAddresses, withdrawNotice } from '../intake/follow-up.server.ts'
import { readTrackedNotice } from '../intake/read-tracked-notice.server.ts'
import type { NoticeKind } from '../notice/notice-kinds.ts'
import { stateOf } from '../notice/record-event.server.ts'
import { type NoticeEventInput, replay } from '../notice/transition.ts'
import { decideNotice } from './decide-notice.server.ts'
import { listNotices } from './list-notices.server.ts'
import { markDuplicate } from './mark-duplicate.server.ts'
import { noticeInvariants } from './notice-invariants.server.ts'
import { reviewNotice } from './work-on-notice.server.ts'
import { workOnClocks } from './work-on-clocks.server.ts'

let opened: TestApp
let app: App
let ada: { id: string; email: string }

beforeAll(async () => {
  opened = await openTestApp({ now: new Date().toISOString(), log: openLog('silent') })
  ;({ app } = opened)
  ada = await aMember(app, { email: 'ada@library.example', isAdmin: true })
})
afterAll(() => opened.close())
afterEach(async () => {
  await drainJobs(app)
  const tables = ['notice_appeals', 'notice_decision_items', 'notice_decisions', 'notice_clocks', 'notice_hides']
  await writePastRules(
    app,
    ...[...tables, 'notice_events', 'notice_items', 'notices'].map((table) => `delete from ${table}`),
  )
  await deleteAllItems(app)
})

let made = 0
const works = async (count: number): Promise<MadeItem[]> => {
  made += count
  const numbers = Array.from({ length: count }, (_, no) => made - no)
  return someItems(
    app,
    numbers.map((no) => ({ name: `Image ${no}`, link: `https://mega.nz/file/image${no}` })),
  )
}
const image = (items: readonly MadeItem[], overrides = {}): Promise<MadeNotice> =>
  aNotice(app, { kind: 'intimate-image', urls: items.map(({ slug }) => slug), ...overrides })
const statusOf = async ({ id }: { id: string }): Promise<string> =>
  (await app.db.selectFrom('items').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
const noticeOf = ({ id }: { id: string }) =>
  app.db.selectFrom('notices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const add = async (notice: MadeNotice, ...items: readonly MadeItem[]): Promise<void> =>
  addMoreAddresses(app, {
    token: await noticeToken(app, notice),
    typed: { itemUrls: items.map(({ slug }) => `/western/${slug}`).join('\n') },
    address: `203.0.113.${(made % 200) + 1}`,
  })
const emailsTo = async (email: string) => {
  await drainJobs(app)
  return (await readEmails(app)).filter(({ to }) => to === email)
}
const viewer = () => ({
  member: {
    id: ada.id,
    email: ada.email,
    sessionId: '',
    token: '',
    provedAt: 0,
    isAdmin: true,
    isVipDisabled: false,
  },
  roles: new Set(['admin', 'safety-officer'] as const),
  profile: {},
})
const which = async (notice: { id: string; reference: string }) => ({
  reference: notice.reference,
  version: (await noticeOf(notice)).version,
})

/** Every notice is what its ledger says, and no rule about notices is broken. */
async function expectSound(): Promise<void> {
  for (const row of await app.db.selectFrom('notices').selectAll().execute()) {
    const events = await app.db
      .selectFrom('notice_events')
      .select(['type', 'details'])
      .where('notice_id', '=', row.id)
      .orderBy('no')
      .execute()
    const { state, version } = replay(events.map(({ type, details }) => ({ type, ...details }) as NoticeEventInput))
    expect(stateOf(row, {})).toEqual(state)
    expect(row.version).toBe(version)
  }
  for (const { name, over, findBroken } of noticeInvariants) {
    const { rows } = await sql<{ id: string }>`${findBroken(over.table)}`.execute(app.db)
    expect(rows, name).toEqual([])
  }
}

describe('a notice that is joined', () => {
  test('brings the earlier deadline with it, and shows its addresses to no other sender', async () => {
    const [own, others] = (await works(2)) as [MadeItem, MadeItem]
    const duplicate = await image([others], { email: 'bea@authors.example' })
    await ageNotice(app, duplicate, '20 hours')
    const notice = await image([own])
    await ageNotice(app, notice, '10 hours')
    await markDuplicate(app, viewer(), { ...(await which(duplicate)), of: notice.reference })
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from due_at - now()) / 3600 as hours from notices where id = ${notice.id}`.execute(app.db)
    expect(Number(rows[0]?.hours)).toBeCloseTo(4, 1)
    await ageNotice(app, notice, '10 days')
    await workOnClocks(app)
    expect([await statusOf(own), await statusOf(others)]).toEqual(['restricted', 'restricted'])
    // Each sender sees their own addresses alone, and cannot withdraw those that others repeat.
    const page = await readTrackedNotice(app, await noticeToken(app, notice))
    expect([page.addresses, page.mayWithdraw]).toEqual([[expect.stringContaining(own.slug)], false])
    await expect(
      withdrawNotice(app, { token: await noticeToken(app, notice), address: '203.0.113.9', isSure: true }),
    ).rejects.toMatchObject({ code: 'notice.transition' })
    await decideNotice(app, viewer(), {
      ...(await which(notice)),
      decision: { outcome: 'remove', ground: 'illegal', legalGround: 'A law', facts: 'So it is.', explanation: 'So.' },
    })
    expect([await statusOf(own), await statusOf(others)]).toEqual(['removed', 'removed'])
    await expectSound()
  })
})

test('what is added to an intimate image is hidden with it, and stays hidden until a person decides', async () => {
  const [first, late] = (await works(2)) as [MadeItem, MadeItem]
  const notice = await image([first])
  await ageNotice(app, notice, '2639 minutes')
  await add(notice, late)
  await ageNotice(app, notice, '3 days')
  await workOnClocks(app)
  for (const item of [first, late]) expect(await statusOf(item)).toBe('restricted')
  expect(await app.db.selectFrom('notices').select('id').execute()).toHaveLength(1)
  expect(await noticeOf(notice)).toMatchObject({ status: 'received', outcome: null })
  await expectSound()
})

describe('addresses that a sender adds', () => {
  const subjects = async (): Promise<string[]> => (await emailsTo(ada.email)).map(({ subject }) => subject)
  const listed = async ({ reference }: MadeNotice) =>
    (await listNotices(app, viewer(), { state: 'open', search: reference, limit: 10 })).notices[0]

  test.each<NoticeKind>(['intimate-image', 'child-safety'])(
    'to a notice of kind %s are told to the desk, and stand in the queue until somebody works on it',
    async (kind) => {
      const [first, late] = (await works(2)) as [MadeItem, MadeItem]
      const notice = await aNotice(app, { kind, urls: [first.slug] })
      expect((await listed(notice))?.hasAdditions).toBe(false)
      await add(notice, late)
      expect(await subjects()).toContain(`Addresses added to notice ${notice.reference}`)
      expect((await listed(notice))?.hasAdditions).toBe(true)
      await reviewNotice(app, viewer(), await which(notice))
      expect((await listed(notice))?.hasAdditions).toBe(false)
    },
  )

  test('to a notice of another kind wait in the queue, without an email', async () => {
    const [first, late] = (await works(2)) as [MadeItem, MadeItem]
    const notice = await aNotice(app, { urls: [first.slug] })
    await add(notice, late)
    expect((await listed(notice))?.hasAdditions).toBe(true)
    expect((await subjects()).filter((subject) => subject.includes(notice.reference))).toEqual([])
  })

  test('one after the other are told in one email, ten minutes later', async () => {
    const [first, ...late] = (await works(4)) as [MadeItem, ...MadeItem[]]
    const notice = await image([first])
    for (const item of late) await add(notice, item)
    const told = async () =>
      (await subjects()).filter((subject) => subject === `Addresses added to notice ${notice.reference}`)
    await workOnClocks(app)
    expect(await told()).toHaveLength(1)
    await ageNotice(app, notice, '11 minutes')
    await workOnClocks(app)
    await workOnClocks(app)
    expect(await told()).toHaveLength(2)
  })

  test('to many notices are told in one email after the first five', async () => {
    const notices: MadeNotice[] = []
    for (let no = 0; no < 7; no += 1) {
      const [first, late] = (await works(2)) as [MadeItem, MadeItem]
      const notice = await image([first])
      // Told of itself, whatever came before.
      await writePastRules(app, `update notices set told_at = now() - interval '1 hour'`)
      await add(notice, late)
      notices.push(notice)
    }
    const told = async () => (await subjects()).filter((subject) => subject.startsWith('Addresses added'))
    const before = (await told()).length
    for (const notice of notices) await ageNotice(app, notice, '11 minutes')
    await workOnClocks(app)
    expect((await told()).slice(before)).toEqual(['Addresses added to 2 notices'])
  })

  test('are told of to nobody once the notice is settled', async () => {
    const [first, late, later] = (await works(3)) as [MadeItem, MadeItem, MadeItem]
    const notice = await image([first])
    await add(notice, late)
    await add(notice, later)
    const before = (await subjects()).length
    await withdrawNotice(app, { token: await noticeToken(app, notice), address: '203.0.113.9', isSure: true })
    await ageNotice(app, notice, '11 minutes')
    await workOnClocks(app)
    expect((await subjects()).length).toBe(before)
    expect((await noticeOf(notice)).additions_at).toBeNull()
  })
})

test('what is hidden by a clock is hidden whole, also what was added a minute before: hiding is given back', async () => {
  const [first, late, image1, image2] = (await works(4)) as [MadeItem, MadeItem, MadeItem, MadeItem]
  const copyright = await aNotice(app, { urls: [first.slug] })
  const consent = await aNotice(app, { kind: 'consent', urls: [image1.slug] })
  await ageNotice(app, copyright, '4319 minutes')
  await ageNotice(app, consent, '1199 minutes')
  await add(copyright, late)
  await add(consent, image2)
  await ageNotice(app, copyright, '1 minute')
  await ageNotice(app, consent, '1 minute')
  await workOnClocks(app)
  for (const item of [first, late, image1, image2]) expect(await statusOf(item)).toBe('restricted')
  await withdrawNotice(app, { token: await noticeToken(app, copyright), address: '203.0.113.9', isSure: true })
  expect([await statusOf(first), await statusOf(late)]).toEqual(['published', 'published'])
  await expectSound()
})
