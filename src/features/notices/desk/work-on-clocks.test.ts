import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { readEmails } from '../../../../tests/harness/emails.ts'
import { deleteAllItems, type MadeItem, someItems, statusOfItem } from '../../../../tests/harness/items.ts'
import { aMember, viewerOf } from '../../../../tests/harness/members.ts'
import { ageNotice, aNotice, deleteAllNotices, type MadeNotice } from '../../../../tests/harness/notices.ts'
import { writePastRules } from '../../../../tests/harness/past-rules.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import type { App } from '../../../app/app.ts'
import { openLog } from '../../../platform/log.ts'
import { readReported } from '../../catalogue/removal/match-reported.server.ts'
import { recordNoticeEvent, stateOf } from '../notice/record-event.server.ts'
import { replay } from '../notice/transition.ts'
import { decideNotice } from './decide-notice.server.ts'
import { fileAppeal } from './file-appeal.server.ts'
import { acceptCounterNotice } from './counter-notice.server.ts'
import { fileCounterNotice } from './file-counter-notice.server.ts'
import { readNoticeForDesk } from './notice-for-desk.server.ts'
import { changeEntries } from './work-on-notice.server.ts'
import { workOnClocks } from './work-on-clocks.server.ts'
import type { NoticeEventInput } from '../notice/notice-event.ts'

let app: App
/** The first administrator is the safety officer. */
let officer: { id: string; email: string }
let other: { id: string; email: string }

const opened = appOfFile({ now: new Date().toISOString(), log: openLog('silent') })

beforeAll(async () => {
  ;({ app } = opened)
  officer = await aMember(app, { email: 'officer@library.example', isAdmin: true })
  other = await aMember(app, { email: 'other@library.example', isAdmin: true })
})
afterEach(async () => {
  await drainJobs(app)
  await deleteAllNotices(app)
  await deleteAllItems(app)
})

let works = 0
const aWork = async (): Promise<MadeItem> => {
  works += 1
  const [item] = await someItems(app, [{ name: `Work ${works}`, link: `https://mega.nz/file/work${works}` }])
  return item as MadeItem
}
const statusOf = (item: { id: string }): Promise<string> => statusOfItem(app, item)
const noticeOf = ({ id }: { id: string }) =>
  app.db.selectFrom('notices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const eventsOf = async ({ id }: { id: string }): Promise<string[]> =>
  (await app.db.selectFrom('notice_events').select('type').where('notice_id', '=', id).orderBy('no').execute()).map(
    ({ type }) => type,
  )
const record = (notice: MadeNotice, event: NoticeEventInput, by: { id: string } = officer) =>
  app.db
    .transaction()
    .execute((trx) =>
      recordNoticeEvent(app, trx, { noticeId: notice.id, event, by: { kind: 'administrator', id: by.id } }),
    )
const subjectsTo = async (email: string): Promise<string[]> => {
  await drainJobs(app)
  return (await readEmails(app)).filter(({ to }) => to === email).map(({ subject }) => subject)
}

/** The events of the audit log for a notice and its entry. */
const auditOf = async (notice: MadeNotice, item: MadeItem) =>
  (
    await app.db
      .selectFrom('audit_events')
      .select(['actor', 'action', 'details'])
      .where('subject_id', 'in', [notice.id, item.id])
      .where('action', 'in', ['notice.decided', 'notice.reversed', 'item.removed', 'item.restored'])
      .orderBy('id')
      .execute()
  ).map(({ actor, action, details }) => [actor, action, details])

/** A notice is what its ledger makes of it, whatever has happened. */
async function expectLedger(notice: MadeNotice): Promise<void> {
  const row = await noticeOf(notice)
  const events = await app.db
    .selectFrom('notice_events')
    .select(['type', 'details'])
    .where('notice_id', '=', notice.id)
    .orderBy('no')
    .execute()
  const { state, version } = replay(events.map(({ type, details }) => ({ type, ...details }) as NoticeEventInput))
  const counterNotices = await app.db
    .selectFrom('counter_notices')
    .select(['id', 'state'])
    .where('notice_id', '=', notice.id)
    .execute()
  expect(stateOf(row, Object.fromEntries(counterNotices.map((one) => [one.id, one.state])))).toEqual(state)
  expect(row.version).toBe(version)
}

const reasons = { legalGround: '17 U.S.C. 106', facts: 'The same text.', explanation: 'It is a copy.' }
const isOverdue = async ({ reference }: MadeNotice): Promise<boolean> =>
  (await readNoticeForDesk(app, viewerOf(other, 'admin'), reference)).isOverdue

describe('an intimate image', () => {
  test('is hidden at once, and stays hidden, overdue, until a person decides', async () => {
    const item = await aWork()
    const notice = await aNotice(app, { kind: 'intimate-image', urls: [item.slug] })
    expect([await statusOf(item), await isOverdue(notice)]).toEqual(['restricted', false])
    for (const time of ['25 hours', '20 hours', '30 days']) {
      await ageNotice(app, notice, time)
      await workOnClocks(app)
      expect([await statusOf(item), await isOverdue(notice)]).toEqual(['restricted', true])
    }
    expect(await eventsOf(notice)).toEqual(['received', 'overdue'])
    expect(await noticeOf(notice)).toMatchObject({ status: 'received', outcome: null, holds: 'hides' })
    expect(await app.db.selectFrom('notice_decisions').select('id').execute()).toEqual([])
    expect(await app.db.selectFrom('blocked_links').select('fingerprint').execute()).toEqual([])
    await expectLedger(notice)
    const { reference } = notice
    await decideNotice(app, viewerOf(other, 'admin'), {
      reference,
      version: 1,
      decision: { outcome: 'remove', ground: 'illegal', ...reasons },
    })
    expect([await statusOf(item), await isOverdue(notice)]).toEqual(['removed', false])
    expect(await auditOf(notice, item)).toMatchObject([
      ['member', 'item.removed', { reference }],
      ['member', 'notice.decided', { reference, outcome: 'remove' }],
    ])
    await expectLedger(notice)
  })

  test('of a form that is not whole is hidden after 44 hours at the latest, by its own notice alone', async () => {
    const [item, same] = (await someItems(
      app,
      ['One', 'Another'].map((name) => ({ name, link: 'https://mega.nz/file/same' })),
    )) as [MadeItem, MadeItem]
    const notice = await aNotice(app, { kind: 'intimate-image', urls: [item.slug], missing: ['signature'] })
    await ageNotice(app, notice, '43 hours')
    await workOnClocks(app)
    expect(await statusOf(item)).toBe('published')
    await ageNotice(app, notice, '1 hour')
    await workOnClocks(app)
    expect([await statusOf(item), await statusOf(same)]).toEqual(['restricted', 'published'])
    expect([(await noticeOf(notice)).status, await isOverdue(notice)]).toEqual(['needs-info', true])
    await record(notice, { type: 'withdrawn' })
    expect(await statusOf(item)).toBe('published')
    await expectLedger(notice)
  })

  test('that is found later is hidden then', async () => {
    const item = await aWork()
    const notice = await aNotice(app, { kind: 'intimate-image', urls: ['https://elsewhere.example/x'] })
    await ageNotice(app, notice, '45 hours')
    await workOnClocks(app)
    expect(await noticeOf(notice)).toMatchObject({ status: 'received', outcome: null })
    const overdue = async (): Promise<number> =>
      (await subjectsTo(other.email)).filter((subject) => subject.includes(`Overdue: notice ${notice.reference}`))
        .length
    expect(await overdue()).toBe(1)
    expect((await readEmails(app)).findLast(({ to }) => to === other.email)?.text).toContain(
      'No address leads to an entry',
    )
    await ageNotice(app, notice, '61 minutes')
    await workOnClocks(app)
    expect(await overdue()).toBe(1)
    await changeEntries(app, viewerOf(other, 'admin'), { reference: notice.reference, version: 1, add: item.slug })
    expect(await statusOf(item)).toBe('restricted')
    await expectLedger(notice)
  })
})

describe('a child at risk', () => {
  test('is told to the safety officers alone, again every hour until one has looked', async () => {
    const item = await aWork()
    const notice = await aNotice(app, {
      kind: 'child-safety',
      urls: [item.slug],
      explanation: null,
      missing: ['explanation'],
    })
    expect(await statusOf(item)).toBe('restricted')
    const told = async (): Promise<number> =>
      (await subjectsTo(officer.email)).filter((subject) => subject.includes(notice.reference)).length
    expect(await told()).toBe(1)
    await ageNotice(app, notice, '241 minutes')
    await workOnClocks(app)
    await workOnClocks(app)
    expect(await told()).toBe(2)
    await ageNotice(app, notice, '61 minutes')
    await workOnClocks(app)
    expect(await told()).toBe(3)
    expect(await eventsOf(notice)).toEqual(['received', 'overdue', 'overdue'])
    expect((await noticeOf(notice)).version).toBe(1)
    await record(notice, { type: 'reviewed' })
    await ageNotice(app, notice, '3 hours')
    await workOnClocks(app)
    expect(await told()).toBe(3)
    expect((await subjectsTo(other.email)).filter((subject) => subject.includes(notice.reference))).toEqual([])
    await expectLedger(notice)
  })
})

test('what a copyright notice reports is hidden after three days, and what withdraws a consent within a day', async () => {
  const [item, image] = [await aWork(), await aWork()]
  const notice = await aNotice(app, { urls: [item.slug] })
  const consent = await aNotice(app, { kind: 'consent', urls: [image.slug] })
  await ageNotice(app, notice, '71 hours')
  await ageNotice(app, consent, '19 hours')
  await workOnClocks(app)
  expect([await statusOf(item), await statusOf(image)]).toEqual(['published', 'published'])
  await ageNotice(app, notice, '1 hour')
  await ageNotice(app, consent, '1 hour')
  await workOnClocks(app)
  expect([await statusOf(item), await statusOf(image)]).toEqual(['restricted', 'restricted'])
  expect((await eventsOf(notice)).filter((type) => type === 'hidden')).toEqual(['hidden'])
  // The decision about copyright is late then; that about a consent has time still.
  expect([await isOverdue(notice), await isOverdue(consent)]).toEqual([true, false])
  await ageNotice(app, notice, '30 days')
  await workOnClocks(app)
  expect([await statusOf(item), (await noticeOf(notice)).outcome]).toEqual(['restricted', null])
  // Withdrawn, it is given back.
  await record(notice, { type: 'withdrawn' })
  expect(await statusOf(item)).toBe('published')
  await expectLedger(notice)
})

test('a deadline that passes is an event, and is told once', async () => {
  const notice = await aNotice(app, { kind: 'privacy' })
  await ageNotice(app, notice, '8 days')
  await workOnClocks(app)
  await workOnClocks(app)
  expect(await eventsOf(notice)).toEqual(['received', 'overdue'])
  for (const { email } of [officer, other])
    expect((await subjectsTo(email)).filter((subject) => subject.includes(notice.reference))).toEqual([
      `Overdue: notice ${notice.reference}`,
    ])
  await record(notice, { type: 'reviewed' })
  // Decided too late: the record says so.
  await record(notice, { type: 'withdrawn' })
  const clock = await app.db.selectFrom('notice_clocks').selectAll().executeTakeFirstOrThrow()
  expect(clock).toMatchObject({ outcome: 'cancelled', work_at: null })
})

const counterNotice = {
  name: 'Otto Operator',
  address: '2 Library Lane',
  phone: '+1 555 0199',
  email: 'otto@library.example',
  explanation: 'The author died in 1900.',
  signature: 'Otto Operator',
}

describe('a counter-notice', () => {
  const decided = async (outcome: 'remove' | 'restrict' = 'remove', count = 1) => {
    const items: MadeItem[] = []
    for (let no = 0; no < count; no += 1) items.push(await aWork())
    const notice = await aNotice(app, { urls: items.map(({ slug }) => slug), email: 'claimant@authors.example' })
    await decideNotice(app, viewerOf(other, 'admin'), {
      reference: notice.reference,
      version: 1,
      decision: { outcome, ground: 'illegal', ...reasons },
    })
    for (const item of items) expect(await statusOf(item)).toBe(outcome === 'remove' ? 'removed' : 'restricted')
    return { items, item: items[0] as MadeItem, notice }
  }
  const file = async (reference: string, items: readonly { slug: string }[]) => {
    const reported = await readReported(
      app,
      items.map(({ slug }) => `/western/${slug}`),
    )
    const counterNoticeId = await app.db
      .transaction()
      .execute((trx) => fileCounterNotice(app, trx, { reference, reported, fields: counterNotice, isAnswered: true }))
    return { counterNoticeId: counterNoticeId ?? '' }
  }
  const accept = async ({ reference, id }: MadeNotice, { counterNoticeId }: { counterNoticeId: string }) => {
    const { version } = await noticeOf({ id })
    return acceptCounterNotice(app, viewerOf(other, 'admin'), { reference, counterNoticeId, version })
  }
  const statesOf = async ({ id }: { id: string }): Promise<string[]> =>
    (
      await app.db
        .selectFrom('counter_notices')
        .select('state')
        .where('notice_id', '=', id)
        .orderBy('received_at')
        .orderBy('id')
        .execute()
    ).map(({ state }) => state)
  const due = async (name: string): Promise<number> =>
    (
      await app.db
        .selectFrom('notice_clocks')
        .select('due_at')
        .where('name', '=', name)
        .orderBy('started_at', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
    ).due_at.getTime()

  test('that nobody has accepted is neither forwarded nor obeyed, however long it waits: it is overdue', async () => {
    const { item, notice } = await decided()
    await file(notice.reference, [item])
    expect(await subjectsTo(other.email)).toContain(`A counter-notice to notice ${notice.reference}`)
    await ageNotice(app, notice, '30 days')
    await workOnClocks(app)
    expect(await statusOf(item)).toBe('removed')
    expect(await statesOf(notice)).toEqual(['received'])
    expect((await eventsOf(notice)).at(-1)).toBe('overdue')
    expect((await subjectsTo('claimant@authors.example')).filter((subject) => subject.includes('counter'))).toEqual([])
    expect(await subjectsTo(other.email)).toContain(`Overdue: notice ${notice.reference}`)
    await expectLedger(notice)
  })

  test('whose giving back breaks off in the middle leaves nothing half done', async () => {
    const { item, notice } = await decided()
    await accept(notice, await file(notice.reference, [item]))
    await ageNotice(app, notice, '30 days')
    const contents = async () =>
      Promise.all(
        ['notices', 'notice_events', 'notice_decisions', 'notice_decision_items', 'item_removals', 'blocked_links'].map(
          async (table) => (await sql`select * from ${sql.table(table)} order by 1, 2`.execute(app.db)).rows,
        ),
      )
    const before = await contents()
    // The last step of a decision is its statement; without it there is none.
    const mail = { queueMany: () => Promise.reject(new Error('The line is cut.')) }
    await expect(workOnClocks({ ...app, mail: Object.assign(Object.create(app.mail), mail) })).rejects.toThrow()
    expect(await contents()).toEqual(before)
    expect(await statusOf(item)).toBe('removed')
  })

  test('that is accepted gives back on the right business day what it names, and nothing else', async () => {
    const { items, notice } = await decided('remove', 3)
    const [first, second, third] = items as [MadeItem, MadeItem, MadeItem]
    const one = await file(notice.reference, [first])
    const two = await file(notice.reference, [second, { slug: 'no-such-entry' }])
    await accept(notice, one)
    await accept(notice, two)
    expect(await subjectsTo('claimant@authors.example')).toContain(
      `A counter-notice to your notice ${notice.reference}`,
    )
    const moveTo = async (secondsBefore: number) => {
      const left = (await due('restore')) - Date.now()
      await ageNotice(app, notice, `${Math.floor(left / 1000) - secondsBefore} seconds`)
      await workOnClocks(app)
    }
    await moveTo(60)
    expect(await statusOf(first)).toBe('removed')
    await record(notice, {
      type: 'action-notified',
      counterNoticeId: two.counterNoticeId,
      note: 'A letter of a court.',
    })
    await ageNotice(app, notice, '61 seconds')
    await workOnClocks(app)
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([
      'published',
      'removed',
      'removed',
    ])
    expect(await statesOf(notice)).toEqual(['restored', 'action'])
    expect(await noticeOf(notice)).toMatchObject({ status: 'decided', outcome: 'remove', open_counter_notices: 0 })
    const decisions = await app.db.selectFrom('notice_decisions').selectAll().orderBy('no').execute()
    expect(decisions.map(({ outcome, decided_by }) => [outcome, decided_by])).toEqual([
      ['remove', other.id],
      ['remove', null],
    ])
    expect(decisions[1]?.reverses).toBe(decisions[0]?.id)
    const became = await app.db
      .selectFrom('notice_decision_items')
      .select(['item_id', 'effect'])
      .where('decision_id', '=', decisions[1]?.id ?? '')
      .orderBy('item_id')
      .execute()
    expect(became.map(({ effect }) => effect)).toEqual(['published', 'removed', 'removed'])
    expect((await subjectsTo('claimant@authors.example')).at(-1)).toBe(
      `Decision after a counter-notice to notice ${notice.reference}`,
    )
    expect(await subjectsTo(counterNotice.email)).toContain(
      `Back on the site after your counter-notice to ${notice.reference}`,
    )
    // The rest is given back except the entry of the court action; a later counter-notice does not return that one
    // either.
    const rest = await file(notice.reference, [second, third])
    await file(notice.reference, [third])
    await accept(notice, rest)
    await moveTo(-60)
    expect([await statusOf(second), await statusOf(third)]).toEqual(['removed', 'published'])
    expect(await noticeOf(notice)).toMatchObject({ outcome: 'remove', open_counter_notices: 0 })
    expect(await statesOf(notice)).toEqual(['restored', 'action', 'restored', 'overtaken'])
    await expectLedger(notice)
  })

  test('is told as it went where another notice keeps the entry removed', async () => {
    const { item, notice } = await decided()
    const second = await aNotice(app, { urls: [item.slug], email: 'second@authors.example' })
    const decision = { outcome: 'remove', ground: 'illegal', ...reasons } as const
    await decideNotice(app, viewerOf(other, 'admin'), { reference: second.reference, version: 1, decision })
    await accept(notice, await file(notice.reference, [item]))
    await ageNotice(app, notice, '30 days')
    await workOnClocks(app)
    expect(await statusOf(item)).toBe('removed')
    await drainJobs(app)
    const email = (await readEmails(app)).findLast(({ to }) => to === 'claimant@authors.example')
    for (const untrue of ['is back', 'is given back']) expect(email?.text).not.toContain(untrue)
  })

  test('answers a decision to restrict as well', async () => {
    const { items, notice } = await decided('restrict', 2)
    const [first, second] = items as [MadeItem, MadeItem]
    await accept(notice, await file(notice.reference, [first]))
    await ageNotice(app, notice, '30 days')
    await workOnClocks(app)
    expect([await statusOf(first), await statusOf(second)]).toEqual(['published', 'restricted'])
    expect(await noticeOf(notice)).toMatchObject({ outcome: 'restrict' })
  })

  test('gives nothing back after a court action', async () => {
    const { item, notice } = await decided()
    const filed = await file(notice.reference, [item])
    await accept(notice, filed)
    await record(notice, { type: 'action-notified', counterNoticeId: filed.counterNoticeId, note: 'A letter.' })
    await ageNotice(app, notice, '30 days')
    await workOnClocks(app)
    expect(await statusOf(item)).toBe('removed')
    expect(await statesOf(notice)).toEqual(['action'])
  })

  test('an appeal comes within 183 days', async () => {
    const { notice } = await decided()
    const appeal = () =>
      app.db.transaction().execute((trx) => fileAppeal(app, trx, { noticeId: notice.id, statement: 'Look again.' }))
    await ageNotice(app, notice, '184 days')
    await expect(appeal()).rejects.toMatchObject({ code: 'notice.too_late' })
    await ageNotice(app, notice, '-2 days')
    await appeal()
    await expect(appeal()).rejects.toMatchObject({ code: 'notice.transition' })
    expect((await noticeOf(notice)).appeal).toBe('open')
  })
})

/** The types of each run of events of one name, sorted. */
function consecutive(events: readonly { name: string | undefined; type: string }[]) {
  const runs: { name: string | undefined; types: string[] }[] = []
  for (const { name, type } of events) {
    if (runs.at(-1)?.name === name) runs.at(-1)?.types.push(type)
    else runs.push({ name, types: [type] })
  }
  return runs.map(({ name, types }) => ({ name, types: types.toSorted() }))
}

describe('after a standstill', () => {
  test('the gravest deadline is worked off first, and of equal gravity the oldest', async () => {
    const made = {
      other: await aNotice(app, { kind: 'other' }),
      privacy: await aNotice(app, { kind: 'privacy' }),
      copyright: await aNotice(app, { kind: 'copyright' }),
      'late copyright': await aNotice(app, { kind: 'copyright' }),
      image: await aNotice(app, { kind: 'intimate-image', urls: [(await aWork()).slug] }),
      child: await aNotice(app, { kind: 'child-safety' }),
    }
    for (const notice of Object.values(made)) await ageNotice(app, notice, '40 days')
    // So far that each of its deadlines came before those of the other, on whatever weekday both came in.
    await ageNotice(app, made['late copyright'], '40 days')
    await ageNotice(app, made.child, '-39 days')
    const names = new Map(Object.entries(made).map(([name, { id }]) => [id, name]))
    const latest = async () => {
      const rows = await app.db
        .selectFrom('notice_events')
        .select(['notice_id', 'type'])
        .where('by_kind', '=', 'system')
        .orderBy('no')
        .execute()
      return rows.map(({ notice_id, type }) => ({ name: names.get(notice_id), type }))
    }
    for (let done = 0; done < 20; done += 1) await workOnClocks(app, 1)
    const copyright = { name: 'copyright', types: ['hidden', 'overdue', 'overdue'] }
    // In what order the three of one notice came depends on the weekday of its receipt.
    expect(consecutive(await latest())).toEqual([
      { name: 'child', types: ['overdue'] },
      { name: 'image', types: ['overdue'] },
      { ...copyright, name: 'late copyright' },
      copyright,
      { name: 'privacy', types: ['overdue'] },
      { name: 'other', types: ['overdue'] },
    ])
  })

  test('one that fails keeps no other from its turn, and is tried again', async () => {
    const item = await aWork()
    const notice = await aNotice(app, { kind: 'intimate-image', urls: [item.slug] })
    const after = await aNotice(app, { kind: 'other' })
    await ageNotice(app, notice, '20 days')
    await ageNotice(app, after, '20 days')
    // Somebody has broken its state past the rules: nothing can be made of it.
    await writePastRules(app, `update notices set status = 'withdrawn', holds = 'none' where id = '${notice.id}'`)
    await expect(workOnClocks(app)).rejects.toThrow('1 deadlines of notices could not be worked off.')
    expect(await eventsOf(after)).toEqual(['received', 'overdue'])
    expect(await eventsOf(notice)).toEqual(['received'])
    const clocks = await app.db
      .selectFrom('notice_clocks')
      .select(['failures', sql<boolean>`work_at > now()`.as('waits')])
      .where('notice_id', '=', notice.id)
      .execute()
    expect(clocks).toEqual([{ failures: 1, waits: true }])
    await writePastRules(
      app,
      `update notices set status = 'received', holds = 'hides' where id = '${notice.id}'`,
      `update notice_clocks set work_at = now() where notice_id = '${notice.id}'`,
    )
    await workOnClocks(app)
    expect(await eventsOf(notice)).toEqual(['received', 'overdue'])
  })
})

test('two processes work a deadline off once', async () => {
  const item = await aWork()
  const notice = await aNotice(app, { kind: 'intimate-image', urls: [item.slug], missing: ['signature'] })
  await ageNotice(app, notice, '20 days')
  await Promise.all([workOnClocks(app), workOnClocks(app), workOnClocks(app)])
  expect(await eventsOf(notice)).toEqual(['received', 'overdue', 'hidden'])
})

describe('the one email to a desk', () => {
  const later = (): Promise<void> =>
    writePastRules(
      app,
      ...['notices', 'notice_clocks', 'counter_notices'].map(
        (table) => `update ${table} set notified_at = notified_at - interval '11 minutes'`,
      ),
    )
  const subjects = async () => (await subjectsTo(other.email)).slice(before)
  let before = 0
  beforeEach(async () => {
    before = (await subjectsTo(other.email)).length
  })

  test('comes at once for the first grave notice, and then for all that came within ten minutes', async () => {
    const first = await aNotice(app, { kind: 'intimate-image' })
    for (let count = 0; count < 7; count += 1) await aNotice(app, { kind: 'intimate-image' })
    await workOnClocks(app)
    expect(await subjects()).toEqual([`New notice ${first.reference}`])
    await later()
    await workOnClocks(app)
    await workOnClocks(app)
    expect((await subjects()).slice(1)).toEqual(['7 new notices'])
  })

  test('is about new notices and passed deadlines together, and leaves out what was settled meanwhile', async () => {
    const overdue = await aNotice(app, { kind: 'other' })
    const settled = await aNotice(app, { kind: 'privacy' })
    await aNotice(app, { kind: 'intimate-image' })
    const image = await aNotice(app, { kind: 'intimate-image' })
    await ageNotice(app, overdue, '20 days')
    await ageNotice(app, settled, '20 days')
    await later()
    await workOnClocks(app)
    await decideNotice(app, viewerOf(other, 'admin'), {
      reference: settled.reference,
      version: 1,
      decision: { outcome: 'keep', ground: 'illegal', ...reasons },
    })
    expect((await subjects()).slice(1)).toEqual([`New notice ${image.reference}; Overdue: notice ${overdue.reference}`])
  })
})
