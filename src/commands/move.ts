import type { Config } from '../app/config.ts'
import { isEmptyDatabase } from '../db/dump/list-tables.ts'
import { databaseInWords, rememberDatabase } from '../db/last-database.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { openDatabase } from '../db/open.ts'
import { beginRehearsal } from '../features/office/rehearsal.server.ts'
import { rowsIn } from '../features/site/backup/manifest.ts'
import { restoreBackup } from '../features/site/backup/restore-backup.server.ts'
import { writeBackup } from '../features/site/backup/write-backup.server.ts'
import { ProgressLine } from '../platform/cli/progress-line.ts'
import type { GivenSettings } from '../platform/config/config.ts'
import { counted } from '../platform/counted.ts'
import { CommandOutages } from '../platform/database-outages.ts'
import { queueMovedJobs, readWaitingJobs } from '../platform/jobs/queued-jobs.ts'
import { openLog } from '../platform/log.ts'
import { backedUp, openToRead } from './backup.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { readCommandConfig } from './read-command-config.ts'
import { restoreTarget, tellOfForeign } from './restore.ts'

export const moveCommand: Command = {
  usage: `  move --to postgresql://…|embedded
      Copies the database into an empty one of the other place, with sessions and emails that wait, while the server is
      stopped. The database from before stays, in rehearsal; files stay where they are.
`,
  run: runMove,
}

async function runMove(
  args: string[],
  _withApp: unknown,
  given: GivenSettings,
  options?: { insists: boolean },
): Promise<number> {
  const { to } = readArguments(args, { to: { type: 'string' } }, 0).values
  if (to === undefined || !/^(embedded$|postgres(ql)?:\/\/)/.test(to))
    throw new UsageError('The command move needs --to with an address that starts with postgresql://, or embedded.')
  const config = await readCommandConfig(given, options)
  // The other addresses are those of the database before.
  const databaseUrl = to === 'embedded' ? undefined : to
  const place = { ...config, databaseUrl, directDatabaseUrl: undefined, replicaDatabaseUrl: undefined }
  const [from, into] = [databaseInWords(config), databaseInWords(place)]
  if (from === into) throw new Error(`The site is in ${from} already.`)
  const { database: source, close } = await openToRead(config, { borrows: false })
  try {
    await using target = await openDatabase(place, { reports: new CommandOutages() })
    if (!(await isEmptyDatabase(target.maintenanceDb)))
      throw new Error(`There is something in ${into} already. A site is moved into an empty database only.`)
    const { rows, jobs } = await moveInto(config, source, target)
    if (options?.insists !== true) await rememberDatabase(place)
    const setting = to === 'embedded' ? 'DATABASE_URL unset' : 'that DATABASE_URL'
    const others = [
      ...(config.directDatabaseUrl === undefined ? [] : ['DATABASE_DIRECT_URL']),
      ...(config.replicaDatabaseUrl === undefined ? [] : ['DATABASE_REPLICA_URL']),
    ]
    process.stdout.write(
      `Moved: ${counted(rows, 'row')} and ${counted(jobs, 'job')}, from ${from} to ${into}.\nStart the server with ${setting}${others.length === 0 ? '' : `, and correct ${others.join(' and ')}`}. The database from before is in rehearsal; delete it when you need it no more.\n`,
    )
    return 0
  } finally {
    await close()
  }
}

/** Everything but the files, which stay; then the source becomes a rehearsal, so that only one of the two speaks. */
async function moveInto(
  config: Config,
  source: OpenDatabase,
  target: OpenDatabase,
): Promise<{ rows: number; jobs: number }> {
  const line = new ProgressLine(process.stderr)
  try {
    const frames = writeBackup(backedUp(config, source), { withFiles: false })
    const { manifest } = await restoreBackup(restoreTarget(config, target), frames, {
      isMove: true,
      onProgress: ({ rows }) => line.show({ done: 0, total: undefined, count: rows, noun: 'rows' }),
      onForeign: tellOfForeign,
    })
    const waiting = await readWaitingJobs(source)
    await queueMovedJobs(target, openLog('silent'), waiting)
    await source.maintenanceDb.transaction().execute(beginRehearsal)
    return { rows: rowsIn(manifest), jobs: waiting.length }
  } finally {
    line.clear()
  }
}
