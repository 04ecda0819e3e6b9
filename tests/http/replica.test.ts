import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { routes } from '../../src/app/server.ts'
import { serverChecks } from '../../src/platform/doctor/examine-database.ts'
import { openLog } from '../../src/platform/log.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../harness/database-proxy.ts'
import { anItem } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/*
 * Reads from a replica (docs/decisions/2026-11-30-reads-from-a-replica.md). The replica is another database with other members,
 * which says of itself what a standby says; `npm run prove -- replica` has a real one.
 */

const prepared = inject('preparedDatabase')
const metricsToken = 'a-token-of-a-test'
const membersOfReplica = 2_300
const longAgo = '0/1'
const farAhead = 'FFFFFFFF/0'

let proxy: DatabaseProxy
let server: TestServer
let administrator: MadeMember
let headers: Record<string, string>
let serverUrl = ''
const names = { primary: '', replica: '' }
const lines: { msg?: string }[] = []

const output = new Writable({
  write(line: Buffer, _encoding, done) {
    lines.push(JSON.parse(line.toString()) as (typeof lines)[number])
    done()
  },
})

const onReplica = (...statements: string[]) => onServer(databaseUrl(serverUrl, names.replica), ...statements)

/** How far the replica says that it is, and whether it says that it is a standby. */
const replicaIs = (position: string, isStandby = true) =>
  onReplica(`update standby.state set position = '${position}', is_standby = ${isStandby}`)

async function makeReplica(): Promise<string> {
  await onReplica(
    'create schema standby',
    `create table standby.state (position pg_lsn, is_standby boolean)`,
    `insert into standby.state values ('${farAhead}', true)`,
    `create function standby.pg_is_in_recovery() returns boolean language sql as 'select is_standby from standby.state'`,
    `create function standby.pg_last_wal_replay_lsn() returns pg_lsn language sql as 'select position from standby.state'`,
    `create function standby.current_database() returns name language sql as $$ select '${names.primary}'::name $$`,
    `insert into users (id, name, email, email_folded, created_at)
       select gen_random_uuid(), 'Reader of the replica', address, address, now()
         from (select 'reader-' || n || '@replica.example' as address from generate_series(1, ${membersOfReplica}) n) made`,
  )
  const url = new URL(databaseUrl(serverUrl, names.replica))
  // Its own functions go before those of PostgreSQL.
  url.searchParams.set('options', '-c search_path=standby,pg_catalog,public')
  return proxy.through(url.href)
}

async function peopleOf(path = '/api/people'): Promise<string[]> {
  const { status, json, text } = await server.request(path, { headers })
  expect(status, text).toBe(200)
  return (json() as { people: { email: string }[] }).people.map(({ email }) => email.replace(/.*@/, ''))
}

async function figures(name: string, label: string): Promise<Record<string, number>> {
  const { text } = await server.request('/metrics', { headers: bearer(metricsToken) })
  const found = text.matchAll(new RegExp(`^${name}\\{${label}="(\\w+)"\\} (\\d+)$`, 'gm'))
  return Object.fromEntries([...found].map(([, key, value]) => [key, Number(value)]))
}
const reads = () => figures('daybook_replica_reads_total', 'outcome')

/** The outcomes of the reads that the work makes. */
async function readsBy(work: () => Promise<unknown>): Promise<string[]> {
  const earlier = await reads()
  await work()
  const later = await reads()
  return Object.keys(later).filter((outcome) => (later[outcome] ?? 0) > (earlier[outcome] ?? 0))
}

const fromReplica = expect.arrayContaining(['replica.example'])

test('only lists and exports of administrators may be read from a replica', () => {
  const marked = routes.filter(({ readsReplica }) => readsReplica === true)
  expect(
    marked.filter(({ access, method, caching }) => `${access} ${method} ${caching}` !== 'admin GET never'),
  ).toEqual([])
  expect(marked.filter(({ path }) => path.includes(':')).map(({ path }) => path)).toEqual(['/api/people/:id/trail'])
  expect(marked.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/allcontent',
      '/api/people',
      '/auth/vip-users',
      '/api/audit',
      '/recommendations',
      '/api/inquiries',
      '/api/notices',
      '/api/sent-emails',
      '/api/export',
      '/api/member-export',
      '/api/audit/export',
    ]),
  )
})

describe.skipIf(prepared.engine === 'embedded')('a replica', () => {
  beforeAll(async () => {
    if (prepared.engine === 'embedded') return
    serverUrl = prepared.serverUrl
    proxy = await openDatabaseProxy(serverUrl)
    const name = `daybook_replica_${randomUUID().slice(0, 8)}`
    Object.assign(names, { primary: `${name}_primary`, replica: `${name}_replica` })
    for (const each of Object.values(names))
      await onServer(serverUrl, `create database ${each} template ${prepared.template}`)
    server = await openTestServer({
      log: openLog('info', output),
      env: {
        DATABASE_URL: databaseUrl(serverUrl, names.primary),
        DATABASE_REPLICA_URL: await makeReplica(),
        METRICS_TOKEN: metricsToken,
      },
    })
    administrator = await aMember(server.app, { isAdmin: true })
    headers = bearer(await signIn(server, administrator))
  })
  afterAll(async () => {
    await server.close()
    await proxy.close()
    for (const each of Object.values(names)) await onServer(serverUrl, `drop database ${each} with (force)`)
  })
  beforeEach(async () => {
    await replicaIs(farAhead)
    // A replica that was behind is left alone for a while.
    const asked = async (): Promise<void> => {
      if (!(await readsBy(peopleOf)).includes('replica')) throw new Error('The primary answers.')
    }
    await vi.waitFor(asked, { timeout: 30_000 })
  })

  test('answers a list that is marked, to somebody whom the primary alone knows, and nothing else', async () => {
    expect(await readsBy(async () => expect(await peopleOf()).toEqual(fromReplica))).toEqual(['replica'])
    const one = () => server.request(`/api/people/${administrator.id}`, { headers })
    expect(await readsBy(async () => expect((await one()).status).toBe(200))).toEqual([])
    expect((await server.request('/api/people', { headers: bearer('nobody') })).status).toBe(401)
  })

  test.each([
    ['is behind what was saved before the call', 'behind', () => replicaIs(longAgo)],
    ['is a standby no longer', 'failed', () => replicaIs(farAhead, false)],
    [
      'is one of another database',
      'failed',
      () =>
        onReplica(
          `create or replace function standby.current_database() returns name language sql as $$ select 'other'::name $$`,
        ),
    ],
  ])('is not asked where it %s', async (_case, outcome, become) => {
    await become()
    expect(await readsBy(async () => expect(await peopleOf()).not.toEqual(fromReplica))).toEqual([outcome])
    expect(await figures('daybook_database_way_lost', 'way')).toMatchObject({ replica: outcome === 'failed' ? 1 : 0 })
    await onReplica(
      `create or replace function standby.current_database() returns name language sql as $$ select '${names.primary}'::name $$`,
    )
  })

  test('that fails at a read leaves it to the primary', async () => {
    await onReplica('alter table users rename to users_elsewhere')
    try {
      expect(await readsBy(async () => expect(await peopleOf()).not.toEqual(fromReplica))).toEqual(['failed'])
    } finally {
      await onReplica('alter table users_elsewhere rename to users')
    }
  })

  test('is not asked for what all share: who brings up the catalogue by such a call brings it up by the primary', async () => {
    const { id, slug } = await anItem(server.app, { name: 'Saved on the primary' })
    expect((await server.search('search=primary')).items.map((item) => item.slug)).toEqual([slug])
    await server.app.db.updateTable('items').set({ status: 'restricted' }).where('id', '=', id).execute()
    const { status } = await server.request('/allcontent?search=primary', {
      headers: { ...headers, 'api-key': server.app.config.clientApiKey },
    })
    expect(status).toBe(200)
    expect((await server.search('search=primary')).items).toEqual([])
  })

  test('gives all of an export, which the primary records', async () => {
    const outcomes = await readsBy(async () => {
      const { text } = await server.request('/api/member-export?format=csv', { headers })
      expect(text.match(/@replica\.example/g)).toHaveLength(membersOfReplica)
      expect(text).not.toContain(administrator.email)
    })
    expect(outcomes).toEqual(['replica'])
    const [exported] = await server.app.db
      .selectFrom('audit_events')
      .select('actor_id')
      .where('action', '=', 'members.exported')
      .execute()
    expect(exported?.actor_id).toBe(administrator.id)
    expect(await onReplica('select 1 from audit_events')).toEqual([])
  })

  test('is looked at by the doctor', async () => {
    const { app, database } = server
    const { examine } = serverChecks.find(({ about }) => about === 'Replica') as (typeof serverChecks)[number]
    const say = async (): Promise<string[]> => {
      const said: string[] = []
      for await (const { state, sentence } of examine({ config: app.config, database, clock: app.clock }))
        said.push(`${state}: ${sentence}`)
      return said
    }
    expect(await say()).toEqual([
      expect.stringMatching(/^good: the standby follows; it was up to date within \d+ ms\.$/),
    ])
    await replicaIs(longAgo)
    expect(await say()).toEqual([expect.stringMatching(/^warning: it is \d+ bytes behind\.$/)])
    await replicaIs(farAhead, false)
    expect(await say()).toEqual(['warning: DATABASE_REPLICA_URL leads to a server that is no standby.'])
    proxy.state = 'closed'
    expect(await say()).toEqual([
      expect.stringMatching(/^warning: The database that DATABASE_REPLICA_URL names cannot be used: /),
    ])
    proxy.state = 'open'
  })

  test('that is away is replaced by the primary, with one line in the log, until it is back', async () => {
    lines.length = 0
    proxy.state = 'closed'
    proxy.cut()
    await expect.poll(() => figures('daybook_database_way_lost', 'way')).toMatchObject({ replica: 1, direct: 0 })
    expect(await readsBy(async () => expect(await peopleOf()).not.toEqual(fromReplica))).toEqual(['away'])
    expect((await server.request('/readyz')).text).toBe('ready')
    expect((await post(server, '/auth/login', { email: administrator.email, password: 'wrong' })).status).toBe(401)
    proxy.state = 'open'
    await expect.poll(() => peopleOf(), { timeout: 30_000 }).toEqual(fromReplica)
    const said = lines.map(({ msg }) => msg).filter((msg) => /replica|way to the database/.test(msg ?? ''))
    expect(said).toEqual([
      'The replica is not used (DATABASE_REPLICA_URL): DATABASE_URL answers in its place.',
      'This way to the database is there again.',
    ])
  })
})
