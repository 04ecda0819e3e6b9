import { migrateDatabase } from '../app/migrate-database.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { isNewDatabase, openDatabase } from '../db/open.ts'
import { accountTexts } from '../features/accounts/texts/account-texts.ts'
import { SiteTexts } from '../features/accounts/texts/site-texts.server.ts'
import { appConfigOf, readConfig, settingNames } from '../platform/config/config.ts'
import { unknownSettingInWords, unknownSettings } from '../platform/config/unknown-settings.ts'
import { CommandOutages } from '../platform/database-outages.ts'
import { DiskSpace, refuseFullDisk } from '../platform/disk-space.ts'
import { AppError, isAppError } from '../platform/errors.ts'
import { openLog } from '../platform/log.ts'
import { systemClock } from '../platform/time/clock.ts'
import type { CommandApp } from './command.ts'

/** Opens the database, brought up to date, for the time of one command. */
export async function withApp<T>(
  env: NodeJS.ProcessEnv,
  work: (app: CommandApp, migrated: string[], database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const config = readConfig(env)
  for (const unknown of unknownSettings(env, settingNames())) {
    process.stderr.write(`${unknownSettingInWords(unknown)}\n`)
  }
  await refuseFullDisk(config, isNewDatabase(config))
  const database = await openDatabase(config, { reports: new CommandOutages() })
  const { maintenanceDb } = database
  // Standard output belongs to what the command answers.
  const log = openLog('silent')
  const diskSpace = new DiskSpace(config, database, log)
  try {
    const migrated = await migrateDatabase(config, database, log)
    // Administrators may have changed the name, which no password may be made of.
    const texts = new SiteTexts(accountTexts, config)
    texts.use(await texts.readSaved(maintenanceDb))
    const app = { config: appConfigOf(config), db: maintenanceDb, log, clock: systemClock, diskSpace, texts }
    return await work(app, migrated, database)
  } catch (error) {
    throw await operatorMessage(error, diskSpace)
  } finally {
    await database.close()
  }
}

/** A full disk in words for who can make room. */
async function operatorMessage(error: unknown, diskSpace: DiskSpace): Promise<unknown> {
  const reported = diskSpace.explain(error)
  if (!isAppError(reported) || reported.code !== 'disk.full') return error
  await diskSpace.look()
  const message = `${diskSpace.sentence} An import goes on from its last batch when it is started again.`
  return new AppError({ code: reported.code, status: reported.status, message, cause: error })
}
