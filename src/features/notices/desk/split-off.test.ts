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
import { readReport } from '../transparency/read-report.server.ts'
import { decideNotice } from './decide-notice.server.ts'
import { listNotices } from './list-notices.server.ts'
import { markDuplicate } from './mark-duplicate.server.ts'
import { readNoticeForDesk } from './notice-for-desk.server.ts'
import { noticeInvariants } from './notice-invariants.server.ts'
import { changeEntries, hideEntries, reclassifyNotice, reviewNotice } from './work-on-notice.server.ts'
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
const partsOf = ({ id }: { id: string }) =>
  app.db.selectFrom('notices').selectAll().where('split_from', '=', id).orderBy('id').execute()
const onlyPart = async (notice: { id: string }) => {
  const parts = await partsOf(notice)
  expect(parts).toHaveLength(1)
  return parts[0] as (typeof parts)[number]
}
const clockOf = ({ id }: { id: string }, name = 'remove') =>
  app.db
    .selectFrom('notice_clocks')
    .selectAll()
    .select(sql<number>`extract(epoch from due_at - now()) / 3600`.as('hoursLeft'))
    .where('notice_id', '=', id)
    .where('name', '=', name)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
const eventsOf = async ({ id }: { id: string }): Promise<string[]> =>
  (await app.db.selectFrom('notice_events').select('type').where('notice_id', '=', id).orderBy('no').execute()).map(
    ({ type }) => type,
  )
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

describe('each address has its own 44 hours', () => {
  test('what was added a minute before the end of the first is not removed with it, but split off', async () => {
    const [first, late] = (await works(2)) as [MadeItem, MadeItem]
    const notice = await image([first])
    await ageNotice(app, notice, '2639 minutes')
    await add(notice, late)
    await ageNotice(app, notice, '1 minute')
    await workOnClocks(app)
    expect([await statusOf(first), await statusOf(late)]).toEqual(['removed', 'restricted'])

    const part = await onlyPart(notice)
    const before = await noticeOf(notice)
    expect(before).toMatchObject({ status: 'decided', outcome: 'remove' })
    const { name, organization, phone, email, explanation, signature, kind, good_faith } = before
    expect(part).toMatchObject({ name, organization, phone, email, explanation, signature, kind, good_faith })
    expect(part).toMatchObject({ status: 'received', holds: 'hides', outcome: null, missing: [] })
    expect((await clockOf(part))?.hoursLeft).toBeCloseTo(44 - 1 / 60, 1)
    expect((await clockOf(part, 'decide'))?.hoursLeft).toBeCloseTo(24 - 1 / 60, 1)
    expect(await eventsOf(notice)).toEqual(['received', 'entries-changed', 'overdue', 'split-off', 'decided'])
    expect(await eventsOf(part)).toEqual(['received'])
    const { rows: told } = await sql`select item_id from notice_decision_items where item_id = ${late.id}`.execute(
      app.db,
    )
    expect(told).toEqual([])
    await expectSound()

    // Undecided, it is removed in its turn.
    await ageNotice(app, part, '2639 minutes')
    await workOnClocks(app)
    expect(await statusOf(late)).toBe('removed')
    expect(await noticeOf(part)).toMatchObject({ status: 'decided', outcome: 'remove' })
    await expectSound()
  })

  test('a part that is kept gives its entry back', async () => {
    const [first, late] = (await works(2)) as [MadeItem, MadeItem]
    const notice = await image([first])
    await ageNotice(app, notice, '43 hours')
    await add(notice, late)
    await ageNotice(app, notice, '1 hour')
    await workOnClocks(app)
    const part = await onlyPart(notice)
    await decideNotice(app, viewer(), {
      ...(await which(part)),
      decision: {
        outcome: 'keep',
        ground: 'terms',
        legalGround: 'None',
        facts: 'A landscape.',
        explanation: 'Nobody.',
      },
    })
    expect([await statusOf(first), await statusOf(late)]).toEqual(['removed', 'published'])
    await expectSound()
  })

  test('a part is split again where more was added in between, and the oldest is worked off first', async () => {
    const [first, second, third] = (await works(3)) as [MadeItem, MadeItem, MadeItem]
    const notice = await image([first])
    await ageNotice(app, notice, '20 hours')
    await add(notice, second)
    await ageNotice(app, notice, '20 hours')
    await add(notice, third)
    await ageNotice(app, notice, '4 hours')
    await workOnClocks(app)
    const part = await onlyPart(notice)
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([
      'removed',
      'restricted',
      'restricted',
    ])
    await ageNotice(app, part, '20 hours')
    await workOnClocks(app)
    const last = await onlyPart(part)
    expect([await statusOf(second), await statusOf(third)]).toEqual(['removed', 'restricted'])
    expect((await clockOf(last))?.hoursLeft).toBeCloseTo(20, 1)
    await ageNotice(app, last, '20 hours')
    await workOnClocks(app)
    expect(await statusOf(third)).toBe('removed')
    await expectSound()
  })

  test('after a standstill everything that has had its hours is removed at once', async () => {
    const [first, late] = (await works(2)) as [MadeItem, MadeItem]
    const notice = await image([first])
    await ageNotice(app, notice, '10 hours')
    await add(notice, late)
    await ageNotice(app, notice, '60 hours')
    await workOnClocks(app)
    expect([await statusOf(first), await statusOf(late)]).toEqual(['removed', 'removed'])
    expect(await partsOf(notice)).toEqual([])
    await expectSound()
  })

  test('an entry that two addresses lead to has them from the first one on', async () => {
    const [first] = (await works(1)) as [MadeItem]
    const notice = await image([first])
    await ageNotice(app, notice, '43 hours')
    await addMoreAddresses(app, {
      token: await noticeToken(app, notice),
      typed: { itemUrls: `https://library.example/asian/${first.slug}?again` },
      address: '203.0.113.9',
    })
    await ageNotice(app, notice, '1 hour')
    await workOnClocks(app)
    expect(await statusOf(first)).toBe('removed')
    expect(await partsOf(notice)).toEqual([])
  })

  test('an address that leads to no entry and was added late stays with somebody', async () => {
    const [first] = (await works(1)) as [MadeItem]
    const notice = await image([first])
    await ageNotice(app, notice, '43 hours')
    await addMoreAddresses(app, {
      token: await noticeToken(app, notice),
      typed: { itemUrls: 'https://elsewhere.example/nothing' },
      address: '203.0.113.9',
    })
    await ageNotice(app, notice, '1 hour')
    await workOnClocks(app)
    const part = await onlyPart(notice)
    await ageNotice(app, part, '44 hours')
    await workOnClocks(app)
    expect(await noticeOf(part)).toMatchObject({ status: 'received', outcome: null })
    expect((await eventsOf(part)).filter((type) => type === 'overdue')).not.toEqual([])
    await expectSound()
  })

  test('the desk adds with the same time, and what it takes off takes its time with it', async () => {
    const [first, late] = (await works(2)) as [MadeItem, MadeItem]
    const notice = await image([first])
    await ageNotice(app, notice, '30 hours')
    await changeEntries(app, viewer(), { ...(await which(notice)), add: `/western/${late.slug}` })
    expect((await clockOf(notice))?.hoursLeft).toBeCloseTo(14, 1)
    const { id } = await app.db
      .selectFrom('notice_items')
      .select('id')
      .where('notice_id', '=', notice.id)
      .orderBy('position')
      .limit(1)
      .executeTakeFirstOrThrow()
    await changeEntries(app, viewer(), { ...(await which(notice)), remove: id })
    expect((await clockOf(notice))?.hoursLeft).toBeCloseTo(44, 1)
    expect((await noticeOf(notice)).due_at?.getTime()).toBeLessThan(Date.now() + 25 * 3_600_000)
    await ageNotice(app, notice, '14 hours')
    await workOnClocks(app)
    expect([await statusOf(first), await statusOf(late)]).toEqual(['published', 'restricted'])
  })

  test('an entry that was deleted meanwhile puts the removal off, and the desk is told of the next end', async () => {
    const [first, late] = (await works(2)) as [MadeItem, MadeItem]
    const notice = await image([first])
    await ageNotice(app, notice, '40 hours')
    await add(notice, late)
    await writePastRules(app, `update notice_items set item_id = null where item_id = '${first.id}'`)
    await ageNotice(app, notice, '4 hours')
    await writePastRules(app, `update notice_clocks set overdue_at = now(), told_at = now() where name = 'remove'`)
    await workOnClocks(app)
    expect(await statusOf(late)).toBe('restricted')
    expect(await clockOf(notice)).toMatchObject({ overdue_at: null, told_at: null })
    expect((await clockOf(notice))?.hoursLeft).toBeCloseTo(40, 1)
    await ageNotice(app, notice, '40 hours')
    await workOnClocks(app)
    expect(await statusOf(late)).toBe('removed')
    await expectSound()
  })
})

test('after a standstill of 60 hours the gravest comes first, what was split off among them', async () => {
  const [first, second, late] = (await works(3)) as [MadeItem, MadeItem, MadeItem]
  const other = await aNotice(app, { kind: 'other' })
  const copyright = await aNotice(app, { urls: [second.slug] })
  const notice = await image([first])
  const child = await aNotice(app, { kind: 'child-safety' })
  // The last that was named before the site stood still: its own 24 hours are over, its 44 are not.
  await ageNotice(app, notice, '30 hours')
  await add(notice, late)
  for (const each of [notice, child]) await ageNotice(app, each, '30 hours')
  for (const each of [other, copyright]) await ageNotice(app, each, '20 days')
  const names = new Map([
    [other.id, 'other'],
    [copyright.id, 'copyright'],
    [notice.id, 'image'],
    [child.id, 'child'],
  ])
  for (let done = 0; done < 12; done += 1) await workOnClocks(app, 1)
  const rows = await app.db
    .selectFrom('notice_events')
    .select(['notice_id', 'type'])
    .where('by_kind', '=', 'system')
    .orderBy('no')
    .execute()
  expect(rows.map(({ notice_id, type }) => `${names.get(notice_id) ?? 'part'} ${type}`)).toEqual([
    'child overdue',
    'image overdue',
    'part received',
    'image split-off',
    'image decided',
    'part overdue',
    'copyright overdue',
    'copyright hidden',
    'other overdue',
  ])
  expect([await statusOf(first), await statusOf(late)]).toEqual(['removed', 'restricted'])
  await expectSound()
})

describe('what too many at once have left on the site', () => {
  /** A notice of which one entry is hidden and the other was left, as the bound leaves it. */
  const partlyHidden = async () => {
    const [hidden, left] = (await works(2)) as [MadeItem, MadeItem]
    const from = `198.51.100.${made % 250}`
    await writePastRules(app, 'delete from notice_hides')
    const flood = await works(49)
    for (const part of [flood.slice(0, 25), flood.slice(25)]) await image(part, { from })
    const notice = await image([hidden, left], { from })
    expect([await statusOf(hidden), await statusOf(left)]).toEqual(['restricted', 'published'])
    return { hidden, left, notice }
  }
  const hide = async (notice: { id: string; reference: string }) => hideEntries(app, viewer(), await which(notice))

  test('is never removed with the rest, but split off and told every hour; hidden by a person, it has its 44 hours', async () => {
    const { hidden, left, notice } = await partlyHidden()
    await ageNotice(app, notice, '44 hours')
    await workOnClocks(app)
    expect([await statusOf(hidden), await statusOf(left)]).toEqual(['removed', 'published'])
    const part = await onlyPart(notice)
    expect(part).toMatchObject({ is_withheld: true, status: 'received', outcome: null })
    await expectSound()
    const overdue = async () => (await eventsOf(part)).filter((type) => type === 'overdue').length
    const first = await overdue()
    await ageNotice(app, part, '1 hour')
    await workOnClocks(app)
    expect(await overdue()).toBe(first + 1)
    expect(await statusOf(left)).toBe('published')

    await hide(part)
    expect(await clockOf(part)).toMatchObject({ overdue_at: null, told_at: null })
    expect((await clockOf(part))?.hoursLeft).toBeCloseTo(44, 1)
    await ageNotice(app, part, '43 hours')
    await workOnClocks(app)
    expect(await statusOf(left)).toBe('restricted')
    await ageNotice(app, part, '1 hour')
    await workOnClocks(app)
    expect(await statusOf(left)).toBe('removed')
    await expectSound()
  })

  test('and was hidden by a person an hour before the end is split off, and not removed with the rest', async () => {
    const { hidden, left, notice } = await partlyHidden()
    await ageNotice(app, notice, '43 hours')
    await hide(notice)
    expect((await clockOf(notice))?.hoursLeft).toBeCloseTo(1, 1)
    await ageNotice(app, notice, '1 hour')
    await workOnClocks(app)
    expect([await statusOf(hidden), await statusOf(left)]).toEqual(['removed', 'restricted'])
    expect((await clockOf(await onlyPart(notice)))?.hoursLeft).toBeCloseTo(43, 1)
    await expectSound()
  })
})

describe('a notice that is joined', () => {
  test('brings the time of its addresses with it: the earlier is removed, the later split off', async () => {
    const [own, others] = (await works(2)) as [MadeItem, MadeItem]
    const duplicate = await image([others], { email: 'bea@authors.example' })
    await ageNotice(app, duplicate, '30 hours')
    const notice = await image([own])
    await ageNotice(app, notice, '10 hours')
    await markDuplicate(app, viewer(), { ...(await which(duplicate)), of: notice.reference })
    expect((await clockOf(notice))?.hoursLeft).toBeCloseTo(14, 1)
    await ageNotice(app, notice, '14 hours')
    await workOnClocks(app)
    expect([await statusOf(own), await statusOf(others)]).toEqual(['restricted', 'removed'])
    const part = await onlyPart(notice)
    expect((await clockOf(part))?.hoursLeft).toBeCloseTo(20, 1)
    await expectSound()
    // What its sender sees is theirs alone, and they cannot withdraw what others repeat.
    const page = await readTrackedNotice(app, await noticeToken(app, part))
    expect(page).toMatchObject({ mayWithdraw: false, splitFrom: { reference: notice.reference } })
    await expect(
      withdrawNotice(app, { token: await noticeToken(app, part), address: '203.0.113.9', isSure: true }),
    ).rejects.toMatchObject({ code: 'notice.transition' })
  })

  test('shows its addresses to no other sender, also where they are split off', async () => {
    const [own, others] = (await works(2)) as [MadeItem, MadeItem]
    const notice = await image([own])
    await ageNotice(app, notice, '30 hours')
    const duplicate = await image([others], { email: 'bea@authors.example' })
    await markDuplicate(app, viewer(), { ...(await which(duplicate)), of: notice.reference })
    await ageNotice(app, notice, '14 hours')
    await workOnClocks(app)
    const part = await onlyPart(notice)
    expect(await statusOf(others)).toBe('restricted')
    const page = await readTrackedNotice(app, await noticeToken(app, notice))
    expect(page.parts).toEqual([])
    expect(page.trail.map(({ sentence }) => sentence).join(' ')).not.toContain('notice of its own')
    expect((await readTrackedNotice(app, await noticeToken(app, part))).addresses).toEqual([])
    await decideNotice(app, viewer(), {
      ...(await which(part)),
      decision: { outcome: 'remove', ground: 'illegal', legalGround: 'A law', facts: 'So it is.', explanation: 'So.' },
    })
    const subjects = (await emailsTo('ada@authors.example')).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes(part.reference))).toEqual([])
  })

  test('goes along where a part becomes a matter of the safety officers', async () => {
    const [own, others] = (await works(2)) as [MadeItem, MadeItem]
    const notice = await image([own])
    await ageNotice(app, notice, '30 hours')
    const duplicate = await image([others])
    await markDuplicate(app, viewer(), { ...(await which(duplicate)), of: notice.reference })
    await ageNotice(app, notice, '14 hours')
    await workOnClocks(app)
    const part = await onlyPart(notice)
    await reclassifyNotice(app, viewer(), { ...(await which(part)), kind: 'child-safety' })
    expect((await noticeOf(duplicate)).kind).toBe('child-safety')
    expect((await noticeOf(notice)).kind).toBe('intimate-image')
    await expectSound()
  })
})

describe('those who are concerned by a part', () => {
  test('its sender is told by email, and each page leads to the other', async () => {
    const [first, late] = (await works(2)) as [MadeItem, MadeItem]
    const notice = await image([first])
    await ageNotice(app, notice, '43 hours')
    await add(notice, late)
    await ageNotice(app, notice, '1 hour')
    await workOnClocks(app)
    const part = await onlyPart(notice)
    const email = (await emailsTo('ada@authors.example')).find(({ subject }) => subject.includes(part.reference))
    expect(email?.subject).toBe(`What you added to notice ${notice.reference} is now notice ${part.reference}`)
    const token = await noticeToken(app, part)
    expect(email?.text).toContain(`/report/track/${token}`)
    const page = await readTrackedNotice(app, await noticeToken(app, notice))
    expect(page.parts).toEqual([{ reference: part.reference, path: `/report/track/${token}` }])
    expect(page.addresses).toHaveLength(1)
    expect(page.trail.at(-2)?.sentence).toBe('We handle what you added later as a notice of its own.')
    const own = await readTrackedNotice(app, token)
    expect(own).toMatchObject({ splitFrom: { reference: notice.reference }, mayWithdraw: true, mayAddAddresses: true })
    expect(own.addresses).toEqual([`/western/${late.slug}`])

    const forDesk = await readNoticeForDesk(app, viewer(), notice.reference)
    expect(forDesk).toMatchObject({ parts: [part.reference], splitFrom: null })
    expect(forDesk.events.map(({ sentence }) => sentence)).toContain(
      `The site split off 1 address, added later, as ${part.reference}.`,
    )
    const partForDesk = await readNoticeForDesk(app, viewer(), part.reference)
    expect(partForDesk).toMatchObject({ parts: [], splitFrom: notice.reference })
    expect((await emailsTo(ada.email)).at(-1)?.subject).toContain(part.reference)
  })

  test('the public figures count the notice once', async () => {
    for (let no = 0; no < 5; no += 1) {
      const [first, late] = (await works(2)) as [MadeItem, MadeItem]
      const notice = await image([first])
      await ageNotice(app, notice, '43 hours')
      await add(notice, late)
      await ageNotice(app, notice, '1 hour')
    }
    await workOnClocks(app)
    for (const part of await app.db.selectFrom('notices').selectAll().where('split_from', 'is not', null).execute())
      await ageNotice(app, part, '44 hours')
    await workOnClocks(app)
    expect(await app.db.selectFrom('notices').select('id').where('status', '=', 'decided').execute()).toHaveLength(10)
    const { kinds } = await readReport(app)
    const all = kinds.find(({ kind }) => kind === 'intimate-image')?.all
    expect(all).toMatchObject({ received: 5, decided: 5, removed: 5, medianHours: 44, decidedBySite: 10 })
  })
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
  expect(await partsOf(copyright)).toEqual([])
  await withdrawNotice(app, { token: await noticeToken(app, copyright), address: '203.0.113.9', isSure: true })
  expect([await statusOf(first), await statusOf(late)]).toEqual(['published', 'published'])
  await expectSound()
})
