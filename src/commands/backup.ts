import { readFile } from 'node:fs/promises'
import type { Config } from '../app/config.ts'
import { DirectoryLockedError } from '../db/embedded/directory-lock.ts'
import { borrowSnapshot } from '../db/embedded/snapshots.ts'
import { databaseInWords } from '../db/last-database.ts'
import { doneMigrations } from '../db/migrate.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { isNewDatabase, openDatabase } from '../db/open.ts'
import { openEvidenceStore } from '../features/catalogue/evidence/evidence-store.server.ts'
import { RemovalJournal } from '../features/notices/journal/journal-file.server.ts'
import { checkRecipients } from '../features/site/backup/age.server.ts'
import { readBackupFile, writeBackupFile } from '../features/site/backup/backup-file.server.ts'
import { BackupFault } from '../features/site/backup/frames.ts'
import type { Manifest } from '../features/site/backup/manifest.ts'
import { readBackup } from '../features/site/backup/read-backup.server.ts'
import { withRests } from '../features/site/backup/with-rests.server.ts'
import { writeBackup } from '../features/site/backup/write-backup.server.ts'
import { ProgressLine } from '../platform/cli/progress-line.ts'
import type { GivenSettings } from '../platform/config/config.ts'
import { counted } from '../platform/counted.ts'
import { CommandOutages } from '../platform/database-outages.ts'
import { openLog } from '../platform/log.ts'
import { systemClock } from '../platform/time/clock.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { readCommandConfig } from './read-command-config.ts'

export const backupCommand: Command = {
  usage: `  backup FILE|- [--force] [--without-files] [--age RECIPIENT]
      Writes everything into one file, or to standard output, while the site runs: the database as it is at one instant, the
      journal of removals, the files of evidence and the covers.
        --force           replace FILE
        --without-files   leave out files of evidence and covers
        --age RECIPIENT   encrypt it for a recipient of age, like age1…; may be said more than once. By default BACKUP_AGE.
  backup --show FILE [--identity KEYFILE]
      Reads a backup to its end, and prints what is in it, as JSON. It ends with 1 when the backup is not whole.
        --identity KEYFILE   the file of the key of age, for one that is encrypted
`,
  run: runBackup,
}

async function runBackup(
  args: string[],
  _withApp: unknown,
  given: GivenSettings,
  options?: { insists: boolean },
): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    {
      show: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
      'without-files': { type: 'boolean', default: false },
      age: { type: 'string', multiple: true, default: [] },
      identity: { type: 'string' },
    },
    1,
  )
  const [path] = positionals
  if (path === undefined) throw new UsageError('The command backup needs the name of a file, or -.')
  if (values.show) {
    process.stdout.write(
      `${JSON.stringify(await examineBackup(path, await readKeys(values.identity)), undefined, 2)}\n`,
    )
    return 0
  }
  for (const recipient of values.age)
    await checkRecipients([recipient]).catch((cause: Error) => {
      throw new UsageError(`--age: '${recipient}' is no recipient of age, like age1…: ${cause.message}.`)
    })
  const config = await readCommandConfig(given, options)
  const { database, close } = await openToRead(config, { borrows: true })
  const line = new ProgressLine(process.stderr)
  let lost = 0
  let files = 0
  let rows = 0
  try {
    const frames = writeBackup(backedUp(config, database), {
      withFiles: !values['without-files'],
      onProgress(written) {
        ;({ rows, files } = written)
        line.show({ done: 0, total: undefined, count: rows, noun: 'rows' })
      },
      onLost: () => (lost += 1),
    })
    const recipients = values.age.length > 0 ? values.age : (config.backupAge ?? [])
    await writeBackupFile(path, withRests(frames), { force: values.force, recipients })
  } finally {
    line.clear()
    await close()
  }
  if (lost > 0)
    process.stderr.write(`${counted(lost, 'file is', 'files are')} not in the store any more, and not in the backup.\n`)
  process.stderr.write(
    `Backed up: ${counted(rows, 'row')} and ${counted(files, 'file')}${path === '-' ? '' : ` in ${path}`}.\n`,
  )
  return 0
}

/** Reads a backup to its end. @throws {Error} with a sentence where it is not whole */
async function examineBackup(path: string, keys: string | undefined): Promise<Manifest> {
  return ofFile(path, () => readBackup(readBackupFile(path, keys), { head: async () => {}, part: async () => {} }))
}

/** The keys in the file of `--identity`. @throws {UsageError} where it cannot be read */
export async function readKeys(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  return readFile(file, 'utf8').catch((cause: Error) => {
    throw new UsageError(`--identity: the file ${file} cannot be read: ${cause.message}.`)
  })
}

export function backedUp(config: Config, { maintenanceDb }: Pick<OpenDatabase, 'maintenanceDb'>) {
  return {
    maintenanceDb,
    evidence: openEvidenceStore(config, openLog('silent')),
    removalJournal: new RemovalJournal(config),
    clock: systemClock,
  }
}

/** Turns a fault of a backup into a sentence about its file. */
export async function ofFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BackupFault)) throw error
    const name = path === '-' ? 'The backup on standard input' : path
    throw new Error(`${name} ${error.message}`, { cause: error })
  }
}

/**
 * Opens the database as it is, without bringing it up to date, and names it on the error output.
 * @param borrows whether a copy will do where a running server holds it
 */
export async function openToRead(
  config: Config,
  { borrows }: { borrows: boolean },
): Promise<{ database: OpenDatabase; close(): Promise<void> }> {
  const place = databaseInWords(config)
  const none = new Error(
    `There is nothing of Daybook yet: ${place} was never used. Give this command the DATABASE_URL and DATA_DIR of the server.`,
  )
  if (isNewDatabase(config)) throw none
  const opened = await openOrBorrow(config, borrows)
  if ((await doneMigrations(opened.database.maintenanceDb)).length === 0) {
    await opened.close()
    throw none
  }
  process.stderr.write(`Opened: ${place}.\n`)
  return opened
}

/** @throws {DirectoryLockedError} where another process holds it, and lends no copy */
export async function openOrBorrow(
  config: Config,
  borrows: boolean,
): Promise<{ database: OpenDatabase; close(): Promise<void> }> {
  try {
    const database = await openDatabase(config, { reports: new CommandOutages() })
    return { database, close: () => database.close() }
  } catch (error) {
    const copy = borrows && error instanceof DirectoryLockedError ? await borrowSnapshot(config.dataDir) : undefined
    if (copy === undefined) throw error
    try {
      const database = await openDatabase({ databaseUrl: undefined, dataDir: copy.dataDir, embeddedSync: false })
      return {
        database,
        async close() {
          await database.close()
          copy.giveBack()
        },
      }
    } catch (failed) {
      copy.giveBack()
      throw failed
    }
  }
}
