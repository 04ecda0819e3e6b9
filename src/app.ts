import { type DatabaseLocation, openDatabase, type OpenDatabase } from './db/open.ts'
import { migrate } from './db/migrate.ts'
import { registerAccountJobs } from './features/accounts/jobs.server.ts'
import { registerAccountLetters } from './features/accounts/letters.server.ts'
import { Passwords } from './features/accounts/passwords.server.ts'
import { openLegalTexts } from './features/membership/legal-texts.server.ts'
import { registerMembershipJobs } from './features/membership/jobs.server.ts'
import { registerMembershipLetters } from './features/membership/letters.server.ts'
import { Payments } from './features/membership/payments.server.ts'
import { followCatalogue, ListingIndex } from './features/catalogue/listing-index.server.ts'
import { Answers } from './platform/answers.ts'
import type { App } from './platform/app.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { Jobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import { Mail } from './platform/mail.ts'
import { openRateLimits } from './platform/rate-limits.ts'

export interface OpenApp {
  app: App
  database: OpenDatabase
  close(): Promise<void>
}

/**
 * Opens the database, brings it up to date and makes the one object that is handed down. The command line and the
 * tests open it in the same way as the server. Jobs can be put in line; nobody does them before `app.jobs.start()`.
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
  const limits = openRateLimits(config, log)
  const jobs = new Jobs(database, log)
  const mail = new Mail({ config, log, jobs })
  try {
    const migrated = await migrate(database.db)
    if (migrated.length > 0) log.info({ migrated }, 'The database was brought up to date.')
    const base = { config, db: database.db, log, clock }
    const app: App = {
      ...base,
      jobs,
      mail,
      answers: new Answers(config.answerCacheMegabytes * 1024 * 1024),
      limits,
      passwords: await Passwords.open(),
      listing: new ListingIndex(base),
      payments: new Payments(config.payments, log),
      legalTexts: await openLegalTexts(base),
    }
    registerAccountLetters(app)
    registerAccountJobs(app)
    registerMembershipLetters(app)
    registerMembershipJobs(app)
    await jobs.prepare()
    await app.listing.load()
    const stopFollowing = await followCatalogue(app, database)
    return {
      app,
      database,
      async close() {
        await stopFollowing()
        await jobs.stop()
        mail.close()
        limits.close()
        await database.close()
      },
    }
  } catch (error) {
    await jobs.stop()
    mail.close()
    limits.close()
    await database.close()
    throw error
  }
}
