import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { aMember } from '../../../../tests/harness/members.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { recordAuditEvent } from './record-audit-event.server.ts'

const testApp = appOfFile()

const record = (action: 'role.granted' | 'role.withdrawn', memberId: string): Promise<void> =>
  testApp.app.db
    .transaction()
    .execute((trx) => recordAuditEvent(trx, { action, by: { memberId }, subject: { kind: 'member', id: memberId } }))

test('events of transactions that run at once form one chain, in which each hash covers the one before', async () => {
  const { app } = testApp
  const { id } = await aMember(app)
  await Promise.all(Array.from({ length: 10 }, () => record('role.granted', id)))
  const { rows } = await sql<{ position: string; text: string; hash: Uint8Array }>`
    select c.position, audit_text(e) as text, c.hash
      from audit_chain c join audit_events e on e.id = c.event_id order by c.position`.execute(app.db)
  expect(rows.length).toBeGreaterThanOrEqual(10)
  let hash = createHash('sha256').digest()
  for (const [place, row] of rows.entries()) {
    hash = createHash('sha256').update(hash).update(row.text).digest()
    expect(Number(row.position)).toBe(place + 1)
    expect(Buffer.from(row.hash).equals(hash)).toBe(true)
  }
  const head = await app.db.selectFrom('audit_head').select(['position', 'hash']).executeTakeFirstOrThrow()
  expect(Number(head.position)).toBe(rows.length)
  expect(Buffer.from(head.hash).equals(hash)).toBe(true)
})

test('an event of a transaction that fails is not recorded', async () => {
  const { app } = testApp
  const { id } = await aMember(app)
  const before = await app.db.selectFrom('audit_head').select('position').executeTakeFirstOrThrow()
  const failing = app.db.transaction().execute(async (trx) => {
    await recordAuditEvent(trx, { action: 'role.granted', by: { memberId: id } })
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  expect(await app.db.selectFrom('audit_head').select('position').executeTakeFirstOrThrow()).toEqual(before)
})

test.each([
  ['changed', sql`update audit_events set action = 'role.withdrawn'`],
  ['deleted', sql`delete from audit_events`],
  ['swept away', sql`truncate audit_events`],
  ['unchained', sql`delete from audit_chain`],
])('an event cannot be %s', async (_verb, statement) => {
  await record('role.granted', (await aMember(testApp.app)).id)
  await expect(statement.execute(testApp.app.db)).rejects.toThrow()
})
