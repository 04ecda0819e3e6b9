import { type DatabaseLocation, isNewDatabase, openDatabase, type OpenOptions } from '../db/open.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { mayReceive, recordFate } from '../features/accounts/sent-emails/email-fates.server.ts'
import { alarmOfLimit, Alarms } from '../features/office/alarms/alarms.server.ts'
import { WebhookSignatures } from '../features/office/alarms/webhook-signatures.server.ts'
import { AuditWords } from '../features/office/audit/audit-words.server.ts'
import { CountedEvents } from '../features/office/audit/counted-events.server.ts'
import { peopleForOffice } from '../features/accounts/administrators/people-for-office.server.ts'
import { Passwords } from '../features/accounts/passwords/passwords.server.ts'
import { Checkouts } from '../features/membership/checkout/checkouts.server.ts'
import { Rehearsal } from '../features/office/rehearsal.server.ts'
import { SiteTexts } from '../features/office/texts/site-texts.server.ts'
import { LegalTexts } from '../features/membership/account/legal-texts.server.ts'
import { Payments } from '../features/membership/stripe/payments.server.ts'
import { RemovalJournal } from '../features/notices/journal/journal-file.server.ts'
import { forgetJobFailure, recordJobFailure } from '../features/site/home/record-job-failure.server.ts'
import { scheduleInvariantChecks } from '../features/site/invariants/check-invariants.server.ts'
import { followEmailChanges } from '../features/site/account/follow-email-changes.server.ts'
import { features } from '../features/site/features.server.ts'
import { registerEmails } from '../platform/email/email-contribution.ts'
import { registerJobs } from '../platform/jobs/job-contribution.ts'
import { CoverSource, type CoverSourceOptions } from '../features/catalogue/covers/cover-source.server.ts'
import { openEvidenceStore } from '../features/catalogue/evidence/evidence-store.server.ts'
import { Gateway } from '../features/catalogue/gateway/gateway.server.ts'
import { CatalogueIndex } from '../features/catalogue/index/catalogue-index.server.ts'
import { LinkProbe, type LinkProbeOptions } from '../features/catalogue/links/link-probe.server.ts'
import { SearchMisses } from '../features/catalogue/search/missed-searches.server.ts'
import { followCatalogue } from '../features/catalogue/index/follow-catalogue.server.ts'
import { ResponseCache } from '../http/cache/response-cache.ts'
import { openRendering } from '../http/rendering.ts'
import { Traffic } from '../http/traffic.ts'
import type { App } from './app.ts'
import { openMetrics } from './metrics.ts'
import { migrateDatabase } from './migrate-database.ts'
import { type Clock, systemClock } from '../platform/time/clock.ts'
import { Compressions } from '../http/cache/compressions.ts'
import { appConfigOf, type Config } from './config.ts'
import { currentRequest } from '../platform/current-request.ts'
import { DatabaseOutages } from '../platform/database-outages.ts'
import { DiskSpace, type FreeBytes, makeDataDir, refuseFullDisk } from '../platform/disk-space.ts'
import { Jobs } from '../platform/jobs/jobs.ts'
import type { Log } from '../platform/log.ts'
import { Mail } from '../platform/email/mail.ts'
import { openRateLimits } from '../platform/rate-limit/rate-limits.ts'

export interface OpenApp {
  app: App
  database: OpenDatabase
  close(): Promise<void>
}

/** How long the start waits for PostgreSQL. */
const databaseWaitMs = 60_000

interface OpenAppOptions {
  clock?: Clock
  open?: (at: DatabaseLocation, options: OpenOptions) => Promise<OpenDatabase>
  freeBytes?: FreeBytes
  /** Whether what is repeated by the clock is done; a test does not want it in the middle. */
  hasClockwork?: boolean
  /** Hashes and judges passwords; tests of other things use a cheap hash. */
  passwords?: Passwords
  /** How long a caller waits for a shared counter; a test that is not about it waits as long as its machine needs. */
  limitsAnswerWithinMs?: number
  /** How links are checked; a test lets it reach the servers that it has started itself. */
  linkProbe?: LinkProbeOptions
  /** Called where the database is busy with the whole catalogue: until it answers there is time for other work. */
  whileReading?: () => void
  /** How covers are fetched; by default as it is in the server. */
  coverSource?: CoverSourceOptions
}

/**
 * Opens the database, brings it up to date and makes the one object that is handed down. The tests open it in the same
 * way as the server; the command line opens only what it needs (`commands/with-app.ts`, `commands/with-mail.ts`). Jobs
 * can be queued; they run after `app.jobs.start()`.
 */
export async function openApp(environment: Config, log: Log, options: OpenAppOptions = {}): Promise<OpenApp> {
  const { clock = systemClock, passwords, linkProbe: probeOptions, coverSource: coverOptions } = options
  const platform = await openPlatform(environment, log, { ...options, clock })
  const { texts, config, database, outages, limits, diskSpace, jobs, rehearsal, mail, closePlatform } = platform
  const isRehearsal = (): boolean => rehearsal.isOn
  const people = peopleForOffice({ config, mail, clock })
  const alarms = new Alarms({ db: database.db, mail, clock, log, people })
  const countedEvents = new CountedEvents({ db: database.db, log, people })
  limits.onCrowded = (rule) => alarms.raise(alarmOfLimit(rule))
  limits.onRefused = (limit, key) => void countedEvents.count({ action: 'limit.reached', key, limit })
  const linkProbe = new LinkProbe({ config, limits }, probeOptions)
  let listing: CatalogueIndex | undefined
  try {
    const migrated = await migrateDatabase(config, database, log, { waitMs: databaseWaitMs })
    if (migrated.length > 0) log.info({ migrated }, 'The database was migrated.')
    const { db, maintenanceDb } = database
    rehearsal.use(await rehearsal.readSaved(db))
    const base = { config, texts, rehearsal, db, maintenanceDb, log, clock, diskSpace }
    const gateway = new Gateway(base)
    const app: App = {
      ...base,
      outages,
      jobs,
      mail,
      answers: new ResponseCache(config.answerCacheMegabytes * 1024 * 1024),
      compressions: new Compressions(log),
      rendering: openRendering(),
      traffic: new Traffic(),
      limits,
      passwords: passwords ?? (await Passwords.open(undefined, { workers: config.workers })),
      alarms,
      signatures: new WebhookSignatures(alarms),
      countedEvents,
      people,
      audit: new AuditWords(features),
      gateway,
      listing: new CatalogueIndex({ ...base, gateway }),
      linkProbe,
      searchMisses: new SearchMisses(base),
      evidence: openEvidenceStore(config, log),
      coverSource: new CoverSource(config, { ...coverOptions, isRehearsal }),
      payments: new Payments(config.payments, log, { isRehearsal }),
      checkouts: new Checkouts(log),
      legalTexts: new LegalTexts(base),
      removalJournal: new RemovalJournal(config),
      demo: { isHere: false },
      metrics: { write: () => metrics.write() },
    }
    if (database.replicaDb !== undefined) app.replicaApp = { ...app, db: database.replicaDb }
    const metrics = openMetrics(app, database)
    registerLaterWork(app)
    await jobs.prepare()
    listing = app.listing
    await listing.open(options.whileReading)
    const stopFollowing = await followCatalogue(app, database)
    const stopWatching = diskSpace.watch()
    return {
      app,
      database,
      async close() {
        stopWatching()
        await stopFollowing()
        linkProbe.close()
        await countedEvents.close()
        await alarms.close()
        await app.listing.close()
        await closePlatform()
      },
    }
  } catch (error) {
    await listing?.close()
    await closePlatform()
    throw error
  }
}

/** Opens what the features stand on; it closes after them. */
async function openPlatform(
  environment: Config,
  log: Log,
  {
    clock,
    open = openDatabase,
    freeBytes,
    hasClockwork = true,
    limitsAnswerWithinMs,
  }: OpenAppOptions & { clock: Clock },
) {
  const declared = await Promise.all(features.map(async ({ texts }) => (await texts?.(environment)) ?? []))
  const texts = new SiteTexts(declared.flat(), environment)
  const config = appConfigOf(environment)
  await refuseFullDisk(config, isNewDatabase(config), freeBytes)
  await makeDataDir(config)
  const outages = new DatabaseOutages(log)
  const database = await open(config, {
    reports: outages,
    waitMs: databaseWaitMs,
    callOf: () => currentRequest()?.database,
  })
  if (database.engine === 'embedded' && !config.embeddedSync) {
    log.warn('EMBEDDED_SYNC is off: a power cut can lose the last writes and damage the embedded database.')
  }
  const limits = openRateLimits(config, log, { answerWithinMs: limitsAnswerWithinMs })
  const diskSpace = new DiskSpace(config, database, log, { freeBytes, isServerFull: () => outages.isDiskFull })
  const jobs = new Jobs(database, log, {
    ownsTables: config.migrationDatabaseUrl === undefined,
    isPaused: () => diskSpace.isFull,
    hasClockwork,
    onGivenUp: (failure) => recordJobFailure({ db: database.db, clock }, failure),
    onRan: (name) => forgetJobFailure({ db: database.db }, name),
  })
  const rehearsal = new Rehearsal(config)
  const mail = new Mail({ config, sender: () => texts.sender, log, jobs, isRehearsal: () => rehearsal.isOn })
  const closePlatform = async (): Promise<void> => {
    await jobs.stop()
    mail.close()
    limits.close()
    await database.close()
  }
  return { texts, config, database, outages, limits, diskSpace, jobs, rehearsal, mail, closePlatform }
}

function registerLaterWork(app: App): void {
  for (const { emails = [], jobs = [] } of features) {
    registerEmails(app, emails, (address, kind) => mayReceive(app, address, kind))
    registerJobs(app, jobs)
  }
  app.mail.follow((fate) => recordFate(app, fate))
  followEmailChanges(app)
  scheduleInvariantChecks(app)
}
