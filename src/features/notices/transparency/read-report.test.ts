import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { someItems } from '../../../../tests/harness/items.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import type { NoticeKind } from '../notice/notice-kinds.ts'
import type { Figures, TransparencyReport } from './figures-schema.ts'
import { readReport } from './read-report.server.ts'

const opened = appOfFile({ env: { SITE_TIME_ZONE: 'America/New_York' } })

let count = 0

interface Sample {
  kind: NoticeKind
  status?: 'received' | 'needs-info' | 'in-review' | 'decided' | 'closed' | 'withdrawn'
  receivedAt?: string
  /** Outcome and hours after the receipt; `site` where nobody decided it. */
  decisions?: [outcome: 'remove' | 'restrict' | 'keep', hours: number, by?: 'site'][]
  /** Its name, when it is due, in hours after the receipt, and when it ended. */
  clocks?: [name: string, due: number, outcome: 'met' | 'expired' | 'cancelled' | null, ended?: number][]
  appeal?: 'granted' | 'refused' | 'open'
  counterNotice?: 'restored' | 'kept off' | 'stopped' | 'open'
}

async function aNotice(sample: Sample): Promise<void> {
  const { db } = opened.app
  const { kind, status = 'received', receivedAt = '2024-02-01T12:00:00Z', decisions = [], clocks = [] } = sample
  const after = (hours: number) => new Date(Date.parse(receivedAt) + hours * 3_600_000)
  count += 1
  const id = uuidv7()
  await db
    .insertInto('notices')
    .values({
      id,
      reference: `N-0000-${String(count).padStart(4, '0')}`,
      kind,
      status,
      outcome: decisions.at(-1)?.[0] ?? null,
      holds: ['received', 'needs-info', 'in-review'].includes(status) ? 'holds' : 'none',
      token_digest: Buffer.alloc(32, count),
      received_at: receivedAt,
      completed_at: status === 'needs-info' ? null : receivedAt,
      due_at: clocks.some(([, , outcome]) => outcome === null)
        ? after(Math.min(...clocks.flatMap(([, due, outcome]) => (outcome === null ? [due] : []))))
        : null,
    })
    .execute()
  let last: string | null = null
  for (const [outcome, hours, by] of decisions) {
    const decision = uuidv7()
    await db
      .insertInto('notice_decisions')
      .values({
        id: decision,
        notice_id: id,
        outcome,
        ground: 'illegal',
        legal_ground: 'Law',
        facts: 'Facts.',
        explanation: 'Because.',
        decided_by: by === 'site' ? null : uuidv7(),
        decided_at: after(hours),
        reverses: last,
        category: 'OTHER',
        source_type: 'ARTICLE_16',
        automated_decision: by === 'site' ? 'FULLY' : 'NOT_AUTOMATED',
      })
      .execute()
    last = decision
  }
  for (const [name, due, outcome, ended] of clocks) {
    await db
      .insertInto('notice_clocks')
      .values({
        id: uuidv7(),
        notice_id: id,
        name,
        gravity: 1,
        started_at: receivedAt,
        due_at: after(due),
        outcome,
        ended_at: outcome === null ? null : after(ended ?? due),
      })
      .execute()
  }
  const decision = last ?? ''
  if (sample.appeal !== undefined)
    await db
      .insertInto('notice_appeals')
      .values({
        id: uuidv7(),
        notice_id: id,
        decision_id: decision,
        statement: 'No.',
        ...(sample.appeal === 'open' ? {} : { answered_at: after(99), is_upheld: sample.appeal === 'refused' }),
      })
      .execute()
  if (sample.counterNotice !== undefined)
    await db
      .insertInto('counter_notices')
      .values({
        id: uuidv7(),
        notice_id: id,
        decision_id: decision,
        reference: 'N-0000-0000',
        is_answered: true,
        name: 'Ada',
        address: 'Road 1',
        phone: '1',
        email: 'ada@readers.example',
        explanation: 'It is in the public domain.',
        signature: 'Ada',
        ...(sample.counterNotice === 'restored' || sample.counterNotice === 'kept off'
          ? { state: 'restored' as const, restored_at: after(400) }
          : {}),
        ...(sample.counterNotice === 'stopped' ? { state: 'action' as const, action_notified_at: after(100) } : {}),
      })
      .execute()
  if (sample.counterNotice === 'restored' || sample.counterNotice === 'kept off') {
    const restoration = uuidv7()
    await db
      .insertInto('notice_decisions')
      .values({
        id: restoration,
        notice_id: id,
        outcome: 'keep',
        ground: 'illegal',
        legal_ground: '17 U.S.C. 512(g)(2)(C)',
        facts: 'A counter-notice.',
        explanation: 'No court action.',
        category: 'OTHER',
        source_type: 'ARTICLE_16',
        automated_decision: 'FULLY',
        decided_at: after(400),
        reverses: decision ?? null,
      })
      .execute()
    await db
      .insertInto('notice_decision_items')
      .values({
        decision_id: restoration,
        item_id: uuidv7(),
        name: 'A map',
        path: '/western/a-map',
        was_reported: true,
        effect: sample.counterNotice === 'restored' ? 'published' : 'unchanged',
      })
      .execute()
  }
}

const allOf = (report: TransparencyReport, kind: NoticeKind): Figures | undefined =>
  report.kinds.find((one) => one.kind === kind)?.all
const none = { received: 0, open: 0, decided: 0, medianHours: null, p90Hours: null, inTimePercent: null }
const few = 'fewer than 5'

test('Without a notice there is no year, and every number is none or too small to tell', async () => {
  const report = await readReport(opened.app)
  expect(report.together).toMatchObject({ all: none, years: [] })
  expect(allOf(report, 'child-safety')).toMatchObject({ received: few, open: few, medianHours: null })
  expect(report.published).toMatchObject({ entries: 0 })
})

test('Notices count by kind and by the year of their receipt, in the time zone of the site', async () => {
  // Decided after 10, 20, 30, 40 and 100 hours; the fourth too late, the fifth by an administrator after its entry was hidden.
  const decided = (hours: number, more: Partial<Sample> = {}): Sample => ({
    kind: 'copyright',
    status: 'decided',
    decisions: [['remove', hours]],
    clocks: [
      ['triage', 24, 'met', 5],
      ['decide', 72, 'met', hours],
    ],
    ...more,
  })
  await aNotice(decided(10, { counterNotice: 'restored' }))
  await aNotice(decided(20, { counterNotice: 'stopped', status: 'closed' }))
  await aNotice(decided(30, { appeal: 'refused', counterNotice: 'kept off' }))
  await aNotice(decided(40, { clocks: [['decide', 36, 'expired', 40]], appeal: 'open' }))
  await aNotice(
    decided(100, {
      clocks: [['decide', 72, 'expired']],
      decisions: [
        ['remove', 100],
        ['keep', 200],
      ],
      appeal: 'granted',
    }),
  )
  // In New York it is still 2023.
  await aNotice({ kind: 'copyright', receivedAt: '2024-01-01T03:00:00Z', status: 'withdrawn' })
  // A clock that was cancelled counts for nothing; one that is over while nobody has recorded it counts as missed.
  await aNotice({ kind: 'privacy', status: 'in-review', clocks: [['decide', 168, 'cancelled', 2]] })
  await aNotice({ kind: 'privacy', status: 'needs-info', clocks: [['decide', 168, null]] })
  // The site decided it; another decision of the same outcome reverses nothing.
  await aNotice({
    kind: 'other',
    status: 'decided',
    decisions: [
      ['restrict', 8, 'site'],
      ['restrict', 9],
    ],
    clocks: [['decide', 100, 'met', 8]],
  })

  const report = await readReport(opened.app)
  expect(allOf(report, 'copyright')).toEqual({
    received: 6,
    incomplete: 0,
    open: 0,
    overdue: 0,
    decided: 5,
    withdrawn: 1,
    duplicates: 0,
    medianHours: 30,
    // For 10, 20, 30, 40 and 100, nine tenths of the way are 40 + 0.6 × 60.
    p90Hours: 76,
    // 10, 20 and 30 of five.
    inTimePercent: 60,
    removed: 2,
    restricted: 0,
    kept: 3,
    decidedBySite: 2,
    reversals: 3,
    appeals: 3,
    appealsGranted: 1,
    appealsRefused: 1,
    counterNotices: 3,
    counterNoticesRestored: 1,
    counterNoticesStopped: 1,
  })
  expect(allOf(report, 'privacy')).toMatchObject({
    received: 2,
    incomplete: 1,
    open: 2,
    overdue: 1,
    decided: 0,
    medianHours: null,
    inTimePercent: 0,
  })
  expect(allOf(report, 'other')).toMatchObject({
    received: 1,
    restricted: 1,
    medianHours: 8,
    inTimePercent: 100,
    decidedBySite: 1,
    reversals: 0,
  })
  expect(allOf(report, 'consent')).toMatchObject(none)
  expect(report.together.all).toMatchObject({
    received: 9,
    incomplete: 1,
    open: 2,
    overdue: 1,
    decided: 6,
    withdrawn: 1,
    removed: 2,
    kept: 3,
  })
  // 8, 10, 20, 30, 40, 100; in time 10, 20, 30 and 8 of seven.
  expect(report.together.all).toMatchObject({ medianHours: 25, p90Hours: 70, inTimePercent: 57 })
  expect(report.together.years.map(({ year, figures }) => [year, figures.received])).toEqual([
    [2024, 8],
    [2023, 1],
  ])
  const copyright = report.kinds.find(({ kind }) => kind === 'copyright')
  expect(copyright?.years.map(({ year, figures }) => [year, figures.received, figures.decided])).toEqual([
    [2024, 5, 5],
    [2023, 1, 0],
  ])
})

test('Of the kinds where a number could point at a person it is told in fives, in no sum, and in no year of its own', async () => {
  for (let n = 0; n < 4; n += 1)
    await aNotice({
      kind: 'intimate-image',
      status: 'decided',
      receivedAt: '2021-05-05T00:00:00Z',
      decisions: [['remove', 3]],
      clocks: [['decide', 24, 'met', 3]],
    })
  let report = await readReport(opened.app)
  expect(allOf(report, 'intimate-image')).toMatchObject({ received: few, decided: few, removed: few })
  expect(allOf(report, 'intimate-image')).toMatchObject({ medianHours: null, p90Hours: null, inTimePercent: null })
  expect(report.together.years.map(({ year }) => year)).toEqual([2024, 2023])

  for (let n = 0; n < 3; n += 1)
    await aNotice({
      kind: 'intimate-image',
      status: 'decided',
      receivedAt: '2022-05-05T00:00:00Z',
      decisions: [['remove', 5, 'site']],
      clocks: [['decide', 24, 'expired']],
    })
  report = await readReport(opened.app)
  // Four of seven were in time, four after 3 hours.
  expect(allOf(report, 'intimate-image')).toMatchObject({
    received: 5,
    decided: 5,
    removed: 5,
    open: few,
    kept: few,
    decidedBySite: few,
    medianHours: 3,
    inTimePercent: 57,
  })
  // 7 in all and 'fewer than 5' of one year would tell of the other one.
  expect(report.together.all.received).toBe(9)
  expect(report.together.years.map(({ year }) => year)).toEqual([2024, 2023])

  await aNotice({ kind: 'intimate-image', receivedAt: '2021-05-05T00:00:00Z' })
  report = await readReport(opened.app)
  expect(report.together.years.map(({ year, figures }) => [year, figures.received])).toEqual([
    [2024, 8],
    [2023, 1],
    [2021, 0],
  ])
})

test('What is published counts by the basis of its rights, from an index alone', async () => {
  const { app } = opened
  await someItems(app, [
    { name: 'The Moonstone' },
    { name: 'Walden' },
    { name: 'A draft', status: 'draft' },
    { name: 'A map of our own', rightsBasis: 'own_work' },
  ])
  const { published } = await readReport(app)
  expect(published.entries).toBe(3)
  expect(published.bases.filter(({ entries }) => entries > 0)).toEqual([
    { basis: 'own_work', entries: 1 },
    { basis: 'public_domain', entries: 2 },
  ])
  const { rows } = await app.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx)
    await sql`set local enable_bitmapscan = off`.execute(trx)
    return sql<{ 'QUERY PLAN': string }>`
      explain select rights_basis, count(*) from items where status = 'published' group by rights_basis`.execute(trx)
  })
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Only Scan using items_published_by_basis')
})

test('A second person verifies where the site asks for one and has one', async () => {
  const { app } = opened
  const asks = { ...app, config: { ...app.config, requiresSecondPerson: true } }
  const verification = async (given: typeof asks) => (await readReport(given)).verification
  await aMember(app, { isAdmin: true })
  expect([await verification(app), await verification(asks)]).toEqual(['single-operator', 'single-operator'])
  await aMember(app, { isAdmin: true })
  expect([await verification(app), await verification(asks)]).toEqual(['single-operator', 'second-person'])
})
