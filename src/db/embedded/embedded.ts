import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
// The default export: a test puts a disk of its own under these functions, where the engine finds them too.
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { lockDirectory } from './directory-lock.ts'
import { hasEmbedded } from './has-embedded.ts'
import { catalogueChannel, type OpenDatabase } from '../open-database.ts'
import type { Database } from '../database.ts'
import { EngineFolder, type EngineStoppedError, syncPath, syncTree } from './engine-folder.ts'

/**
 * Opens the engine in `dataDir`/postgres, which is made at the first opening: whole, or not at all.
 *
 * With `sync` a commit that was acknowledged is on the disk, and so is every name that leads to it: a power cut at any
 * moment leaves a database that opens and has all of them. Without it that holds for the end of the process only.
 * @throws {DirectoryLockedError} when another process holds the data directory
 */
export async function openEmbedded(dataDir: string, { sync }: { sync: boolean }): Promise<OpenDatabase> {
  makeFolder(dataDir, { sync })
  const release = await lockDirectory(dataDir)
  const folder = join(dataDir, 'postgres')
  let engine: Engine
  try {
    if (!hasEmbedded(dataDir)) await create(folder, { sync })
    engine = await start(folder, { sync })
  } catch (cause) {
    await release()
    throw new Error(`The embedded database in ${dataDir} does not open.`, { cause })
  }
  const { pglite, stopped } = engine
  return {
    ...embedded(pglite, release),
    stopped,
    copyTo: (to) =>
      // The engine answers in this process: while it is asked nothing, it writes nothing.
      pglite.runExclusive(() =>
        fs.promises.cp(folder, join(to, 'postgres'), { recursive: true, mode: fs.constants.COPYFILE_FICLONE }),
      ),
  }
}

interface Engine {
  pglite: PGlite
  stopped: Promise<EngineStoppedError>
}

/** Makes the database beside its place, and puts it there when it is whole: a start that is cut off leaves nothing half. */
async function create(folder: string, { sync }: { sync: boolean }): Promise<void> {
  const unfinished = `${folder}.new`
  fs.rmSync(unfinished, { recursive: true, force: true })
  // PostgreSQL demands it, and the engine makes its files readable and writable for everyone: they hold the accounts.
  fs.mkdirSync(unfinished, { mode: ownFolder })
  const { pglite } = await start(unfinished, { sync })
  await pglite.close()
  if (sync) syncTree(unfinished)
  fs.renameSync(unfinished, folder)
  if (sync) syncPath(dirname(folder))
}

/** Our lock on the data directory must be held: a process that left a mark of its own there is gone. */
async function start(folder: string, { sync }: { sync: boolean }): Promise<Engine> {
  fs.chmodSync(folder, ownFolder)
  // The engine takes a mark of its own for a living process when a power cut has left it empty.
  fs.rmSync(join(folder, 'postmaster.pid'), { force: true })
  // Files may have been written without syncs: with `sync` off, or by copying a backup.
  if (sync) syncTree(folder)
  const files = new EngineFolder(folder, { sync })
  const startParams = [...(sync ? syncedStart : PGlite.defaultStartParams), '-c', `shared_buffers=${bufferMegabytes}MB`]
  const pglite = await PGlite.create({ fs: files, startParams })
  return { pglite, stopped: files.stopped }
}

const ownFolder = 0o700
/** The cache of pages: the engine fills it with zeros first, which takes about 2 ms a megabyte. */
const bufferMegabytes = 32

/** The engine's own parameters, but with syncs; and by the one call that the engine does not answer by itself. */
const syncedStart = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

function makeFolder(path: string, { sync }: { sync: boolean }): void {
  const first = fs.mkdirSync(path, { recursive: true, mode: ownFolder })
  if (!sync || first === undefined) return
  for (let made = path; ; made = dirname(made)) {
    syncPath(dirname(made))
    if (made === first) return
  }
}

/**
 * The engine answers in the process itself, without a turn of the event loop: a job that asks it again and again would keep
 * everybody else waiting until it is done. So a turn passes before each transaction, and each query outside of one.
 */
class YieldingDialect extends PGliteDialect {
  override createDriver(): ReturnType<PGliteDialect['createDriver']> {
    const driver = super.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async (options) => {
      await nextTurn()
      return acquire(options)
    }
    return driver
  }
}

/** How much of its log the engine keeps before a checkpoint. */
const longestLogBytes = 64 * 1024 * 1024

/** The embedded engine over an instance that is open already; tests give one that lives in memory. */
export function embedded(pglite: PGlite, release: () => Promise<void> = () => Promise.resolve()): OpenDatabase {
  const db = new Kysely<Database>({ dialect: new YieldingDialect({ pglite }) })
  return {
    db,
    maintenanceDb: db,
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
    async shortenLog() {
      const { rows } = await pglite.query<{ bytes: number }>(
        `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes from pg_control_checkpoint()`,
      )
      if ((rows[0]?.bytes ?? 0) > longestLogBytes) await pglite.exec('checkpoint')
    },
    async close() {
      // Kysely closes the instance only if a query was made through it.
      await db.destroy()
      if (!pglite.closed) await pglite.close()
      await release()
    },
    [Symbol.asyncDispose](this: OpenDatabase) {
      return this.close()
    },
  }
}
