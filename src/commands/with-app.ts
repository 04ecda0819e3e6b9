import { migrateDatabase } from '../app/migrate-database.ts'
import { databaseInWords } from '../db/last-database.ts'
import { isMigrated } from '../db/migrate.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { isNewDatabase, openDatabase } from '../db/open.ts'
import { accountTexts } from '../features/accounts/account-texts.ts'
import { Rehearsal } from '../features/office/rehearsal.server.ts'
import { SiteTexts } from '../features/office/texts/site-texts.server.ts'
import { appConfigOf } from '../app/config.ts'
import type { GivenSettings } from '../platform/config/config.ts'
import { CommandOutages, diskFullForOperator } from '../platform/database-outages.ts'
import { DiskSpace, refuseFullDisk } from '../platform/disk-space.ts'
import { isAppError } from '../platform/errors.ts'
import { openLog } from '../platform/log.ts'
import { systemClock } from '../platform/time/clock.ts'
import type { Command, CommandApp } from './command.ts'
import { readCommandConfig } from './read-command-config.ts'

/**
 * Opens the database, brought up to date, for the time of one command, and names it on the error output.
 * @throws {OtherDatabaseError} where the server last used another one, and the command does not insist
 * @throws {Error} where there is none, and the command creates none
 */
export async function withApp<T>(
  given: GivenSettings,
  work: (app: CommandApp, migrated: string[], database: OpenDatabase) => Promise<T>,
  { createsDatabase, insists = false }: Pick<Command, 'createsDatabase'> & { insists?: boolean } = {},
): Promise<T> {
  const config = await readCommandConfig(given, { insists })
  const isNew = isNewDatabase(config)
  if (isNew) reportNone()
  await refuseFullDisk(config, isNew)
  const reports = new CommandOutages()
  const database = await openDatabase(config, { reports })
  const { maintenanceDb } = database
  // Standard output belongs to what the command answers.
  const log = openLog('silent')
  const diskSpace = new DiskSpace(config, database, log)
  try {
    if (!isNew && !(await isMigrated(maintenanceDb))) reportNone()
    process.stderr.write(`Opened: ${databaseInWords(config)}.\n`)
    const migrated = await migrateDatabase(config, database, log, { reports })
    // Administrators may have changed the name, which no password may be made of.
    const texts = new SiteTexts(accountTexts, config)
    texts.use(await texts.readSaved(maintenanceDb))
    const rehearsal = new Rehearsal(config)
    rehearsal.use(await rehearsal.readSaved(maintenanceDb))
    const app = { rehearsal, config: appConfigOf(config), db: maintenanceDb, log, clock: systemClock, diskSpace, texts }
    return await work(app, migrated, database)
  } catch (error) {
    throw await operatorMessage(error, diskSpace)
  } finally {
    await database.close()
  }

  function reportNone(): void {
    const place = databaseInWords(config)
    if (createsDatabase) return void process.stderr.write(`A new database is created: ${place}.\n`)
    throw new Error(
      `There is nothing of Daybook yet: ${place} was never used. Give this command the DATABASE_URL and DATA_DIR of the server; migrate creates a database.`,
    )
  }
}

/** A full disk in words for who can make room. */
async function operatorMessage(error: unknown, diskSpace: DiskSpace): Promise<unknown> {
  const reported = diskSpace.explain(error)
  if (!isAppError(reported) || reported.code !== 'disk.full') return error
  await diskSpace.look()
  const message = `${diskSpace.sentence} An import goes on from its last batch when it is started again.`
  return diskFullForOperator(message, { cause: error })
}
