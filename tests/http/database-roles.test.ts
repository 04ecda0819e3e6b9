import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runCommand } from '../../src/cli.ts'
import { deleteOldAuditEvents } from '../../src/features/office/audit/delete-old-events.server.ts'
import { checkAuditLog } from '../../src/features/office/audit/check-audit-log.server.ts'
import { verifyAuditLog } from '../../src/features/office/audit/verify-audit-log.server.ts'
import { findTooManyRights } from '../../src/db/postgres/grant-rights.ts'
import { drainJobs } from '../harness/drain.ts'
import { anItem, editItem } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { openTestApp } from '../harness/test-app.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/*
 * Two roles (docs/spec/security.md#database-roles): one owns the schema and migrates, the other runs the site and changes rows alone.
 */

const prepared = inject('preparedDatabase')
const mark = randomUUID().slice(0, 8)
const [name, owner, runner] = [`daybook_roles_${mark}`, `daybook_owner_${mark}`, `daybook_runner_${mark}`]

describe.skipIf(prepared.engine === 'embedded')('a site with two roles', () => {
  const serverUrl = prepared.engine === 'embedded' ? '' : prepared.serverUrl
  let server: TestServer
  /** As somebody who has the address of the running site. */
  let thief: pg.Client

  function addressOf(role: string): string {
    const url = new URL(databaseUrl(serverUrl, name))
    url.username = role
    url.password = `secret-${mark}`
    return url.href
  }
  const env = () => ({ DATABASE_URL: addressOf(runner), MIGRATION_DATABASE_URL: addressOf(owner) })

  beforeAll(async () => {
    for (const role of [owner, runner]) await onServer(serverUrl, `create role ${role} login password 'secret-${mark}'`)
    await onServer(serverUrl, `create database ${name} owner ${owner}`)
    server = await openTestServer({ env: env(), jobs: true })
    thief = new pg.Client({ connectionString: addressOf(runner) })
    await thief.connect()
  })
  afterAll(async () => {
    await thief?.end()
    await server?.close()
    await onServer(serverUrl, `drop database if exists ${name} with (force)`)
    for (const role of [owner, runner]) await onServer(serverUrl, `drop role if exists ${role}`)
  })

  test('does all that a site does: people, entries, jobs, emails, the record and the end of its old events', async () => {
    const { app } = server
    expect(await findTooManyRights(app.db)).toBeUndefined()
    const admin = await aMember(app, { isAdmin: true })
    const token = await signIn(server, admin)
    const answer = await post(server, '/auth/register', {
      name: 'A Reader',
      email: 'reader@readers.example',
      password: 'a quiet reading room',
    })
    expect(answer.status, answer.text).toBe(201)
    const item = await anItem(app, { name: 'An entry' })
    await editItem(app, item, { name: 'An entry with another name' })
    expect((await server.search('filter=all')).items.length).toBeGreaterThan(0)
    await drainJobs(app)
    expect((await server.request('/api/audit', { headers: bearer(token) })).status).toBe(200)

    const old = await app.db
      .insertInto('audit_events')
      .values(
        Array.from({ length: 3 }, () => ({
          id: randomUUID(),
          recorded_at: new Date('2000-01-01'),
          action: 'session.opened',
          actor: 'system' as const,
          details: '{}',
        })),
      )
      .returning('id')
      .execute()
    expect(old).toHaveLength(3)
    // Old events are deleted from the beginning of the chain on: these stand behind younger ones.
    expect(await deleteOldAuditEvents(app)).toEqual({ deleted: 0 })
    await checkAuditLog(app)
    expect((await verifyAuditLog(app)).faults).toEqual([])
  })

  const schema = [
    'create table mine (id int)',
    'create schema mine',
    'alter table users add column mine int',
    'drop table users',
    'create index mine on users (name)',
    'create function mine() returns int language sql as $$ select 1 $$',
    'create or replace function chain_audit_event() returns trigger language plpgsql as $$ begin return null; end $$',
    'alter function chain_audit_event() security invoker',
    'drop trigger keep_audit_events on audit_events',
    'alter table audit_events disable trigger all',
    "set session_replication_role = 'replica'",
    "insert into kysely_migration (name, timestamp) values ('9999-mine', '')",
    `alter role ${runner} superuser`,
    'create trigger mine before insert on audit_events for each row execute function keep_audit_events()',
  ]
  const record = [
    "update audit_events set action = 'nothing.done'",
    'delete from audit_events',
    'truncate audit_events cascade',
    "insert into audit_chain (position, event_id, hash) values (999, gen_random_uuid(), sha256(''))",
    'update audit_chain set hash = hash',
    'delete from audit_chain',
    'truncate audit_chain',
    'update audit_head set position = 0',
    'delete from audit_head',
    'truncate audit_head',
    'insert into audit_head default values',
  ]

  test.each([...schema, ...record])('lets whoever has its address not: %s', async (statement) => {
    await expect(thief.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('lets them cut nothing off the record that is younger than 30 days', async () => {
    await server.app.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('audit_events')
        .values({ id: randomUUID(), action: 'session.opened', actor: 'system', details: '{}' })
        .execute()
    })
    for (const first of ['2', '(select position + 1 from audit_head)', '0', '-5'])
      await expect(thief.query(`select cut_audit_log(${first})`)).rejects.toMatchObject({ code: 'DB012' })
    // A table of their own name is not taken for the record.
    await thief.query('create temp table audit_head (like audit_head)')
    await thief.query('create temp table audit_chain (like audit_chain)')
    await expect(thief.query('select cut_audit_log(2)')).rejects.toMatchObject({ code: 'DB012' })
    await thief.query('drop table pg_temp.audit_head; drop table pg_temp.audit_chain')
    expect((await verifyAuditLog(server.app)).faults).toEqual([])
  })

  test('gives up statements that people wait for, and lets long work take its time', async () => {
    const { db, maintenanceDb } = server.app
    const limitsOf = async (one: typeof db) => {
      const { rows } = await sql<Record<string, string>>`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`.execute(one)
      return rows[0]
    }
    expect(await limitsOf(db)).toEqual({ statement: '30s', lock: '10s' })
    expect(await limitsOf(maintenanceDb)).toEqual({ statement: '0', lock: '0' })
  })

  test('starts again, and also beside another that starts', async () => {
    const others = await Promise.all([openTestApp({ env: env() }), openTestApp({ env: env() })])
    for (const other of others) {
      expect(await findTooManyRights(other.app.db)).toBeUndefined()
      await other.close()
    }
  })

  test('gets its rights from a command, and from a start, where the owner alone has restored the tables', async () => {
    const asOwner = new pg.Client({ connectionString: addressOf(owner) })
    await asOwner.connect()
    const dataDir = await mkdtemp(join(tmpdir(), 'daybook-roles-'))
    try {
      for (const begin of [
        async () => expect(await runCommand(['admin', 'list'], { ...env(), DATA_DIR: dataDir })).toBe(0),
        async () => (await openTestApp({ env: env() })).close(),
      ]) {
        await asOwner.query(`revoke all on all tables in schema public from ${runner}`)
        await expect(thief.query('select from users')).rejects.toThrow(/permission denied/)
        await begin()
        await thief.query('select from users')
      }
    } finally {
      await asOwner.end()
      await rm(dataDir, { recursive: true })
    }
  })

  test('starts with the role that runs alone, where everything is migrated', async () => {
    const other = await openTestApp({ env: { DATABASE_URL: addressOf(runner) } })
    await other.close()
  })

  test('does not start where both addresses name one role, or two databases', async () => {
    await expect(openTestApp({ env: { ...env(), MIGRATION_DATABASE_URL: addressOf(runner) } })).rejects.toThrow(
      /^MIGRATION_DATABASE_URL must be the address with another role than DATABASE_URL/,
    )
    await expect(
      openTestApp({ env: { ...env(), MIGRATION_DATABASE_URL: addressOf('nobody_of_that_name') } }),
    ).rejects.toThrow(/^The database that MIGRATION_DATABASE_URL names cannot be used: /)
  })

  test.each(['inherit', 'noinherit'])('is warned of a role that can do more, with %s', async (inheritance) => {
    await onServer(serverUrl, `alter role ${runner} ${inheritance}`)
    await onServer(serverUrl, `grant ${owner} to ${runner}`)
    try {
      expect(await findTooManyRights(server.app.db)).toBe(
        'it owns the table audit_events, or is a member of the role that does',
      )
    } finally {
      await onServer(serverUrl, `revoke ${owner} from ${runner}`)
      await onServer(serverUrl, `alter role ${runner} inherit`)
    }
  })
})
