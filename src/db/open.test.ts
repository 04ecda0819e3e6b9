import { createServer, connect, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { DatabaseOutages } from '../platform/database-outages.ts'
import { openLog } from '../platform/log.ts'
import { openDatabaseProxy } from '../../tests/harness/database-proxy.ts'
import { openDatabase } from './open.ts'
import type { OpenDatabase } from './open-database.ts'

const serverUrl = process.env['TEST_DATABASE_URL']

let database: OpenDatabase | undefined
let proxy: Server | undefined
const sockets = new Set<Socket>()

afterEach(async () => {
  await database?.close()
  for (const socket of sockets) socket.destroy()
  await new Promise<void>((closed) => (proxy === undefined ? closed() : proxy.close(() => closed())))
})

it.skipIf(serverUrl === undefined)(
  'the listener comes back after an outage, one attempt at a time, and reports what it may have missed',
  async () => {
    const target = new URL(serverUrl as string)
    let isDown = false
    let attempts = 0
    proxy = createServer((client) => {
      attempts += 1
      sockets.add(client)
      if (isDown) {
        client.destroy()
        return
      }
      const upstream = connect(Number(target.port || 5432), target.hostname)
      sockets.add(upstream)
      client.on('error', () => upstream.destroy())
      upstream.on('error', () => client.destroy())
      client.pipe(upstream).pipe(client)
    })
    await new Promise<void>((listening) => (proxy as Server).listen(0, '127.0.0.1', listening))
    const address = proxy.address() as { port: number }
    const through = new URL(target)
    through.port = String(address.port)
    database = await openDatabase({ databaseUrl: through.href, dataDir: '' })
    let heard = 0
    const stop = await database.onCatalogueChange(() => (heard += 1))

    isDown = true
    attempts = 0
    for (const socket of sockets) socket.destroy()
    await new Promise((wake) => setTimeout(wake, 4_500))
    expect(attempts).toBeGreaterThanOrEqual(2)
    expect(attempts).toBeLessThanOrEqual(5)

    isDown = false
    attempts = 0
    await expect.poll(() => heard, { timeout: 20_000 }).toBe(1)
    await new Promise((wake) => setTimeout(wake, 1_500))
    expect(attempts).toBe(1)
    await stop()
  },
  20_000,
)

it.skipIf(serverUrl === undefined)(
  'what needs a session of its own goes past a pooler: listening and statements without a limit, and nothing else',
  async () => {
    const direct = await openDatabaseProxy(serverUrl as string)
    onTestFinished(() => direct.close())
    const at = { databaseUrl: serverUrl as string, directDatabaseUrl: direct.through(serverUrl as string), dataDir: '' }
    database = await openDatabase(at)
    await expect.poll(() => direct.connections()).toBe(0)
    await sql`select 1`.execute(database.db)
    await database.run('select 1')
    expect(direct.connections()).toBe(0)
    await sql`select 1`.execute(database.maintenanceDb)
    expect(direct.connections()).toBe(1)
    const stop = await database.listen(
      'of_this_test',
      () => {},
      () => {},
    )
    expect(direct.connections()).toBe(2)
    await stop()
  },
)

it.skipIf(serverUrl === undefined)(
  'a way past the pooler that is lost alone is told once, and again when it is back; a start without it names its setting',
  async () => {
    const direct = await openDatabaseProxy(serverUrl as string)
    onTestFinished(() => direct.close())
    const at = { databaseUrl: serverUrl as string, directDatabaseUrl: direct.through(serverUrl as string), dataDir: '' }
    const outages = new DatabaseOutages(openLog('info', { write: (line) => void lines.push(JSON.parse(line) as Line) }))
    const lines: Line[] = []
    database = await openDatabase(at, { reports: outages })
    const stop = await database.listen(
      'of_this_test',
      () => {},
      () => {},
    )
    direct.state = 'closed'
    direct.cut()
    await expect.poll(() => [...outages.lostWays], { timeout: 20_000 }).toEqual(['direct'])
    await new Promise((wake) => setTimeout(wake, 2_500))
    direct.state = 'open'
    await expect.poll(() => [...outages.lostWays], { timeout: 20_000 }).toEqual([])
    await stop()
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^No connection that listens to the database can be made \(DATABASE_DIRECT_URL\)/),
      'This way to the database is there again.',
    ])
    direct.state = 'closed'
    await expect(openDatabase(at)).rejects.toThrow(/^The database that DATABASE_DIRECT_URL names cannot be used: /)
    await expect(openDatabase({ ...at, directDatabaseUrl: 'postgresql://[' })).rejects.toThrow(
      'The database that DATABASE_DIRECT_URL names cannot be used: it cannot be read as an address. In a password write @ as %40, / as %2F, # as %23, a space as %20 and % as %25.',
    )
  },
  20_000,
)

interface Line {
  msg?: string
}
