import { userInfo } from 'node:os'
import { appConfigOf, type Config } from '../app/config.ts'
import { migrateDatabase } from '../app/migrate-database.ts'
import { isEmptyDatabase } from '../db/dump/list-tables.ts'
import { databaseInWords, rememberDatabase } from '../db/last-database.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { openDatabase } from '../db/open.ts'
import { openEvidenceStore } from '../features/catalogue/evidence/evidence-store.server.ts'
import { RemovalJournal } from '../features/notices/journal/journal-file.server.ts'
import { readRestoredLog, recordRestoredLog } from '../features/office/audit/record-restored-backup.server.ts'
import { readBackupFile } from '../features/site/backup/backup-file.server.ts'
import { rowsIn } from '../features/site/backup/manifest.ts'
import { readBackup } from '../features/site/backup/read-backup.server.ts'
import { refuseNewer, restoreBackup, type Restored } from '../features/site/backup/restore-backup.server.ts'
import { ProgressLine } from '../platform/cli/progress-line.ts'
import type { GivenSettings } from '../platform/config/config.ts'
import { counted } from '../platform/counted.ts'
import { CommandOutages } from '../platform/database-outages.ts'
import { freeBytesOf } from '../platform/disk-space.ts'
import { openLog } from '../platform/log.ts'
import { makePrivateFolder } from '../platform/private-folder.ts'
import { systemClock } from '../platform/time/clock.ts'
import type { SiteApp } from '../features/site/app.ts'
import { ofFile, readKeys } from './backup.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { readCommandConfig } from './read-command-config.ts'

export const restoreCommand: Command = {
  usage: `  restore FILE|- [--identity KEYFILE]
      Puts a backup into an empty database, of either engine, and its files where the settings say. Everybody is signed out,
      removals since the backup stay, and the copy begins in rehearsal: it sends no email and takes no payment.
        --identity KEYFILE   the file of the key of age, for one that is encrypted
`,
  run: runRestore,
}

async function runRestore(
  args: string[],
  _withApp: unknown,
  given: GivenSettings,
  options?: { insists: boolean },
): Promise<number> {
  const { values, positionals } = readArguments(args, { identity: { type: 'string' } }, 1)
  const [path] = positionals
  if (path === undefined) throw new UsageError('The command restore needs the name of a backup, or -.')
  const keys = await readKeys(values.identity)
  const config = await readCommandConfig(given, options)
  // A backup that is not whole is found out before anything is touched; standard input can be read only once.
  if (path !== '-') await ofFile(path, () => examine(config, readBackupFile(path, keys)))
  const { manifest, kept } = await ofFile(path, () => restoreInto(config, readBackupFile(path, keys)))
  // A database that somebody insists on is not that of the server.
  if (options?.insists !== true) await rememberDatabase(config)
  const { evidence, covers, createdAt, version } = manifest
  const files =
    evidence === null ? 'without files' : `${counted(evidence, 'file')} of evidence, ${counted(covers ?? 0, 'cover')}`
  process.stdout.write(
    `Restored: ${counted(rowsIn(manifest), 'row')}, ${files}, as they were at ${createdAt} (version ${version}).\n`,
  )
  if (kept > 0)
    process.stdout.write(
      `${counted(kept, 'removal since this dump was', 'removals since this dump were')} kept. The next start takes what they name off the site again.\n`,
    )
  process.stdout.write(
    'Everybody is signed out. The copy is in rehearsal: it sends no email and takes no payment until\n\n    npm run daybook -- rehearsal end\n',
  )
  return 0
}

/** Looks through the whole backup, and whether it would fit. */
async function examine({ dataDir, databaseUrl, evidenceUrl }: Config, backup: AsyncIterable<Buffer>): Promise<void> {
  let [ofRows, ofFiles] = [0, 0]
  await readBackup(backup, {
    head: async ({ migrations, version }) => refuseNewer(migrations, version),
    part: async (kind, { length }) => {
      if (kind === 'bytes') ofFiles += length
      else ofRows += length
    },
  })
  const here =
    (databaseUrl === undefined ? rowsBecome * ofRows + emptyDatabase : 0) + (evidenceUrl === undefined ? ofFiles : 0)
  const free = await freeBytesOf(dataDir)
  if (free >= here) return
  const [is, wanted] = [free, here].map((bytes) => Math.ceil(bytes / 1_048_576).toLocaleString('en-US'))
  throw new Error(
    `There is no room in ${dataDir}: ${is} MB are free, and about ${wanted} MB are needed. Nothing was restored.`,
  )
}

/** Rows with their indexes, and the log of writing them, take so much more room than their text. */
const rowsBecome = 4
const emptyDatabase = 128 * 1024 * 1024

async function restoreInto(config: Config, backup: AsyncIterable<Buffer>): Promise<Restored> {
  const { databaseUrl, migrationDatabaseUrl, dataDir } = config
  const place = databaseInWords(config)
  await makePrivateFolder(dataDir)
  const owner = await openDatabase(
    databaseUrl === undefined || migrationDatabaseUrl === undefined
      ? config
      : { dataDir, databaseUrl: migrationDatabaseUrl },
    { reports: new CommandOutages() },
  )
  const line = new ProgressLine(process.stderr)
  try {
    process.stderr.write(`Opened: ${place}.\n`)
    if (!(await isEmptyDatabase(owner.maintenanceDb)))
      throw new Error(`There is something in ${place} already. A backup is restored into an empty database only.`)
    const restored = await restoreBackup(restoreTarget(config, owner), backup, {
      onProgress: ({ rows }) => line.show({ done: 0, total: undefined, count: rows, noun: 'rows' }),
      onForeign: tellOfForeign,
    })
    line.clear()
    await noteInAuditLog(config, owner.maintenanceDb)
    await giveRights(config)
    return restored
  } finally {
    line.clear()
    await owner.close()
  }
}

/** The places that a backup is put into. */
export function restoreTarget(config: Config, { maintenanceDb, engine }: OpenDatabase) {
  return {
    owner: maintenanceDb,
    engine,
    evidence: openEvidenceStore(config, openLog('silent')),
    removalJournal: new RemovalJournal(config),
    config: appConfigOf(config),
  }
}

export function tellOfForeign(table: string): void {
  process.stderr.write(`The table ${table} is none of this version's, and is left out.\n`)
}

/** The role that runs the site gets its rights where another one migrates. */
async function giveRights(config: Config): Promise<void> {
  if (config.databaseUrl === undefined || config.migrationDatabaseUrl === undefined) return
  const reports = new CommandOutages()
  await using database = await openDatabase(config, { reports })
  await migrateDatabase(config, database, openLog('silent'), { reports })
}

/** Events that were anchored in this data directory after the backup are lost: that is noted, as `audit restored` does. */
async function noteInAuditLog(config: Config, db: SiteApp['db']): Promise<void> {
  const app = { db, config: appConfigOf(config), clock: systemClock, log: openLog('silent') }
  const found = await readRestoredLog(app).catch((error: unknown) => {
    process.stderr.write(`${(error as Error).message}\n`)
    return undefined
  })
  if (found === undefined) return
  await recordRestoredLog(app, found, userInfo().username)
  process.stdout.write(
    `The audit log is as it was up to position ${found.position}. The anchored events behind it, up to position ${found.anchored}, are lost; that is noted in it.\n`,
  )
}
