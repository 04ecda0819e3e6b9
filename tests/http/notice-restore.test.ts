import { sql } from 'kysely'
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { App } from '../../src/app/app.ts'
import { acceptCounterNotice } from '../../src/features/notices/desk/counter-notice.server.ts'
import { decideNotice } from '../../src/features/notices/desk/decide-notice.server.ts'
import { workOnClocks } from '../../src/features/notices/desk/work-on-clocks.server.ts'
import { journalFile, RemovalJournal } from '../../src/features/notices/journal/journal-file.server.ts'
import { keepJournal } from '../../src/features/notices/journal/keep-journal.server.ts'
import { reconcileJournal } from '../../src/features/notices/journal/reconcile-journal.server.ts'
import { liftRemovals } from '../../src/features/notices/journal/lift-removals.server.ts'
import { allInvariants, checkInvariant } from '../../src/features/site/invariants/check-invariant.server.ts'
import { openLog } from '../../src/platform/log.ts'
import { takeBackup } from '../harness/backup.ts'
import { drainJobs } from '../harness/drain.ts'
import { anItem, deleteAllItems, type ItemOverrides, type MadeItem, statusOfItem } from '../harness/items.ts'
import { aMember, viewerOf } from '../harness/members.ts'
import { ageNotice, aNotice, deleteAllNotices, type MadeNotice } from '../harness/notices.ts'
import { writePastRules } from '../harness/past-rules.ts'
import { appOfFile } from '../harness/test-app.ts'
import { fileCounterNoticeTo } from '../harness/counter-notices.ts'

/* The removals that a restored backup undoes, and their repair by the journal (docs/spec/notices.md#journal). */

let app: App
let ada: { id: string }

const opened = appOfFile({ now: new Date().toISOString(), log: openLog('silent') })

beforeAll(async () => {
  ;({ app } = opened)
  // The first administrator is the safety officer.
  await aMember(app, { email: 'officer@library.example', isAdmin: true })
  ada = await aMember(app, { email: 'ada@library.example', isAdmin: true })
})
afterEach(async () => {
  await drainJobs(app)
  await rm(journalFile(app.config), { force: true })
  await deleteAllNotices(app)
  await writePastRules(app, 'delete from removal_journals')
  await deleteAllItems(app)
  for (const name of ['restored', 'cut', 'missing']) await app.alarms.end(`removals.${name}`)
})

let works = 0
const aWork = (overrides: ItemOverrides = {}): Promise<MadeItem> => {
  works += 1
  return anItem(app, { name: `Work ${works}`, link: `https://mega.nz/file/restore${works}`, ...overrides })
}
const statusOf = (item: { id: string }): Promise<string> => statusOfItem(app, item)
const blocked = async (): Promise<number> =>
  Number(
    (
      await app.db
        .selectFrom('blocked_links')
        .select(sql<string>`count(*)`.as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
const repairs = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from audit_events where action = 'removals.repaired'`.execute(app.db)
  return rows[0]?.n ?? 0
}
const decide = async ({ reference, id }: MadeNotice, outcome: 'remove' | 'restrict' | 'keep') => {
  const { version } = await app.db
    .selectFrom('notices')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await decideNotice(app, viewerOf(ada, 'admin'), {
    reference,
    version,
    decision: {
      outcome,
      ground: 'illegal',
      legalGround: '17 U.S.C. 106',
      facts: 'The same text.',
      explanation: 'It is a copy.',
    },
  })
}
const lift = ({ reference }: { reference: string }) =>
  liftRemovals(app, { reference, reason: 'The restore was a mistake.', by: 'ops' })
const alarms = async (): Promise<Record<string, { sentence: string; times: number }>> => {
  await app.alarms.settle()
  const rows = await app.db.selectFrom('alarms').select(['name', 'sentence', 'times']).execute()
  return Object.fromEntries(rows.map(({ name, ...rest }) => [name, rest]))
}
const text = (): Promise<string> => readFile(journalFile(app.config), 'utf8')
const lines = async (): Promise<Record<string, unknown>[]> =>
  (await text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** Everything that a run may leave: events of the audit log, alarms, lines, and how the entries stand. */
async function traces() {
  const { rows: events } = await sql<{ n: number }>`select count(*)::int as n from audit_events`.execute(app.db)
  const { rows: items } = await sql`select id, status, version from items order by id`.execute(app.db)
  return { events, items, alarms: await alarms(), journal: await text() }
}

/** Three runs leave nothing, and what must always be true is. */
async function expectQuiet(): Promise<void> {
  await reconcileJournal(app)
  const before = await traces()
  for (let run = 0; run < 3; run += 1) {
    await reconcileJournal(app)
    expect(await traces()).toEqual(before)
  }
  for (const invariant of allInvariants()) {
    if (!/^(items|notices)\./.test(invariant.name)) continue
    expect(await checkInvariant(app.db, invariant), invariant.name).toMatchObject({ broken: 0 })
  }
}

describe('a restored backup from before a decision', () => {
  test.each(['remove', 'restrict'] as const)(
    'that was to %s: the entry is off again, its links too, and all are told',
    async (outcome) => {
      const before = await repairs()
      const item = await aWork()
      const notice = await aNotice(app, { urls: [item.slug] })
      await reconcileJournal(app)
      const restore = await takeBackup(app)
      await decide(notice, outcome)
      const links = await blocked()
      const status = await statusOf(item)
      await expectQuiet()
      await restore()
      expect(await statusOf(item)).toBe('published')
      await reconcileJournal(app)
      expect(await statusOf(item)).toBe(status)
      expect(await blocked()).toBe(links)
      const told = await alarms()
      expect(told['removals.restored']?.sentence).toContain('1 entry had been on the site')
      expect(await repairs()).toBe(before + 1)
      await expectQuiet()
      expect((await alarms())['removals.restored']?.times).toBe(1)
    },
  )

  test('names the notices that are lost with their deadlines, and hides what they hid until a person lifts it', async () => {
    const restore = await takeBackup(app)
    const item = await aWork()
    await reconcileJournal(app)
    const second = await takeBackup(app)
    const notice = await aNotice(app, { kind: 'child-safety', urls: [item.slug] })
    const copyright = await aNotice(app, { urls: [item.slug] })
    await reconcileJournal(app)
    expect(await text()).not.toMatch(/child|person|Child|officer|@/)
    await second()
    await reconcileJournal(app)
    expect(await statusOf(item)).toBe('restricted')
    const sentence = (await alarms())['removals.restored']?.sentence ?? ''
    expect(sentence).toMatch(new RegExp(`${notice.reference} \\(decide by \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\dZ\\)`))
    expect(sentence).toMatch(new RegExp(`${copyright.reference} \\(triage by [^)]+, hide by [^)]+\\)`))
    await expectQuiet()
    // The hidden entry is for safety officers: the notice may be one about a child at risk.
    const { details } = await app.db
      .selectFrom('audit_events')
      .select('details')
      .where('action', '=', 'item.restricted')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(details).toMatchObject({ onlyFor: 'safety officers' })
    await lift(notice)
    expect(await statusOf(item)).toBe('published')
    await expectQuiet()
    // A backup that does not even have the entry.
    await restore()
    await expectQuiet()
  })

  test('blocks the links of an entry that it does not have', async () => {
    await reconcileJournal(app)
    const restore = await takeBackup(app)
    const item = await aWork({ link: 'https://mega.nz/file/lostentry' })
    const notice = await aNotice(app, { urls: [item.slug] })
    await decide(notice, 'remove')
    await restore()
    await reconcileJournal(app)
    await expect(aWork({ link: 'https://mega.nz/file/lostentry' })).rejects.toMatchObject({ code: 'DB014' })
    await expectQuiet()
    await lift(notice)
    const again = await aWork({ link: 'https://mega.nz/file/lostentry' })
    expect(await statusOf(again)).toBe('published')
    await expectQuiet()
  })

  test('is put right at the desk by a decision to keep, or to remove once more', async () => {
    const item = await aWork()
    const notice = await aNotice(app, { urls: [item.slug] })
    await reconcileJournal(app)
    const restore = await takeBackup(app)
    await decide(notice, 'remove')
    await restore()
    await reconcileJournal(app)
    await expect(lift(notice)).rejects.toThrow('Decide it at the desk')
    await decide(notice, 'remove')
    expect(await statusOf(item)).toBe('removed')
    await expectQuiet()
    await expect(lift(notice)).rejects.toThrow('Make another decision at the desk')
    await decide(notice, 'keep')
    expect(await statusOf(item)).toBe('published')
    expect(await blocked()).toBe(0)
    await expectQuiet()
    await expect(lift(notice)).rejects.toThrow('Nothing is kept off')
    await restore()
    await reconcileJournal(app)
    await decide(notice, 'keep')
    expect(await statusOf(item)).toBe('published')
    await expectQuiet()
  })

  test('to reverse a removal leaves the entry off, and names the lost reversal', async () => {
    const item = await aWork()
    const notice = await aNotice(app, { urls: [item.slug] })
    await reconcileJournal(app)
    await decide(notice, 'remove')
    const restore = await takeBackup(app)
    await decide(notice, 'keep')
    await restore()
    await reconcileJournal(app)
    expect(await statusOf(item)).toBe('removed')
    expect((await alarms())['removals.restored']?.sentence).toContain(
      `Lost decisions to give entries back: ${notice.reference}.`,
    )
    await expectQuiet()
    await decide(notice, 'keep')
    expect(await statusOf(item)).toBe('published')
    await expectQuiet()
  })

  test('does not put back what was given back since, however often it is restored', async () => {
    const item = await aWork()
    const notice = await aNotice(app, { urls: [item.slug] })
    await reconcileJournal(app)
    const restore = await takeBackup(app)
    await decide(notice, 'remove')
    await decide(notice, 'keep')
    await reconcileJournal(app)
    for (let times = 0; times < 2; times += 1) {
      await restore()
      await expectQuiet()
      expect(await statusOf(item)).toBe('published')
    }
  })

  test('keeps off what other entries have of the removed one, and gives them back with it', async () => {
    const link = 'https://mega.nz/file/shared'
    const item = await aWork({ link })
    const other = await aWork({ link })
    const notice = await aNotice(app, { urls: [item.slug] })
    await reconcileJournal(app)
    const restore = await takeBackup(app)
    await decide(notice, 'remove')
    expect(await statusOf(other)).toBe('restricted')
    await expectQuiet()
    await restore()
    await reconcileJournal(app)
    expect(await statusOf(other)).toBe('restricted')
    expect((await alarms())['removals.restored']?.sentence).toContain('2 entries had been on the site')
    await expectQuiet()
    await decide(notice, 'keep')
    expect([await statusOf(item), await statusOf(other)]).toEqual(['published', 'published'])
    await expectQuiet()
  })
})

describe('nothing is repaired, recorded or told', () => {
  test('after a removal, its reversal, a release, and a counter-notice that gives back', async () => {
    const link = 'https://mega.nz/file/countered'
    const item = await aWork({ link })
    const other = await aWork({ link })
    const notice = await aNotice(app, { urls: [item.slug] })
    await expectQuiet()
    await decide(notice, 'remove')
    await expectQuiet()
    await decide(notice, 'keep')
    await expectQuiet()
    await decide(notice, 'remove')
    await expectQuiet()
    const { version } = await app.db
      .selectFrom('notices')
      .select('version')
      .where('id', '=', notice.id)
      .executeTakeFirstOrThrow()
    const counterNoticeId = (await fileCounterNoticeTo(app, notice.reference, { slugs: [item.slug] })) ?? ''
    await acceptCounterNotice(app, viewerOf(ada, 'admin'), {
      reference: notice.reference,
      counterNoticeId,
      version: version + 1,
    })
    await expectQuiet()
    await ageNotice(app, notice, '30 days')
    await workOnClocks(app)
    expect([await statusOf(item), await statusOf(other)]).toEqual(['published', 'published'])
    await expectQuiet()
    const hiding = await aNotice(app, { kind: 'intimate-image', urls: [item.slug] })
    await expectQuiet()
    await decide(hiding, 'restrict')
    await expectQuiet()
    await decide(hiding, 'keep')
    expect(await statusOf(item)).toBe('published')
    await expectQuiet()
    expect(await alarms()).toEqual({})
  })

  test('where a removed entry was given back and deleted', async () => {
    const item = await aWork()
    const notice = await aNotice(app, { kind: 'intimate-image', urls: [item.slug] })
    await reconcileJournal(app)
    await decide(notice, 'keep')
    await app.db.deleteFrom('items').where('id', '=', item.id).execute()
    await expectQuiet()
    expect(await alarms()).toEqual({})
  })
})

describe('the file', () => {
  test('is its owner’s alone, holds no address and no name, and a decision is in it at once', async () => {
    await reconcileJournal(app)
    const item = await aWork()
    const notice = await aNotice(app, { urls: [item.slug] })
    await decide(notice, 'remove')
    expect((await stat(journalFile(app.config))).mode & 0o777).toBe(0o600)
    expect((await lines()).find(({ type }) => type === 'removed')).toMatchObject({
      reference: notice.reference,
      about: 'copyright',
      entry: item.id,
      slug: item.slug,
      answer: 451,
    })
    expect(await text()).not.toMatch(/mega\.nz|@|Ada/)
  })

  test('is filled from a database that has removals already, which is recorded', async () => {
    const item = await aWork()
    await decide(await aNotice(app, { urls: [item.slug] }), 'remove')
    await reconcileJournal(app)
    expect((await lines()).map(({ type }) => type)).toContain('removed')
    const events = await app.db
      .selectFrom('audit_events')
      .select('details')
      .where('action', '=', 'removals.recorded')
      .execute()
    expect(events.length).toBeGreaterThan(0)
    await expectQuiet()
  })

  test('that is gone is filled again; on the embedded database that is an alarm', async () => {
    await reconcileJournal(app)
    await rm(journalFile(app.config))
    await reconcileJournal(app)
    expect(Object.keys(await alarms())).toEqual(app.config.databaseUrl === undefined ? ['removals.missing'] : [])
    await expectQuiet()
  })

  test('with a torn end is read without it, and goes on', async () => {
    const item = await aWork()
    await decide(await aNotice(app, { urls: [item.slug] }), 'remove')
    await reconcileJournal(app)
    const whole = await text()
    await truncate(journalFile(app.config), Buffer.byteLength(whole) - 5)
    await reconcileJournal(app)
    expect((await new RemovalJournal(app.config).read()).state.removals.size).toBe(1)
    await writeFile(journalFile(app.config), '{"no":99,"prev', { flag: 'a' })
    await reconcileJournal(app)
    expect(await text()).not.toContain('"prev\n')
    await expectQuiet()
  })

  test('whose end was cut off is told of, and has again what the database has', async () => {
    const item = await aWork()
    await reconcileJournal(app)
    const before = await text()
    await decide(await aNotice(app, { urls: [item.slug] }), 'remove')
    await reconcileJournal(app)
    await writeFile(journalFile(app.config), before)
    await reconcileJournal(app)
    expect(Object.keys(await alarms())).toContain('removals.cut')
    expect((await lines()).map(({ type }) => type)).toContain('removed')
    await expectQuiet()
  })

  test('that grows while it is compared, by another worker too, is not taken for cut', async () => {
    const item = await aWork()
    await reconcileJournal(app)
    const before = await app.removalJournal.read()
    await decide(await aNotice(app, { urls: [item.slug] }), 'remove')
    await reconcileJournal(app)
    vi.spyOn(app.removalJournal, 'read').mockResolvedValueOnce(before)
    await reconcileJournal(app)
    expect(Object.keys(await alarms())).toEqual([])
    await expectQuiet()
  })

  test('that somebody has changed in the middle stops the start, and names the line', async () => {
    const item = await aWork()
    await decide(await aNotice(app, { urls: [item.slug] }), 'remove')
    await reconcileJournal(app)
    const [first = '', ...rest] = (await text()).split('\n')
    await writeFile(journalFile(app.config), [first.replace('begun', 'bogus'), ...rest].join('\n'))
    await expect(reconcileJournal(app)).rejects.toThrow(
      /^Line 2 of the journal of removals .* is not as the site has written it/,
    )
    await writeFile(journalFile(app.config), ['garbage', ...rest].join('\n'))
    await expect(reconcileJournal(app)).rejects.toThrow(/^Line 1 /)
  })

  test('is kept by each of several processes within a minute, wherever a decision was made', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'daybook-second-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const second = { ...app, removalJournal: new RemovalJournal({ dataDir }) }
    await reconcileJournal(second)
    const item = await aWork()
    await decide(await aNotice(app, { urls: [item.slug] }), 'remove')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const stop = keepJournal(second)
    vi.advanceTimersByTime(60_000)
    await stop()
    const { state } = await second.removalJournal.read()
    expect([...state.removals.values()].map(({ entry }) => entry)).toContain(item.id)

    // A file that cannot be read is told to administrators.
    await writeFile(journalFile({ dataDir }), 'garbage\n')
    const again = keepJournal(second)
    vi.advanceTimersByTime(60_000)
    await again()
    expect((await alarms())['removals.unreadable']?.sentence).toContain('Line 1 of the journal of removals')
  })
})
