import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { type Command, UsageError, type WithApp } from './commands/command.ts'
import { type Environment, type GivenSettings, placesOf } from './platform/config/config.ts'
import { readPlaces } from './platform/config/settings-file.ts'
import { outliveReaders } from './platform/cli/standard-streams.ts'
import { isAppError } from './platform/errors.ts'
import { keepFilesPrivate } from './platform/private-folder.ts'

/** The commands by their names, in the order of the help. Each is loaded when it is asked for, with all that it needs. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['backup', async () => (await import('./commands/backup.ts')).backupCommand],
  ['restore', async () => (await import('./commands/restore.ts')).restoreCommand],
  ['move', async () => (await import('./commands/move.ts')).moveCommand],
  ['rehearsal', async () => (await import('./commands/rehearsal.ts')).rehearsalCommand],
  ['upgrade', async () => (await import('./commands/upgrade.ts')).upgradeCommand],
  ['migrate', async () => (await import('./commands/migrate.ts')).migrateCommand],
  ['admin', async () => (await import('./commands/admin.ts')).adminCommand],
  ['account', async () => (await import('./commands/account.ts')).accountCommand],
  ['lift-ban', async () => (await import('./commands/lift-ban.ts')).liftBanCommand],
  ['audit', async () => (await import('./commands/audit.ts')).auditCommand],
  ['removals', async () => (await import('./commands/removals.ts')).removalsCommand],
  ['import', async () => (await import('./commands/import.ts')).importCommand],
  ['export', async () => (await import('./commands/export.ts')).exportCommand],
  ['check-links', async () => (await import('./commands/check-links.ts')).checkLinksCommand],
  ['settings', async () => (await import('./commands/settings.ts')).settingsCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  ['mail', async () => (await import('./commands/mail.ts')).mailCommand],
])

/** Said with any command. */
const insistence = '--database'

async function help(): Promise<string> {
  const loaded = await Promise.all([...commands.values()].map((load) => load()))
  return `Usage: npm run daybook -- COMMAND

${loaded.map((command) => command.usage).join('\n')}
DATABASE_URL, DATA_DIR and the other settings are those of the server (see docs/operating.md). A command is refused
where the server last used another database; ${insistence} insists. Only migrate, import, restore and move create one.
`
}

async function run(args: string[], env: Environment): Promise<number> {
  const insists = args.includes(insistence)
  const [name, ...rest] = args.filter((word) => word !== insistence)
  if (name === undefined || name === 'help' || args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(await help())
    return 0
  }
  const load = commands.get(name)
  if (load === undefined) throw new UsageError(`There is no command '${name}'.`)
  const command = await load()
  const places = readPlaces(env)
  const used: GivenSettings = command.usesPayments ? places : [...placesOf({ PAYMENTS: 'off' }), ...places]
  const withApp: WithApp = async (work) => {
    // The database engines: what is wrong with the words is said without them.
    const loaded = await import('./commands/with-app.ts')
    return loaded.withApp(used, work, { ...command, insists })
  }
  return command.run(rest, withApp, used, { insists })
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

/**
 * Does what the words of a command line ask for, and says what is wrong with them in a sentence.
 * @returns the status that the process ends with
 */
export async function runCommand(args: string[], env: Environment): Promise<number> {
  try {
    return await run(args, env)
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    if (error instanceof UsageError) process.stderr.write('`npm run daybook -- --help` lists the commands.\n')
    return 1
  }
}

/** Takes the processor time that visitors leave. Linux knows a priority of each thread; those that sweep memory run already. */
function goBehindVisitors(): void {
  const threads = existsSync('/proc/self/task') ? readdirSync('/proc/self/task').map(Number) : [process.pid]
  for (const thread of threads) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch (error) {
      // The system may forbid it, the process may be behind already, the thread may have ended: the backup is made all the same.
      const { code } = (error as { info: { code: string } }).info
      if (!['EPERM', 'EACCES', 'ESRCH'].includes(code)) throw error
    }
  }
}

/** The whole process of a command. */
export async function runProcess(args: string[]): Promise<void> {
  outliveReaders()
  keepFilesPrivate()
  if (args[0] === 'backup') goBehindVisitors()
  process.exitCode = await runCommand(args, process.env)
}

if (import.meta.main) await runProcess(process.argv.slice(2))
