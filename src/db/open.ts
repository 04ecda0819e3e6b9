import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely'
import pg from 'pg'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDirectory } from './directory-lock.ts'
import type { Database } from './schema.ts'

export interface OpenDatabase {
  db: Kysely<Database>
  /** Which engine answers; rules never depend on it, only maintenance does. */
  engine: 'embedded' | 'postgresql'
  /** Calls back at every commit that changed the catalogue, also one of another process. Returns how to stop. */
  onCatalogueChange(heard: () => void): Promise<() => Promise<void>>
  /**
   * Calls back at every notification in a channel, with its text, and `missed` whenever some may have gone unheard.
   * Returns how to stop.
   */
  listen(channel: string, heard: (text: string) => void, missed: () => void): Promise<() => Promise<void>>
  /**
   * Runs SQL that another library wrote, never inside a transaction of ours. Without values it may be several statements,
   * with a transaction of their own; if one fails, nothing of that transaction is left, and none stays open.
   * @returns the rows of all statements
   */
  run(text: string, values?: readonly unknown[]): Promise<unknown[]>
  close(): Promise<void>
}

/** What the triggers of the catalogue notify. */
const catalogueChannel = 'daybook_catalogue'

export interface DatabaseLocation {
  databaseUrl: string | undefined
  dataDir: string
}

/**
 * Opens PostgreSQL where an address is given, otherwise the embedded PostgreSQL in the data directory.
 * @throws {DirectoryLockedError} when another process holds the data directory
 */
export async function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  return location.databaseUrl === undefined ? openEmbedded(location.dataDir) : openPostgres(location.databaseUrl)
}

async function openEmbedded(dataDir: string): Promise<OpenDatabase> {
  await mkdir(dataDir, { recursive: true })
  const release = await lockDirectory(dataDir)
  let pglite: PGlite
  try {
    pglite = await PGlite.create({ dataDir: await ownFolder(join(dataDir, 'postgres')) })
  } catch (cause) {
    await release()
    throw new Error(`The embedded database in ${dataDir} does not open.`, { cause })
  }
  return embedded(pglite, release)
}

/**
 * A folder for nobody but this user of the machine, as PostgreSQL itself demands: the engine makes its files readable
 * and writable for everyone, and they hold the accounts.
 */
async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
  return path
}

/** The embedded engine over an instance that is open already; tests give one that lives in memory. */
export function embedded(pglite: PGlite, release: () => Promise<void> = () => Promise.resolve()): OpenDatabase {
  const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) })
  return {
    db,
    engine: 'embedded',
    onCatalogueChange: (heard) => pglite.listen(catalogueChannel, heard),
    // Heard inside the process: nothing is ever missed.
    listen: (channel, heard) => pglite.listen(channel, heard),
    async run(text, values = []) {
      if (values.length > 0) return (await pglite.query(text, [...values])).rows
      // The outer transaction keeps everybody else waiting: what fails inside is rolled back before another query comes.
      const results = /^\s*begin\b/i.test(text)
        ? await pglite.transaction((transaction) => transaction.exec(text))
        : await pglite.exec(text)
      return results.flatMap(({ rows }) => rows)
    },
    async close() {
      // Kysely closes the instance only if a query was made through it.
      await db.destroy()
      if (!pglite.closed) await pglite.close()
      await release()
    },
  }
}

function openPostgres(connectionString: string): OpenDatabase {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'daybook',
  })
  // Without a listener, a connection that breaks while idle would end the process; the next query opens another.
  pool.on('error', () => {})
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    engine: 'postgresql',
    onCatalogueChange: (heard) => listen(connectionString, catalogueChannel, heard, heard),
    listen: (channel, heard, missed) => listen(connectionString, channel, heard, missed),
    run: (text, values = []) => runOn(pool, text, values),
    close: () => db.destroy(),
  }
}

async function runOn(pool: pg.Pool, text: string, values: readonly unknown[]): Promise<unknown[]> {
  const client = await pool.connect()
  try {
    // Several statements answer with several results, which the types do not know.
    const results = (await client.query(text, values.length > 0 ? [...values] : undefined)) as
      | pg.QueryResult
      | pg.QueryResult[]
    client.release()
    return (Array.isArray(results) ? results : [results]).flatMap(({ rows }) => rows as unknown[])
  } catch (error) {
    // It may stand in the middle of a transaction: nobody gets this connection again.
    client.release(true)
    throw error
  }
}

/** Waits after a failed attempt to hear again; one attempt at a time. */
const listenAgainMs = 1_000

/** Keeps one connection that hears notifications; when it breaks, it comes back, and reports at once that it may have missed some. */
async function listen(
  connectionString: string,
  channel: string,
  heard: (text: string) => void,
  missed: () => void,
): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let again: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString,
      application_name: 'daybook listener',
      connectionTimeoutMillis: 5_000,
    })
    next.on('error', () => {})
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    // Only a connection that has stood can break: a failed attempt is told by its rejection, once.
    next.on('notification', ({ payload = '' }) => heard(payload))
    next.on('end', retry)
    client = next
    if (stopped) await next.end()
  }

  function retry(): void {
    client = undefined
    if (stopped) return
    clearTimeout(again)
    again = setTimeout(() => void connect().then(missed, retry), listenAgainMs)
  }

  await connect()
  return async () => {
    stopped = true
    clearTimeout(again)
    await client?.end()
  }
}
