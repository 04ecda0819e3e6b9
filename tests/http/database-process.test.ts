import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { sendRequest } from '../harness/request.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../harness/database-proxy.ts'
import { freePort } from '../harness/free-port.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { addressOf, kill, type Started, startDaybook } from '../harness/processes.ts'

/** Whole processes whose PostgreSQL is not there, goes away, or says nothing any more. */
const prepared = inject('preparedDatabase')

let dataDir: string
let databaseName = ''
let proxy: DatabaseProxy
const started: Started[] = []

function start(words: string[], env: Record<string, string> = {}): Started {
  const one = startDaybook(
    words,
    {
      NODE_ENV: 'production',
      DEMO: '0',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: proxy.through(databaseUrl(serverUrl(), databaseName)),
      ...env,
    },
    { input: undefined },
  )
  started.push(one)
  return one
}

function serverUrl(): string {
  if (prepared.engine === 'embedded') throw new Error('There is no PostgreSQL.')
  return prepared.serverUrl
}

describe.skipIf(prepared.engine === 'embedded')('with PostgreSQL', () => {
  beforeEach(async () => {
    if (prepared.engine === 'embedded') return
    dataDir = await mkdtemp(join(tmpdir(), 'daybook-away-'))
    databaseName = `${prepared.template}_${randomUUID().slice(0, 8)}`
    await onServer(prepared.serverUrl, `create database ${databaseName} template ${prepared.template}`)
    proxy = await openDatabaseProxy(prepared.serverUrl)
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map(kill))
    await proxy.close()
    await onServer(serverUrl(), `drop database ${databaseName} with (force)`)
    await rm(dataDir, { recursive: true, force: true })
  })

  test('the start waits for it, and says so once; a stop does not wait for what is never heard of again', async () => {
    proxy.state = 'closed'
    const server = start([])
    await server.said(/the start waits for it/)
    await new Promise((wake) => setTimeout(wake, 2_500))
    proxy.state = 'open'
    const url = await addressOf(server)
    expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
    expect(server.output().match(/the start waits for it/g)).toHaveLength(1)

    proxy.state = 'silent'
    const pending = sendRequest(`${url}/western/nobody-has-read`).catch(() => undefined)
    await new Promise((wake) => setTimeout(wake, 300))
    const startedAt = performance.now()
    server.child.kill('SIGTERM')
    expect(await server.ended, server.output()).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(25_000)
    await pending
  })

  test('one that goes away once the site listens is waited for: the site serves, and is ready when all is done', async () => {
    const port = await freePort()
    // By a connection of its own, as a balancer does.
    const url = `http://127.0.0.1:${port}`
    const server = start([], { PORT: String(port), HOST: '127.0.0.1' })
    const answers = (): Promise<boolean> =>
      sendRequest(`${url}/healthz`).then(
        () => true,
        () => false,
      )
    while (server.child.exitCode === null && !(await answers())) await new Promise((wake) => setTimeout(wake, 2))
    proxy.state = 'closed'
    proxy.cut()
    await server.said(/The database went away during the start/)
    await new Promise((wake) => setTimeout(wake, 2_500))
    expect((await sendRequest(`${url}/healthz`)).status, server.output()).toBe(200)
    expect((await sendRequest(`${url}/readyz`)).status).toBe(503)
    expect(server.output().match(/The database went away during the start/g)).toHaveLength(1)
    proxy.state = 'open'
    await addressOf(server)
    await expect.poll(async () => (await sendRequest(`${url}/readyz`)).status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.ended, server.output()).toBe(0)
  })

  test('what no waiting mends ends the start at once, with a sentence and without the password', async () => {
    const url = new URL(proxy.through(databaseUrl(serverUrl(), 'no_such_library')))
    url.password = 'hidden-from-all'
    const server = start([], { DATABASE_URL: url.href })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain('The database that DATABASE_URL names cannot be used: PostgreSQL at 127.0.0.1:')
    expect(server.output()).toContain('has no database "no_such_library".')
    expect(server.output()).not.toMatch(/hidden-from-all|\n\s+at /)
  })

  test('a command works on the database that the server last used, and creates none', async () => {
    const url = new URL(proxy.through(databaseUrl(serverUrl(), databaseName)))
    url.password ||= 'hidden-from-all'
    const env = { DATABASE_URL: url.href }
    const place = `the database "${databaseName}" of PostgreSQL at ${url.hostname}:${url.port}`
    const server = start([], env)
    await addressOf(server)
    const marker = await readFile(join(dataDir, 'database.json'), 'utf8')
    expect(JSON.parse(marker)).toEqual({
      engine: 'postgresql',
      host: url.hostname,
      port: Number(url.port),
      database: databaseName,
    })

    const list = start(['admin', 'list'], env)
    expect(await list.ended).toBe(0)
    expect(list.err()).toBe(`Opened: ${place}.\n`)

    const empty = `${databaseName}_empty`
    await onServer(serverUrl(), `create database ${empty}`)
    try {
      const other = { DATABASE_URL: proxy.through(databaseUrl(serverUrl(), empty)) }
      const otherPlace = place.replace(databaseName, empty)
      for (const refusedIn of [other, { DATABASE_URL: '' }]) {
        const refused = start(['admin', 'list'], refusedIn)
        expect(await refused.ended).toBe(1)
        expect(refused.output()).toContain(`The server last used ${place}, and this command would use `)
      }
      const insisting = start(['admin', 'list', '--database'], other)
      expect(await insisting.ended).toBe(1)
      expect(insisting.output()).toMatch(`There is nothing of Daybook yet: ${otherPlace} was never used.`)
      const migrating = start(['migrate', '--database'], other)
      expect(await migrating.ended, migrating.output()).toBe(0)
      expect(migrating.err()).toBe(`A new database is created: ${otherPlace}.\nOpened: ${otherPlace}.\n`)
      expect(migrating.out()).toMatch(/^Done: 0001/)
    } finally {
      await onServer(serverUrl(), `drop database ${empty} with (force)`)
    }
  })

  test('the command line says in a sentence that it is not there, breaks off, or says nothing any more', async () => {
    proxy.state = 'closed'
    const refused = start(['admin', 'list'])
    expect(await refused.ended).toBe(1)
    expect(refused.output()).toMatch(/^The database that DATABASE_URL names cannot be used: [^\n]+\.\n$/)

    const header = 'name,category,contentType,region,postDate,link,rightsBasis,rating\n'
    const row = 'Quiet Room,Drama,western,western,2024-01-01,https://mega.nz/a,public_domain,general\n'
    for (const [state, words] of [
      ['closed', /^Opened: [^\n]+\nThe database does not answer any more: [^\n]+\.\n$/],
      ['silent', /^Opened: [^\n]+\nThe database does not answer any more: [^\n]+\.\n$/],
    ] as const) {
      proxy.state = 'open'
      const command = start(['import', '-'])
      command.child.stdin?.write(header + row)
      // It is at work when it has a connection, and waits for more rows.
      await expect.poll(() => proxy.connections(), { timeout: 20_000, interval: 20 }).toBeGreaterThan(0)
      await new Promise((wake) => setTimeout(wake, 1_500))
      proxy.state = state
      if (state === 'closed') proxy.cut()
      command.child.stdin?.end(row.replaceAll('Quiet Room', 'Loud Room'))
      const startedAt = performance.now()
      expect(await command.ended, command.output()).toBe(1)
      expect(command.output()).toMatch(words)
      expect(performance.now() - startedAt).toBeLessThan(20_000)
      proxy.cut()
    }
  })
})
