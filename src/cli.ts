import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { parseArgs } from 'node:util'
import { counted } from './platform/counted.ts'
import { isNewDatabase, openDatabase } from './db/open.ts'
import { migrate } from './db/migrate.ts'
import { demoteAdministrator } from './features/accounts/administrators/demote-administrator.server.ts'
import { verifyAuditLog } from './features/accounts/audit/verify-audit-log.server.ts'
import { recordAuditEvent } from './features/accounts/audit/record-audit-event.server.ts'
import { liftKeptBans } from './features/accounts/user/kept-bans.server.ts'
import { listAdministrators } from './features/accounts/administrators/list-administrators.server.ts'
import { makeAdministrator } from './features/accounts/administrators/make-administrator.server.ts'
import { Passwords } from './features/accounts/passwords/passwords.server.ts'
import { checkPerson } from './features/accounts/user/registration.ts'
import { exportItems, itemStatuses } from './features/catalogue/transfer/export-items.server.ts'
import { openImportFile } from './features/catalogue/transfer/import-file.server.ts'
import { importItems, type ImportTally } from './features/catalogue/transfer/import-items.server.ts'
import type { LinkState } from './features/catalogue/item/link-slots.ts'
import { checkManyLinks } from './features/catalogue/links/check-many-links.server.ts'
import type { LinkChoice } from './features/catalogue/links/due-links.server.ts'
import { LinkProbe } from './features/catalogue/links/link-probe.server.ts'
import { openRejectsFile, type RejectedRow } from './features/catalogue/transfer/rejects-file.server.ts'
import type { App } from './app/app.ts'
import { systemClock } from './platform/time/clock.ts'
import { readConfig, settingNames } from './platform/config/config.ts'
import { CommandOutages } from './platform/database-outages.ts'
import { DiskSpace, refuseFullDisk } from './platform/disk-space.ts'
import { AppError, isAppError } from './platform/errors.ts'
import { openLog } from './platform/log.ts'
import { promptPassword } from './platform/cli/ask-password.ts'
import { openOutput, type Output, streamOutput } from './platform/cli/output.ts'
import { ProgressLine } from './platform/cli/progress-line.ts'
import { outliveReaders } from './platform/cli/standard-streams.ts'
import { unknownSettingInWords, unknownSettings } from './platform/config/unknown-settings.ts'

const usage = `Usage: npm run daybook -- COMMAND

  migrate
      Brings the database to this version's schema.

  admin create EMAIL [--name NAME]
      Makes an administrator, with the password that is asked for, or read from standard input when that is no terminal.
      An account that exists gets it too, and its sessions end.
  admin demote EMAIL
      Makes an administrator a member again. The last one stays.
  admin list
      Lists the administrators.

  lift-ban EMAIL
      Forgets what is kept of a deleted account that was not allowed to be VIP or to buy.

  audit verify
      Computes the audit log's chain of hashes anew, and compares it with the anchors in DATA_DIR.
      Ends with 0 when it is whole, with 1 when it is not; each fault is named with its position.

  import FILE [--dry-run] [--publish] [--create-categories] [--rejects FILE]
      Imports a catalogue from CSV or JSON lines; FILE - is standard input. Importing a file again changes nothing,
      and goes on where an earlier import was stopped.
        --dry-run             look at every row, report, and write nothing
        --publish             publish every row that passes the checks; the others stay drafts
        --create-categories   create categories that do not exist; otherwise their rows are rejected
        --rejects FILE        write the rows that are not in, or not published, with their reasons
      Ends with 0 when every row is in, with 3 when some were rejected or stayed drafts, with 1 when it could not run.

  export [FILE] [--format csv|jsonl] [--status ${itemStatuses.join('|')}]
      Writes the catalogue in the same format, to FILE or standard output; without --status all but removed items.

  check-links [--all] [--item SLUG]
      Checks the links that are due, whatever LINK_CHECKS says.
        --all         check every link
        --item SLUG   check the links of one item
      Ends with 0 when no link that was checked is dead or in doubt, with 3 when some are, with 1 when it could not run.

DATABASE_URL, DATA_DIR and the other variables are those of the server (see README.md).
`

/** Asked for in a way that has no meaning: answered with the sentence, and where to read on. */
class UsageError extends Error {}

/** The part of the application that a command uses: everything but the memory of a server. */
type CommandApp = Pick<App, 'config' | 'db' | 'log' | 'clock' | 'diskSpace'>

async function main(args: string[]): Promise<number> {
  const [command, ...rest] = args
  if (
    command === undefined ||
    command === 'help' ||
    rest.concat(command).some((arg) => arg === '--help' || arg === '-h')
  ) {
    process.stdout.write(usage)
    return 0
  }
  switch (command) {
    case 'migrate':
      return runMigrate(rest)
    case 'admin':
      return runAdmin(rest)
    case 'lift-ban':
      return runLiftBan(rest)
    case 'audit':
      return runAudit(rest)
    case 'import':
      return runImport(rest)
    case 'export':
      return runExport(rest)
    case 'check-links':
      return runCheckLinks(rest)
    default:
      throw new UsageError(`There is no command '${command}'.`)
  }
}

/** Opens the database, brought up to date, for the time of one command. */
async function withApp<T>(work: (app: CommandApp, migrated: string[]) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  for (const unknown of unknownSettings(process.env, settingNames())) {
    process.stderr.write(`${unknownSettingInWords(unknown)}\n`)
  }
  await refuseFullDisk(config, isNewDatabase(config))
  const database = await openDatabase(config, { reports: new CommandOutages() })
  const { maintenanceDb } = database
  // Standard output belongs to what the command answers.
  const log = openLog('silent')
  const diskSpace = new DiskSpace(config, database, log)
  try {
    const migrated = await migrate(maintenanceDb)
    return await work({ config, db: maintenanceDb, log, clock: systemClock, diskSpace }, migrated)
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

async function runMigrate(args: string[]): Promise<number> {
  read(args, {}, 0)
  return withApp((_app, migrated) => {
    process.stdout.write(migrated.length === 0 ? 'The database is up to date.\n' : `Done: ${migrated.join(', ')}.\n`)
    return Promise.resolve(0)
  })
}

async function runAdmin(args: string[]): Promise<number> {
  const [action, ...rest] = args
  if (action === 'create') return runAdminCreate(rest)
  if (action === 'demote') return runAdminDemote(rest)
  if (action === 'list') return runAdminList(rest)
  throw new UsageError('The command admin is followed by create, demote or list.')
}

async function runAdminCreate(args: string[]): Promise<number> {
  const { values, positionals } = read(args, { name: { type: 'string', default: 'Administrator' } }, 1)
  const [email] = positionals
  if (email === undefined) throw new UsageError('The command admin create needs an email address.')
  // Before anybody thinks of a password.
  const problem = checkPerson({ name: values.name, email })
  if (problem !== undefined) throw new Error(problem.message)
  return withApp(async (app) => {
    // Also for an account that exists: anybody may have registered with that address.
    const password = await promptPassword(`New password for ${email}: `)
    const accounts = { ...app, passwords: await Passwords.open() }
    const what = await makeAdministrator(accounts, { email, name: values.name, password })
    process.stdout.write(
      what === 'created'
        ? `${email} is an administrator now.\n`
        : `${email} had an account, and is an administrator now.\n`,
    )
    return 0
  })
}

async function runAdminDemote(args: string[]): Promise<number> {
  const [email] = read(args, {}, 1).positionals
  if (email === undefined) throw new UsageError('The command admin demote needs an email address.')
  return withApp(async (app) => {
    await demoteAdministrator(app, { email })
    process.stdout.write(`${email} is a member now.\n`)
    return 0
  })
}

async function runAdminList(args: string[]): Promise<number> {
  read(args, {}, 0)
  return withApp(async (app) => {
    const administrators = await listAdministrators(app)
    for (const { email, name } of administrators) process.stdout.write(`${email}\t${name}\n`)
    return 0
  })
}

async function runLiftBan(args: string[]): Promise<number> {
  const [email] = read(args, {}, 1).positionals
  if (email === undefined) throw new UsageError('The command lift-ban needs an email address.')
  return withApp(async (app) => {
    const isLifted = await liftKeptBans(app, { email })
    process.stdout.write(
      isLifted ? `Nothing is kept of ${email} any more.\n` : `Nothing is kept of ${email}: nothing was changed.\n`,
    )
    return 0
  })
}

async function runAudit(args: string[]): Promise<number> {
  const [action, ...rest] = args
  if (action !== 'verify') throw new UsageError('The command audit is followed by verify.')
  read(rest, {}, 0)
  return withApp(async (app) => {
    const { events, faults, anchors } = await verifyAuditLog(app)
    if (anchors === 0 && events > 0) {
      process.stderr.write(
        `There are no anchors in ${app.config.dataDir}: a chain that was cut at its end or written anew would not be noticed.\n`,
      )
    }
    for (const { sentence } of faults) process.stderr.write(`${sentence}\n`)
    const count = counted(events, 'event')
    process.stdout.write(faults.length === 0 ? `${count}, whole.\n` : `${count}, not whole.\n`)
    return faults.length === 0 ? 0 : 1
  })
}

async function runImport(args: string[]): Promise<number> {
  const { values, positionals } = read(
    args,
    {
      'dry-run': { type: 'boolean', default: false },
      publish: { type: 'boolean', default: false },
      'create-categories': { type: 'boolean', default: false },
      rejects: { type: 'string' },
    },
    1,
  )
  const [path] = positionals
  if (path === undefined) throw new UsageError('The command import needs the file to import.')
  const options = { publish: values.publish, createCategories: values['create-categories'], dryRun: values['dry-run'] }

  const file = await openImportFile(path)
  const total = path === '-' ? undefined : (await stat(path)).size
  const stop = new AbortController()
  // Asked to stop, it ends after the batch under way; asked twice, at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

  return withApp(async (app) => {
    // Not before the database is open: an import that cannot run leaves the report of an earlier one alone.
    const rejects = values.rejects === undefined ? undefined : await openRejectsFile(values.rejects, { path, file })
    const line = new ProgressLine(process.stderr)
    const reported = new ReportedRows(line)
    try {
      const tally = await importItems(app, file, options, {
        signal: stop.signal,
        async onProgress({ tally, bytesRead, rejected }) {
          if (rejects === undefined) reported.tell(rejected)
          else await rejects.add(rejected)
          line.show({ done: bytesRead, total, count: rowsOf(tally), noun: 'rows' })
        },
      })
      line.clear()
      reported.end()
      process.stdout.write(summary(tally, options.dryRun, values.rejects))
      return tally.rejected + tally.held > 0 ? 3 : 0
    } finally {
      line.clear()
      await rejects?.close()
    }
  })
}

/** Says on the error output what is wrong with the first rows, when no rejects file takes them all. */
class ReportedRows {
  static readonly #max = 20
  readonly #line: ProgressLine
  #count = 0

  constructor(line: ProgressLine) {
    this.#line = line
  }

  tell(rejected: RejectedRow[]): void {
    const room = Math.max(0, ReportedRows.#max - this.#count)
    if (room > 0 && rejected.length > 0) this.#line.clear()
    for (const { row, reasons } of rejected.slice(0, room)) {
      process.stderr.write(`line ${row.line}: ${reasons.join(' | ')}\n`)
    }
    this.#count += rejected.length
  }

  end(): void {
    const rest = this.#count - ReportedRows.#max
    if (rest > 0) process.stderr.write(`… and ${rest.toLocaleString('en-US')} more; --rejects FILE writes them all.\n`)
  }
}

function rowsOf({ created, updated, unchanged, rejected }: ImportTally): number {
  return created + updated + unchanged + rejected
}

function summary(tally: ImportTally, isDryRun: boolean, rejects: string | undefined): string {
  const { created, updated, unchanged, rejected, published, held } = tally
  const counted = Object.entries({ created, updated, unchanged, rejected }).map(
    ([what, n]) => `${n.toLocaleString('en-US')} ${what}`,
  )
  const lines = [`${rowsOf(tally).toLocaleString('en-US')} rows: ${counted.join(', ')}.`]
  if (published + held > 0) {
    lines.push(
      `${published.toLocaleString('en-US')} ${isDryRun ? 'would be' : 'were'} published now; ${held.toLocaleString('en-US')} could not be, and stay unchanged.`,
    )
  }
  if (rejected + held > 0 && rejects !== undefined) lines.push(`The reasons are in ${rejects}.`)
  if (isDryRun) lines.push('This was a dry run: nothing was written.')
  return `${lines.join('\n')}\n`
}

async function runExport(args: string[]): Promise<number> {
  const { values, positionals } = read(args, { format: { type: 'string' }, status: { type: 'string' } }, 1)
  const [path] = positionals
  const byName = path !== undefined && /^\.(jsonl|ndjson)$/i.test(extname(path)) ? 'jsonl' : 'csv'
  const format = oneOf('--format', values.format ?? byName, ['csv', 'jsonl'] as const)
  const status = values.status === undefined ? {} : { status: oneOf('--status', values.status, itemStatuses) }
  const line = new ProgressLine(process.stderr)
  let count = 0
  await withApp(async (app) => {
    const target = path === undefined || path === '-' ? streamOutput(process.stdout) : await openExport(path)
    try {
      await exportItems(app, { format, ...status }, async (chunk, items) => {
        await target.write(chunk)
        count += items
        line.show({ done: 0, total: undefined, count, noun: 'items' })
      })
      await app.db.transaction().execute((trx) =>
        recordAuditEvent(trx, {
          action: 'items.exported',
          by: 'operator',
          details: { format, ...status, items: count },
        }),
      )
      await target.finish()
    } catch (error) {
      await target.discard()
      throw error
    }
  })
  line.clear()
  process.stderr.write(
    `${count.toLocaleString('en-US')} items were exported${path === undefined ? '' : ` to ${path}`}.\n`,
  )
  return 0
}

function openExport(path: string): Promise<Output> {
  return openOutput(path).catch((cause: Error) => {
    throw new Error(`The file ${path} cannot be written: ${cause.message}.`, { cause })
  })
}

async function runCheckLinks(args: string[]): Promise<number> {
  const { values } = read(args, { all: { type: 'boolean', default: false }, item: { type: 'string' } }, 0)
  const { all, item: slug } = values
  const stop = new AbortController()
  // Asked to stop, it ends the checks under way: they stay due. Asked twice, it ends at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return withApp(async (app) => {
    const since = app.clock.now()
    const choice: LinkChoice =
      slug !== undefined ? { kind: 'all', since, slug } : all ? { kind: 'all', since } : { kind: 'due' }
    const line = new ProgressLine(process.stderr)
    try {
      const tally = await checkManyLinks({ ...app, linkProbe: new LinkProbe(app.config) }, choice, {
        signal: stop.signal,
        onProgress: (done, total) => line.show({ done, total, count: done, noun: 'links' }),
      })
      line.clear()
      process.stdout.write(linkSummary(tally))
      return tally.dead + tally.suspect > 0 ? 3 : 0
    } finally {
      line.clear()
    }
  })
}

function linkSummary({ ok, suspect, dead, unknown }: Record<LinkState, number>): string {
  const number = (count: number): string => count.toLocaleString('en-US')
  const count = ok + suspect + dead + unknown
  if (count === 0) return 'No link is due.\n'
  const states = `${number(ok)} ok, ${number(suspect)} suspect, ${number(dead)} dead, ${number(unknown)} unknown`
  return `${counted(count, 'link was', 'links were')} checked: ${states}.\n`
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

/** The options of a command; @throws {UsageError} for one that it does not know, and for more words than it takes. */
function read<const T extends Options>(args: string[], options: T, maxPositionals: number) {
  let parsed
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\.? To specify a positional argument.*$/, '.'), {
      cause: error,
    })
  }
  const extra = parsed.positionals[maxPositionals]
  if (extra !== undefined) throw new UsageError(`'${extra}' is one argument too many.`)
  return parsed
}

function oneOf<const T extends string>(option: string, given: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === given)
  if (found === undefined) throw new UsageError(`${option} must be one of ${allowed.join(', ')}. It is '${given}'.`)
  return found
}

/** One sentence for the operator: the error's own, and what lies behind it where that was not written for people. */
function sentenceOf(error: unknown): string {
  if (error instanceof UsageError || isAppError(error)) return error.message
  const { message, cause } = error as Error
  const causes = cause instanceof AggregateError ? cause.errors : [cause]
  const behind = causes.flatMap((one: unknown) =>
    one instanceof Error && !message.includes(one.message) ? [one.message] : [],
  )
  return [message, ...new Set(behind)].filter((part) => part !== '').join(' ')
}

outliveReaders()
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`)
  if (error instanceof UsageError) process.stderr.write('`npm run daybook -- --help` lists the commands.\n')
  process.exitCode = 1
}
