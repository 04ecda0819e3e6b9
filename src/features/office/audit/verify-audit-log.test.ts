import { type RawBuilder, sql } from 'kysely'
import { createHash } from 'node:crypto'
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { uuidv7 } from 'uuidv7'
import { beforeEach, describe, expect, test } from 'vitest'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { anchorAuditLog, auditAnchorsFile } from './audit-anchors.server.ts'
import { checkAuditLog } from './check-audit-log.server.ts'
import { deleteOldAuditEvents } from './delete-old-events.server.ts'
import { recordRestoredLog, readRestoredLog } from './record-restored-backup.server.ts'
import { recordAuditEvent } from './record-audit-event.server.ts'
import { verifyAuditLog } from './verify-audit-log.server.ts'

const dayMs = 86_400_000

const testApp = appOfFile({ now: new Date().toISOString() })

/** Each test has an empty log that nobody has anchored. */
beforeEach(async () => {
  const { app, clock } = testApp
  clock.advance(Date.now() - clock.now())
  app.log.level = 'error'
  await tamper(
    ...['audit_events', 'audit_chain', 'audit_head', 'audit_checks'].map(
      (table) => sql`delete from ${sql.table(table)}`,
    ),
    sql`insert into audit_head default values`,
  )
  await rm(auditAnchorsFile(app.config), { force: true })
})

/** Events of all shapes: with and without subject and details, and with text of more bytes than characters. */
async function record(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    await testApp.app.db.transaction().execute((trx) =>
      recordAuditEvent(trx, {
        action: 'item.changed',
        by: i % 3 === 0 ? 'operator' : { memberId: uuidv7() },
        ...(i % 2 === 0 ? {} : { subject: { kind: 'item', id: uuidv7() } }),
        details: { before: `Ein Märchen 一 ${i}`, 'a key': [null, { deep: true }] },
      }),
    )
  }
}

async function recordOld(days: readonly number[]): Promise<void> {
  for (const age of days) {
    await sql`
      insert into audit_events (id, recorded_at, action, actor)
      values (${uuidv7()}, ${new Date(Date.now() - age * dayMs)}, 'session.opened', 'system')`.execute(testApp.app.db)
  }
}

/** An attacker with every right on the database. */
async function tamper(...statements: RawBuilder<unknown>[]): Promise<void> {
  await testApp.app.db.transaction().execute(async (trx) => {
    for (const table of ['audit_events', 'audit_chain', 'audit_head'])
      await sql`alter table ${sql.table(table)} disable trigger user`.execute(trx)
    for (const statement of statements) await statement.execute(trx)
    for (const table of ['audit_events', 'audit_chain', 'audit_head'])
      await sql`alter table ${sql.table(table)} enable trigger user`.execute(trx)
  })
}

/** Computes the chain anew from a position on, as the database itself would. */
const rewriteFrom = (position: number) => sql`
  do $$
  declare
    row record;
    last bytea := (select hash from audit_chain where position = ${sql.lit(position - 1)});
  begin
    if last is null then last := (select previous_hash from audit_head); end if;
    for row in select c.position, e.* from audit_chain c join audit_events e on e.id = c.event_id
                where c.position >= ${sql.lit(position)} order by c.position loop
      last := sha256(last || convert_to((select audit_text(e) from audit_events e where e.id = row.id), 'UTF8'));
      update audit_chain set hash = last where audit_chain.position = row.position;
    end loop;
    update audit_head set hash = last;
  end $$`

const cutAfter = (position: number) => [
  sql`delete from audit_events where id in (select event_id from audit_chain where position > ${position})`,
  sql`delete from audit_chain where position > ${position}`,
]
const mendHead = sql`
  update audit_head set (position, hash) = (select c.position, c.hash from audit_chain c order by c.position desc limit 1)`

const verify = () => verifyAuditLog(testApp.app)
const anchor = () => anchorAuditLog(testApp.app)
const at = (position: number) => sql`(select event_id from audit_chain where position = ${position})`

test('a log that nobody has touched is whole, with and without anchors, also an empty one', async () => {
  expect(await verify()).toMatchObject({ events: 0, faults: [], anchors: 0 })
  await record(7)
  expect(await verify()).toMatchObject({ events: 7, faults: [], anchors: 0 })
  await anchor()
  await record(3)
  await anchor()
  await anchor()
  expect(await verify()).toMatchObject({ events: 10, faults: [], anchors: 2 })
})

test('the first start anchors position 0, once', async () => {
  await anchor()
  await anchor()
  const lines = (await readFile(auditAnchorsFile(testApp.app.config), 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { position: 0, hash: createHash('sha256').digest('hex'), at: expect.any(String), isStart: true },
  ])
  await tamper(sql`update audit_head set previous_hash = sha256('x')`)
  expect((await verify()).faults[0]?.position).toBe(0)
})

test('every event of more than one batch is checked', async () => {
  await sql`
    insert into audit_events (id, action, actor)
    select gen_random_uuid(), 'session.opened', 'system' from generate_series(1, 2500)`.execute(testApp.app.db)
  expect(await verify()).toMatchObject({ events: 2500, faults: [], anchors: 0 })
  await tamper(sql`update audit_events set actor = 'operator' where id = ${at(2201)}`)
  expect((await verify()).faults.map(({ position }) => position)).toEqual([2201])
})

describe('without an anchor', () => {
  beforeEach(() => record(8))

  test.each([
    ['a changed action', () => sql`update audit_events set action = 'item.deleted' where id = ${at(4)}`],
    ['changed details', () => sql`update audit_events set details = '{"before":"another"}' where id = ${at(4)}`],
    [
      'a changed time',
      () => sql`update audit_events set recorded_at = recorded_at - interval '1 microsecond' where id = ${at(4)}`,
    ],
    [
      'another person',
      () => sql`update audit_events set actor = 'member', actor_id = gen_random_uuid() where id = ${at(4)}`,
    ],
    ['a removed event', () => sql`delete from audit_events where id = ${at(4)}`],
    ['a removed place', () => sql`delete from audit_chain where position = 4`],
    ['a changed hash', () => sql`update audit_chain set hash = sha256('x') where position = 4`],
  ])('%s is found at its position', async (_what, statement) => {
    await tamper(statement())
    const { faults } = await verify()
    expect(faults[0]?.position).toBe(4)
    expect(faults[0]?.sentence).toMatch(/4/)
  })

  test('a changed event whose own hash was computed anew shows at the next one', async () => {
    await tamper(
      sql`update audit_events set action = 'item.deleted' where id = ${at(4)}`,
      sql`update audit_chain c set hash = sha256((select hash from audit_chain where position = 3) || convert_to(audit_text(e), 'UTF8'))
            from audit_events e where e.id = c.event_id and c.position = 4`,
    )
    expect((await verify()).faults.map(({ position }) => position)).toEqual([5])
  })

  test('an event that was written past the trigger has no place in the chain', async () => {
    const id = uuidv7()
    await tamper(sql`insert into audit_events (id, action, actor) values (${id}, 'role.granted', 'operator')`)
    const { faults } = await verify()
    expect(faults).toEqual([{ position: null, sentence: expect.stringContaining(id) }])
  })

  test.each([-7, 999_999_999_999])(
    'an event that was put at position %d stands outside of the chain',
    async (position) => {
      const id = uuidv7()
      await tamper(
        sql`insert into audit_events (id, action, actor) values (${id}, 'role.granted', 'operator')`,
        sql`insert into audit_chain (position, event_id, hash) values (${sql.lit(position)}, ${id}, sha256('any'))`,
      )
      expect((await verify()).faults).toEqual([{ position, sentence: expect.stringContaining(id) }])
    },
  )

  test('a cut end shows by the head', async () => {
    await tamper(...cutAfter(6))
    expect((await verify()).faults[0]?.sentence).toBe('The chain ends at position 6; its head says 8, or another hash.')
  })

  test('a log without its head is not whole', async () => {
    await tamper(sql`delete from audit_head`)
    expect((await verify()).faults).not.toEqual([])
  })

  test('a function of the database that was replaced is not believed', async () => {
    const { rows } = await sql<{ own: string }>`
      select pg_get_functiondef('audit_text(audit_events)'::regprocedure) as own`.execute(testApp.app.db)
    await tamper(
      sql`create or replace function audit_text(event audit_events) returns text language sql stable as 'select ''same'''`,
    )
    await record(1)
    expect((await verify()).faults.map(({ position }) => position)).toEqual([9])
    await tamper(sql.raw(rows[0]?.own ?? ''))
  })
})

describe('with anchors', () => {
  beforeEach(async () => {
    await record(4)
    await anchor()
    await record(4)
    await anchor()
  })

  test('an end that was cut together with its head is found', async () => {
    await tamper(...cutAfter(6), mendHead)
    expect((await verify()).faults).toMatchObject([
      {
        position: 7,
        sentence: expect.stringMatching(
          /^The end was cut: the chain ends at position 6, and position 8 was anchored at /,
        ),
      },
    ])
  })

  test('a chain that was written anew is found, and up to where it is as it was', async () => {
    await tamper(sql`update audit_events set action = 'item.deleted' where id = ${at(6)}`, rewriteFrom(6))
    expect((await verify()).faults).toMatchObject([
      {
        position: 8,
        sentence: expect.stringMatching(
          /position 8 is not what was anchored at .* Up to position 4 it is as it was\.$/,
        ),
      },
    ])
  })

  const cutBefore = (first: number) => [
    sql`update audit_head set first_position = ${first}, previous_hash = (select hash from audit_chain where position = ${first - 1})`,
    sql`delete from audit_events where id in (select event_id from audit_chain where position < ${first})`,
    sql`delete from audit_chain where position < ${first}`,
  ]

  test.each([3, 5, 6])(
    'a beginning that was cut to position %i is found, also before and at an anchor',
    async (first) => {
      await tamper(...cutBefore(first))
      expect((await verify()).faults).toEqual([
        {
          position: first - 1,
          sentence: expect.stringContaining(`The beginning was cut: the chain begins at position ${first},`),
        },
      ])
    },
  )

  test('a beginning that was cut is not made good by the deletion of the next night', async () => {
    await tamper(
      sql`update audit_events set recorded_at = recorded_at - interval '500 days' where id = ${at(3)}`,
      rewriteFrom(3),
      ...cutBefore(3),
    )
    await rm(auditAnchorsFile(testApp.app.config))
    await appendFile(auditAnchorsFile(testApp.app.config), '')
    testApp.app.log.level = 'silent'
    expect(await deleteOldAuditEvents(testApp.app)).toEqual({ deleted: 1 })
    expect((await verify()).faults).toEqual([
      { position: 3, sentence: expect.stringContaining('the chain begins at position 4,') },
    ])
  })

  test('a log that was replaced as a whole is found, also after the deletion of the next night', async () => {
    await record(3)
    await anchor()
    const ids = [uuidv7(), uuidv7()]
    await tamper(
      sql`delete from audit_events`,
      sql`delete from audit_chain`,
      ...ids.map((id) => sql`insert into audit_events (id, action, actor) values (${id}, 'role.granted', 'operator')`),
      ...ids.map(
        (id, place) =>
          sql`insert into audit_chain (position, event_id, hash) values (${sql.lit(5000 + place)}, ${id}, sha256('any'))`,
      ),
      sql`update audit_head set first_position = 5000, previous_hash = sha256('forged'), position = 5001`,
      rewriteFrom(5000),
    )
    const beginning = /^The beginning was cut/
    expect((await verify()).faults.map(({ sentence }) => sentence)).toContainEqual(expect.stringMatching(beginning))
    const { anchors } = await verify()
    expect(anchors).toBeGreaterThan(0)
    expect(await deleteOldAuditEvents(testApp.app)).toEqual({ deleted: 0 })
    const after = await verify()
    expect(after.anchors).toBe(anchors)
    expect(after.faults.map(({ sentence }) => sentence)).toContainEqual(expect.stringMatching(beginning))
  })

  test('a cut beginning without a file is said to have no file', async () => {
    await tamper(...cutBefore(5))
    await rm(auditAnchorsFile(testApp.app.config))
    expect((await verify()).faults).toEqual([
      { position: null, sentence: expect.stringContaining('There is no file of anchors in the data directory') },
    ])
  })

  test('a beginning that another instance has moved is vouched for by what was anchored long ago', async () => {
    await tamper(...cutBefore(5))
    testApp.clock.advance(398 * dayMs)
    expect((await verify()).faults).toHaveLength(1)
    testApp.clock.advance(2 * dayMs)
    expect((await verify()).faults).toEqual([])
  })

  test('a beginning that was cut before its time is found', async () => {
    await record(4)
    await tamper(
      sql`update audit_head set first_position = 7, previous_hash = (select hash from audit_chain where position = 6)`,
      sql`delete from audit_events where id in (select event_id from audit_chain where position < 7)`,
      sql`delete from audit_chain where position < 7`,
    )
    expect((await verify()).faults).toEqual([
      {
        position: 6,
        sentence: expect.stringMatching(/^The beginning was cut: the chain begins at position 7, and no anchor says/),
      },
    ])
  })

  test('a line that a power cut has torn is passed over, and the next anchor begins a new line', async () => {
    await appendFile(auditAnchorsFile(testApp.app.config), '{"position":99,"ha')
    await record(1)
    await anchor()
    expect(await verify()).toMatchObject({ events: 9, faults: [], anchors: 3 })
  })

  test('without the file the chain alone is checked', async () => {
    await rm(auditAnchorsFile(testApp.app.config))
    await tamper(...cutAfter(6), mendHead)
    expect(await verify()).toMatchObject({ events: 6, faults: [], anchors: 0 })
  })
})

describe('old events', () => {
  test('are deleted from the beginning, and what is left is whole', async () => {
    await recordOld([500, 450, 401, 399, 420, 10])
    await record(2)
    await anchor()
    expect(await deleteOldAuditEvents(testApp.app)).toEqual({ deleted: 3 })
    expect(await verify()).toMatchObject({ events: 5, faults: [], anchors: 1 })
    expect(await deleteOldAuditEvents(testApp.app)).toEqual({ deleted: 0 })
    await record(1)
    expect(await verify()).toMatchObject({ events: 6, faults: [] })
    expect(await readFile(auditAnchorsFile(testApp.app.config), 'utf8')).toMatch(/"position":3,.*"isStart":true/)
  })

  test('are deleted in batches, also all of them', async () => {
    await sql`
      insert into audit_events (id, recorded_at, action, actor)
      select gen_random_uuid(), now() - interval '500 days', 'session.opened', 'system' from generate_series(1, 1200)`.execute(
      testApp.app.db,
    )
    expect(await deleteOldAuditEvents(testApp.app)).toEqual({ deleted: 1200 })
    expect(await verify()).toMatchObject({ events: 0, faults: [] })
    await record(2)
    expect(await verify()).toMatchObject({ events: 2, faults: [] })
  })

  test.each([
    [
      'over young events',
      sql`update audit_head set first_position = 2, previous_hash = (select hash from audit_chain where position = 1)`,
    ],
    ['with another hash', sql`update audit_head set first_position = 2, previous_hash = sha256('x')`],
    ['not at all, but the head', sql`update audit_head set position = position - 1`],
    ['away', sql`delete from audit_head`],
    ['away at once', sql`truncate audit_head`],
  ])('the database does not let the beginning be moved %s', async (_how, statement) => {
    await record(3)
    await expect(statement.execute(testApp.app.db)).rejects.toThrow()
  })
})

test('the nightly check keeps what it has found', async () => {
  await record(3)
  await checkAuditLog(testApp.app)
  const check = () => testApp.app.db.selectFrom('audit_checks').select(['events', 'faults']).executeTakeFirstOrThrow()
  const { events, faults } = await check()
  expect([Number(events), faults]).toEqual([3, []])
  await tamper(sql`delete from audit_events where id = ${at(2)}`)
  testApp.app.log.level = 'silent'
  await checkAuditLog(testApp.app)
  expect(await check()).toMatchObject({ faults: [{ position: 2 }] })
})

describe('a restored backup', () => {
  /** The log as it was at position 6, with the anchors of a later day. */
  async function restoreBackup(): Promise<void> {
    await record(6)
    await anchor()
    await record(2)
    await anchor()
    await tamper(...cutAfter(6), mendHead)
  }
  const note = async () => {
    const found = await readRestoredLog(testApp.app)
    if (found !== undefined) await recordRestoredLog(testApp.app, found, 'operator-of-this-machine')
    return found
  }

  test('is noted in the log and beside it, and the chain is anchored again at once', async () => {
    await restoreBackup()
    expect((await verify()).faults).toMatchObject([{ isOfBackup: true }])
    expect(await note()).toMatchObject({ position: 6, anchored: 8 })
    await anchor()
    const verdict = await verify()
    expect(verdict).toMatchObject({ events: 7, faults: [], anchors: 2 })
    expect(verdict.restored).toMatchObject([{ position: 6, anchored: 8, by: 'operator-of-this-machine' }])
    const [event] = await testApp.app.db
      .selectFrom('audit_events')
      .select(['actor', 'details'])
      .where('action', '=', 'log.restored')
      .execute()
    expect(event).toEqual({
      actor: 'operator',
      details: { position: 6, anchored: 8, by: 'operator-of-this-machine' },
    })
    expect(await readRestoredLog(testApp.app)).toBeUndefined()
    // A later cut is found as ever.
    await tamper(...cutAfter(6), mendHead)
    expect((await verify()).faults[0]?.sentence).toMatch(/The end was cut: the chain ends at position 6/)
  })

  test('is noted as well when the chain has grown past its old end before', async () => {
    await restoreBackup()
    await record(4)
    await anchor()
    expect((await verify()).faults[0]?.sentence).toMatch(/written anew/)
    // Position 10 was anchored after the restoring: it is not lost.
    expect(await note()).toMatchObject({ position: 6, anchored: 8, isAtLeast: true })
    await anchor()
    expect(await verify()).toMatchObject({ events: 11, faults: [] })
  })

  test('stays visible after old anchors were thinned out, with what was lost', async () => {
    await restoreBackup()
    await note()
    await record(2)
    await anchor()
    testApp.clock.advance(60 * dayMs)
    await deleteOldAuditEvents(testApp.app)
    await record(1)
    await anchor()
    await deleteOldAuditEvents(testApp.app)
    expect(await verify()).toMatchObject({ faults: [], restored: [{ position: 6, anchored: 8 }] })
    expect(await readFile(auditAnchorsFile(testApp.app.config), 'utf8')).toMatch(/"position":8,"hash"/)
  })

  test('that another server has noted is noted once in the log, and beside it in the directory of each', async () => {
    const first = testApp.app
    const second = { ...first, config: { ...first.config, dataDir: join(first.config.dataDir, 'second') } }
    // Each anchors what it comes to: the second one nothing of the backup.
    await anchorAuditLog(second)
    await record(6)
    await anchor()
    await record(2)
    await anchor()
    await anchorAuditLog(second)
    await record(1)
    await anchorAuditLog(second)
    await tamper(...cutAfter(6), mendHead)
    await note()
    await record(3)
    await anchor()

    const found = await readRestoredLog(second)
    expect(found).toMatchObject({ position: 6, anchored: 9, recordedAt: 7, isAtLeast: false })
    if (found !== undefined) await recordRestoredLog(second, found, 'operator-of-this-machine')
    expect(await verifyAuditLog(second)).toMatchObject({
      events: 10,
      faults: [],
      anchors: 1,
      restored: [{ position: 6, anchored: 9 }],
    })
    expect(await verify()).toMatchObject({ events: 10, faults: [], restored: [{ position: 6, anchored: 8 }] })
    // A change behind the backup is found with either directory.
    await tamper(sql`update audit_events set action = 'item.deleted' where id = ${at(8)}`, rewriteFrom(8))
    for (const app of [first, second]) {
      expect((await verifyAuditLog(app)).faults[0]?.sentence).toMatch(/position 10 is not what was anchored/)
    }
  })

  test('that is restored once more is noted once more', async () => {
    await restoreBackup()
    await note()
    await tamper(...cutAfter(6), mendHead)
    expect(await note()).toMatchObject({ position: 6, anchored: 7, recordedAt: undefined })
    expect(await verify()).toMatchObject({ events: 7, faults: [] })
  })

  test('whose note is cut off is found, at once and without another anchor', async () => {
    await restoreBackup()
    await note()
    await record(3)
    await tamper(...cutAfter(6), mendHead)
    expect((await verify()).faults).toMatchObject([{ position: 7, isOfBackup: true }])
    // Also where the line of the note is the last in the file.
    const file = auditAnchorsFile(testApp.app.config)
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    expect(lines.pop()).toMatch(/"position":7/)
    await writeFile(file, `${lines.join('\n')}\n`)
    expect((await verify()).faults).toMatchObject([
      {
        position: 7,
        sentence: expect.stringMatching(/^The end was cut: .* a restored backup was recorded at position 7/),
      },
    ])
  })

  test('that begins before what was deleted since is noted with its beginning', async () => {
    await recordOld([500, 450])
    await record(4)
    await anchor()
    const file = auditAnchorsFile(testApp.app.config)
    expect(await deleteOldAuditEvents(testApp.app)).toEqual({ deleted: 2 })
    const { hash } = await testApp.app.db
      .selectFrom('audit_chain')
      .select('hash')
      .where('position', '=', '4')
      .executeTakeFirstOrThrow()
    // The file of a later day, when the events up to position 4 were gone and older notes with them.
    const start = { position: 4, hash: Buffer.from(hash).toString('hex'), at: new Date().toISOString(), isStart: true }
    await writeFile(file, `${JSON.stringify(start)}\n`)
    expect((await verify()).faults).toMatchObject([
      { position: 2, sentence: expect.stringMatching(/^The chain begins at position 3, but/), isOfBackup: true },
    ])
    await note()
    expect(await verify()).toMatchObject({ events: 5, faults: [] })
  })

  test('excuses no other fault', async () => {
    await restoreBackup()
    await tamper(sql`update audit_events set action = 'item.deleted' where id = ${at(4)}`)
    await expect(readRestoredLog(testApp.app)).rejects.toThrow(/does not explain this fault. Position 4/)
  })
})
