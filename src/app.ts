import { type DatabaseLocation, openDatabase, type OpenDatabase } from './db/open.ts'
import { migrate } from './db/migrate.ts'
import { followCatalogue, ListingIndex } from './features/catalogue/listing-index.server.ts'
import { Answers } from './platform/answers.ts'
import type { App } from './platform/app.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { Log } from './platform/log.ts'

export interface OpenApp {
  app: App
  database: OpenDatabase
  close(): Promise<void>
}

/**
 * Opens the database, brings it up to date and makes the one object that is handed down. The command line and the
 * tests open it in the same way as the server.
 */
export async function openApp(
  config: Config,
  log: Log,
  {
    clock = systemClock,
    open = openDatabase,
  }: { clock?: Clock; open?: (at: DatabaseLocation) => Promise<OpenDatabase> } = {},
): Promise<OpenApp> {
  const database = await open(config)
  try {
    const migrated = await migrate(database.db)
    if (migrated.length > 0) log.info({ migrated }, 'The database was brought up to date.')
    const base = { config, db: database.db, log, clock }
    const app: App = {
      ...base,
      answers: new Answers(config.answerCacheMegabytes * 1024 * 1024),
      listing: new ListingIndex(base),
    }
    await app.listing.load()
    const stopFollowing = await followCatalogue(app, database)
    return {
      app,
      database,
      async close() {
        await stopFollowing()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
