import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { noReports } from '../open-database.ts'
import { openDatabase } from '../open.ts'

let server: Server | undefined
const sockets = new Set<Socket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise<void>((closed) => (server === undefined ? closed() : server.close(() => closed())))
  server = undefined
})

/** Speaks as much of PostgreSQL's protocol as a start needs. @returns its port */
async function aPostgres(answer: (socket: Socket, attempt: number) => void): Promise<number> {
  let attempts = 0
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    attempts += 1
    const attempt = attempts
    socket.once('data', () => answer(socket, attempt))
  })
  const listening = server
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return (listening.address() as { port: number }).port
}

function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const fatal = (code: string, text: string): Buffer => message('E', `SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)
const ready = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', 'I')])

/** The answer to the one question that a start asks. */
function answerOf(row: { version: string; encoding?: string }): Buffer {
  const columns = Object.entries({ encoding: 'UTF8', ...row })
  const heads = columns.map(([name]) =>
    Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(6), Buffer.from([0, 0, 0, 25, 255, 255]), Buffer.alloc(6)]),
  )
  const values = columns.map(([, value]) => Buffer.concat([Buffer.from([0, 0, 0, value.length]), Buffer.from(value)]))
  const count = Buffer.from([0, columns.length])
  return Buffer.concat([
    message('T', count, ...heads),
    message('D', count, ...values),
    message('C', 'SELECT 1\0'),
    message('Z', 'I'),
  ])
}

const refusal = async (url: string, waitMs = 0): Promise<string> => {
  const waited: string[] = []
  const reports = { ...noReports, waiting: (reason: string) => void waited.push(reason) }
  try {
    const database = await openDatabase({ databaseUrl: url, dataDir: '' }, { reports, waitMs })
    await database.close()
    return `open${waited.map((reason) => `, after: ${reason}`).join('')}`
  } catch (error) {
    expect((error as Error).name).toBe('DatabaseUnreachableError')
    expect((error as Error).message).toMatch(/^The database that DATABASE_URL names cannot be used: /)
    expect((error as Error).message).not.toContain('hidden')
    return (error as Error).message.replace(/^[^:]*: /, '') + waited.map(() => ' (waited)').join('')
  }
}
const at = (port: number): string => `postgresql://reader:hidden@127.0.0.1:${port}/library`

describe('a PostgreSQL that cannot be used', () => {
  test.each([
    ['28P01', 'password authentication failed for user "reader"', 'refuses the password of the role "reader".'],
    ['28000', 'role "reader" does not exist', 'refuses the role "reader" (role "reader" does not exist).'],
    ['3D000', 'database "library" does not exist', 'has no database "library".'],
  ])('ends the start at once where no waiting helps (%s)', async (code, text, sentence) => {
    const port = await aPostgres((socket) => socket.end(fatal(code, text)))
    const startedAt = performance.now()
    expect(await refusal(at(port), 60_000)).toBe(`PostgreSQL at 127.0.0.1:${port} ${sentence}`)
    expect(performance.now() - startedAt).toBeLessThan(3_000)
  })

  test.each([
    [{ version: '140011' }, 'it is PostgreSQL 14, and version 15 or newer is needed.'],
    [
      { version: '150004', encoding: 'SQL_ASCII' },
      `its encoding is SQL_ASCII. Make one with "create database … encoding 'UTF8' template template0".`,
    ],
  ])('is of another kind: %o', async (row, sentence) => {
    const port = await aPostgres((socket) => {
      socket.write(ready)
      socket.once('data', () => socket.write(answerOf(row)))
    })
    expect(await refusal(at(port), 60_000)).toBe(sentence)
  })

  test('is waited for while it starts', async () => {
    const port = await aPostgres((socket, attempt) => {
      if (attempt < 3) {
        socket.end(fatal('57P03', 'the database system is starting up'))
        return
      }
      socket.write(ready)
      socket.once('data', () => socket.write(answerOf({ version: '150004' })))
    })
    expect(await refusal(at(port), 10_000)).toBe(
      `open, after: 127.0.0.1:${port} says: the database system is starting up.`,
    )
  })

  test('is named when the waiting is over: a closed port, an unknown host, nobody who answers', async () => {
    const closed = await aPostgres(() => {})
    await new Promise<void>((done) => (server as Server).close(() => done()))
    server = undefined
    expect(await refusal(at(closed), 1_500)).toMatch(
      new RegExp(`^nothing listens at 127.0.0.1:${closed} \\(.*ECONNREFUSED.*\\)\\. \\(waited\\)$`),
    )
    expect(await refusal('postgresql://reader:hidden@no-such-host.invalid/library')).toMatch(
      /^(there is no host no-such-host\.invalid|the name no-such-host\.invalid cannot be looked up) \(.*\)\.$/,
    )
    const silent = await aPostgres(() => {})
    const startedAt = performance.now()
    expect(await refusal(at(silent))).toBe(`nothing answers at 127.0.0.1:${silent} in time.`)
    expect(performance.now() - startedAt).toBeLessThan(8_000)
  })

  test('has no readable address', async () => {
    expect(await refusal('postgresql://reader:hidden@[library')).toBe(
      'it cannot be read as an address. In a password write @ as %40, / as %2F, # as %23, a space as %20 and % as %25.',
    )
  })
})
