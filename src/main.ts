import { inspect } from 'node:util'
import { openApp } from './app/open-app.ts'
import { DirectoryLockedError } from './db/embedded/directory-lock.ts'
import { lendSnapshots } from './db/embedded/snapshots.ts'
import type { OpenDatabase } from './db/open-database.ts'
import { OtherDatabaseError, refuseOtherStart, rememberDatabase } from './db/last-database.ts'
import { DatabaseUnreachableError } from './db/postgres/start.ts'
import { demoLoginsFile, readDemoLogins } from './features/accounts/demo/fill-demo-accounts.server.ts'
import { catchUpWithStripe } from './features/membership/jobs.server.ts'
import { watchPrices } from './features/membership/stripe/watch-prices.server.ts'
import { RemovalJournalError } from './features/notices/journal/journal-file.server.ts'
import { examineConfig } from './app/examine-config.ts'
import { scheduleBackups } from './features/site/backup/scheduled-backups.server.ts'
import { features } from './features/site/features.server.ts'
import { beginDemo, fillDemoMemberships } from './features/site/demo/fill-demo.server.ts'
import { type Config, settings } from './app/config.ts'
import { ConfigError, ConfigErrors, throwFaults } from './platform/config/config.ts'
import { readPlaces, SettingsFileError } from './platform/config/settings-file.ts'
import { isDatabaseUnavailable } from './platform/database-outages.ts'
import { isAppError } from './platform/errors.ts'
import { listen, listenFault } from './http/listen.ts'
import { type Log, openLog } from './platform/log.ts'
import { keepFilesPrivate } from './platform/private-folder.ts'
import { shrinkAfterStart } from './platform/shrink-after-start.ts'
import { inSources } from './platform/source-places.ts'
import { outliveReaders } from './platform/cli/standard-streams.ts'
import { unknownSettingInWords, unknownSettings } from './platform/config/unknown-settings.ts'
import { builtPages, type PageSource } from './app/page-source.ts'
import { finishStart } from './app/finish-start.ts'
import { makeBackup } from './app/make-backup.ts'
import { openServer } from './app/server.ts'
import { startNotice } from './app/start-notice.ts'
import { startSandbox } from './app/start-sandbox.ts'
import { sayOpen } from './app/worker-link.ts'

/** The process: config, database, pages, listen, close. */
async function main(source: PageSource): Promise<void> {
  outliveReaders()
  keepFilesPrivate()
  // React looks at this when it is loaded, and renders several times slower without it.
  process.env['NODE_ENV'] ??= 'production'
  const { config, log } = await readStart()
  const { app, database, close } = await openApp(config, log, { whileReading: () => source.load?.() })
  void database.stopped?.then((error) => exitWithoutDatabase(log, error))
  const stopLending = await serveCommands(config, database, log)
  // Not before the data directory is ours alone: the sandbox keeps its state in it. It starts before the pages are opened.
  const startingSandbox =
    config.payments.isSandbox && !app.rehearsal.isOn
      ? startSandbox({ ...config, brandName: app.texts.inForce.brandName }, log, process.env)
      : undefined
  await beginDemo(app)
  for (const { onStart = [] } of features) for (const start of onStart) await start(app)
  const logins = config.hasDemoAccounts ? await readDemoLogins(app) : []

  const pages = await source.open(app)
  let isStarted = false
  const { server, stop } = await openServer(app, {
    pages,
    assetsDirectory: source.assetsDirectory,
    isStarted: () => isStarted,
  })
  const detach = await source.attach?.(server)

  const sandbox = await startingSandbox
  if (sandbox !== undefined) app.payments.use(sandbox.payments)
  const isSandboxMissing = startingSandbox !== undefined && sandbox === undefined
  await fillDemoMemberships(app, sandbox?.playPast)
  const prices = isSandboxMissing
    ? undefined
    : await watchPrices(app).catch(async (error: unknown) => {
        await close()
        throw error
      })

  const { port, stop: stopListening } = await listen(server, config).catch((error: unknown) => {
    throw listenFault(error) ?? error
  })
  const ends: (void | (() => void | Promise<void>))[] = []
  for (const { onServing = [] } of features) for (const begin of onServing) ends.push(await begin(app))
  log.info({ hosts: config.hosts, port }, `${app.texts.inForce.brandName} listens.`)
  const stopping = stopOnSignals(log, {
    onSignal: () => sandbox?.expectEnd(),
    async stop() {
      prices?.stop()
      await detach?.()
      await Promise.all([stop(), stopListening()])
      for (const endOf of ends) await endOf?.()
      await app.jobs.stop()
      for (const { onStop = [] } of features) for (const stop of onStop) await stop(app)
      await stopLending()
      await close()
      await sandbox?.stop()
    },
  })
  const catchUp = (): Promise<void> => catchUpWithStripe(app)
  await finishStart(app, [() => app.jobs.start(), ...(isSandboxMissing ? [] : [catchUp])], stopping)
  if (stopping.signal.aborted) return
  isStarted = true
  ends.push(scheduleBackups(app, makeBackup))
  shrinkAfterStart()
  // Its events come from now on.
  sandbox?.sendEventsTo(`http://${loopbackOf(config.hosts[0] ?? '')}:${port}/webhooks/stripe`)
  // Last: whoever has read it may end the process.
  sayOpen(
    startNotice({
      brandName: app.texts.inForce.brandName,
      url: config.publicUrlIsSet ? config.publicUrl : `http://localhost:${port}`,
      logins,
      loginsFile: demoLoginsFile(config),
      isTerminal: process.stdout.isTTY,
      sandboxUrl: sandbox?.url,
    }),
  )
}

/** The settings, and the log that names those that are unknown. */
async function readStart(): Promise<{ config: Config; log: Log }> {
  const places = readPlaces(process.env)
  const { config, faults } = await examineConfig(places)
  throwFaults(faults)
  const log = openLog(config.logLevel)
  for (const unknown of unknownSettings(places, settings)) {
    log.warn({ variable: unknown.name }, unknownSettingInWords(unknown))
  }
  await refuseOtherStart(config)
  return { config, log }
}

/** Has commands know which database this is, and be lent copies of an embedded one. @returns how to stop lending */
async function serveCommands(config: Config, database: OpenDatabase, log: Log): Promise<() => Promise<void>> {
  await rememberDatabase(config).catch((error: unknown) =>
    log.error(
      { err: error },
      'DATA_DIR/database.json could not be written: commands do not know which database this is.',
    ),
  )
  return lendSnapshots(config.dataDir, database).catch((error: unknown) => {
    log.error({ err: error }, 'No backup can be made while the site runs: DATA_DIR takes no socket.')
    return () => Promise.resolve()
  })
}

function exitWithoutDatabase(log: Log, error: unknown): never {
  log.fatal(
    { err: error },
    'The embedded database has given up. The next start opens it with all that was acknowledged.',
  )
  process.exit(1)
}

/** Ends the process at the first signal. @returns what is aborted then */
function stopOnSignals(log: Log, { onSignal, stop }: { onSignal(): void; stop(): Promise<void> }): AbortController {
  const stopping = new AbortController()
  const end = (signal: string): void => {
    if (stopping.signal.aborted) return
    stopping.abort()
    onSignal()
    log.info({ signal }, 'Stopping.')
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'The process did not stop cleanly.')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return stopping
}

/** The loopback address of a listening host. */
function loopbackOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Explains a start that an unavailable PostgreSQL ended, or a missing right of the role of DATABASE_URL. */
function sentencesOf({ message, cause }: Error): string {
  const advice = isForbidden(cause)
    ? '. The role of MIGRATION_DATABASE_URL or, where that is unset, of DATABASE_URL needs the right to create schemas and tables, and to own those that are there.'
    : ''
  return `${message} ${(cause as Error).message}${advice}`
}

function isForbidden(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === '42501'
}

/** Runs the site until a signal ends it. An error that the operator can mend is a sentence, any other has its trace. */
export async function run(source: PageSource): Promise<void> {
  try {
    await main(source)
  } catch (error) {
    reportAndExit(error)
  }
}

function reportAndExit(error: unknown): never {
  const isKnown =
    error instanceof ConfigError ||
    error instanceof ConfigErrors ||
    error instanceof SettingsFileError ||
    error instanceof DirectoryLockedError ||
    error instanceof DatabaseUnreachableError ||
    error instanceof OtherDatabaseError ||
    error instanceof RemovalJournalError ||
    isAppError(error)
  const isOfDatabase = error instanceof Error && (isDatabaseUnavailable(error.cause) || isForbidden(error.cause))
  process.stderr.write(`\n${isKnown ? error.message : isOfDatabase ? sentencesOf(error) : inSources(inspect(error))}\n`)
  process.exit(1)
}

if (import.meta.main) await run(builtPages)
