import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { openApp } from './app.ts'
import { DirectoryLockedError } from './db/directory-lock.ts'
import { appointFirstAdministrator } from './features/accounts/appoint-first-administrator.server.ts'
import { type DemoLogin, fillDemoAccounts } from './features/accounts/fill-demo-accounts.server.ts'
import { fillDemo } from './features/catalogue/fill-demo.server.ts'
import { startCatalogueJobs } from './features/catalogue/jobs.server.ts'
import { fillDemoMembership } from './features/membership/fill-demo-membership.server.ts'
import { catchUpWithStripe } from './features/membership/jobs.server.ts'
import { releaseLocks } from './features/membership/lock-member.server.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { isAppError } from './platform/errors.ts'
import { openLog } from './platform/log.ts'
import type { App } from './platform/app.ts'
import { openServer } from './server.ts'
import { startSandbox } from './start-sandbox.ts'

/** The process: config, database, pages, listen, close. */
async function main(): Promise<void> {
  // React looks at this when it is loaded, and renders several times slower without it.
  process.env['NODE_ENV'] ??= 'production'
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const { app, close } = await openApp(config, log)
  // Not before the data directory is ours alone: the sandbox keeps its state in it. It starts while the pages are loaded.
  const startingSandbox = config.payments.isSandbox
    ? startSandbox(config, log, process.env)
    : Promise.resolve(undefined)
  // Told where it is waited for.
  startingSandbox.catch(() => {})
  if (config.databaseUrl === undefined) await releaseLocks(app)
  await appointFirstAdministrator(app)
  await fillDemo(app)
  const logins = await fillDemoAccounts(app)
  await fillDemoMembership(app)
  const stopJobs = await startCatalogueJobs(app)

  const build = join(import.meta.dirname, '..', 'build')
  const { openPages } = (await import(pathToFileURL(join(build, 'server', 'index.js')).href)) as {
    openPages: (app: App) => (request: Request) => Promise<Response>
  }
  const { server, stop } = await openServer(app, { pages: openPages(app), assetsDirectory: join(build, 'client') })

  const sandbox = await startingSandbox.catch(async (error: unknown) => {
    await close()
    throw error
  })
  if (sandbox !== undefined) app.payments.use(sandbox.payments)

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, config)))
    server.listen(config.port, config.host, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : config.port
  await app.jobs.start()
  sandbox?.sendEventsTo(`http://${loopbackOf(config.host)}:${port}/webhooks/stripe`)
  await catchUpWithStripe(app)
  log.info({ host: config.host, port }, `${config.brandName} listens.`)
  const shown = config.publicUrlIsSet ? config.publicUrl : `http://localhost:${port}`
  process.stdout.write(
    `\n  ${config.brandName} is open at ${shown}\n${tableOf(logins)}${sandbox === undefined ? '' : `\n  TEST MODE: no card is charged. Payments are played at ${sandbox.url}\n`}\n`,
  )

  let stopping = false
  const end = (signal: string): void => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'Stopping.')
    void (async () => {
      await stop()
      await stopJobs()
      await app.jobs.stop()
      await close()
      await sandbox?.stop()
    })().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'The stop did not go well.')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Where a process of this machine reaches what listens there. */
function loopbackOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Why it cannot listen, named after the setting that mends it. */
function listenFault(error: NodeJS.ErrnoException, { port, host }: Config): Error {
  const code = error.code ?? ''
  if (code === 'EADDRINUSE') return new ConfigError('PORT', 'one that no other process listens on', String(port))
  if (code === 'EACCES') return new ConfigError('PORT', 'one that this user may listen on', String(port))
  if (['EADDRNOTAVAIL', 'ENOTFOUND'].includes(code)) return new ConfigError('HOST', 'an address of this machine', host)
  return error
}

/** The demo's logins, one a line. */
function tableOf(logins: DemoLogin[]): string {
  if (logins.length === 0) return ''
  const width = Math.max(...logins.map(({ email }) => email.length))
  const lines = logins.map(
    ({ role, email, password }) => `    ${email.padEnd(width)}  ${password ?? '(password changed)'}  ${role}\n`,
  )
  return `\n  Demo logins\n${lines.join('')}`
}

main().catch((error: unknown) => {
  // What the operator can mend is said in a sentence; anything else comes with its trace and its causes.
  const isKnown = error instanceof ConfigError || error instanceof DirectoryLockedError || isAppError(error)
  process.stderr.write(`\n${isKnown ? error.message : inspect(error)}\n`)
  process.exit(1)
})
