import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely'
import pg from 'pg'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDirectory } from './directory-lock.ts'
import type { Database } from './schema.ts'

export interface OpenDatabase {
  db: Kysely<Database>
  /** Which engine answers; rules never depend on it, only maintenance does. */
  engine: 'embedded' | 'postgresql'
  /** Calls back at every commit that changed the catalogue, also one of another process. Returns how to stop. */
  onCatalogueChange(heard: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

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
    pglite = await PGlite.create({ dataDir: join(dataDir, 'postgres') })
  } catch (cause) {
    await release()
    throw new Error(`The embedded database in ${dataDir} does not open.`, { cause })
  }
  return embedded(pglite, release)
}

/** The embedded engine over an instance that is open already; tests give one that lives in memory. */
export function embedded(pglite: PGlite, release: () => Promise<void> = () => Promise.resolve()): OpenDatabase {
  const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) })
  return {
    db,
    engine: 'embedded',
    onCatalogueChange: (heard) => pglite.listen('daybook_catalogue', heard),
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
    onCatalogueChange: (heard) => listen(connectionString, heard),
    close: () => db.destroy(),
  }
}

/** Waits after a failed attempt to hear again; one attempt at a time. */
const listenAgainMs = 1_000

/** Keeps one connection that hears notifications; when it breaks, it comes back, and reports at once what it may have missed. */
async function listen(connectionString: string, heard: () => void): Promise<() => Promise<void>> {
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
      await next.query('listen daybook_catalogue')
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    // Only a connection that has stood can break: a failed attempt is told by its rejection, once.
    next.on('notification', heard)
    next.on('end', retry)
    client = next
    if (stopped) await next.end()
  }

  function retry(): void {
    client = undefined
    if (stopped) return
    clearTimeout(again)
    again = setTimeout(() => void connect().then(heard, retry), listenAgainMs)
  }

  await connect()
  return async () => {
    stopped = true
    clearTimeout(again)
    await client?.end()
  }
}
