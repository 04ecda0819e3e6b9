import { userInfo } from 'node:os'
import { recordRestoredLog, readRestoredLog } from '../features/office/audit/record-restored-backup.server.ts'
import { verifyAuditLog } from '../features/office/audit/verify-audit-log.server.ts'
import { endAllSessions } from '../features/accounts/sign-in/end-all-sessions.server.ts'
import { counted } from '../platform/counted.ts'
import { type Command, type CommandApp, readArguments, UsageError, type WithApp } from './command.ts'

export const auditCommand: Command = {
  usage: `  audit verify
      Computes the audit log's chain of hashes anew, and compares it with the anchors in DATA_DIR.
      Ends with 0 when it is whole, with 1 when it is not; each fault is named with its position.
  audit restored [--confirm]
      After a backup was restored: says up to which position the chain is as it was, and what is lost.
        --confirm             note it in the log and in DATA_DIR, so that the chain is anchored and verified again;
                              sign everybody out, and end all links to set a password
`,
  run: runAudit,
}

async function runAudit(args: string[], withApp: WithApp): Promise<number> {
  const [action, ...rest] = args
  if (action === 'restored') return runAuditRestored(rest, withApp)
  if (action !== 'verify') throw new UsageError('The command audit is followed by verify or restored.')
  readArguments(rest, {}, 0)
  return withApp(async (app) => {
    const { events, faults, anchors, restored } = await verifyAuditLog(app)
    if (anchors === 0 && events > 0) {
      process.stderr.write(
        `There are no anchors in ${app.config.dataDir}: a chain that was cut at its end or written anew would not be noticed.\n`,
      )
    }
    for (const { position, anchored, at, by } of restored) {
      process.stderr.write(
        `A backup that ends at position ${position} was restored; ${by} noted it at ${at}. The anchored events behind it, up to position ${anchored}, are lost.\n`,
      )
    }
    for (const { sentence } of faults) process.stderr.write(`${sentence}\n`)
    if (faults.some(({ isOfBackup }) => isOfBackup)) {
      process.stderr.write('If you have restored a backup, note it: npm run daybook -- audit restored\n')
    }
    const count = counted(events, 'event')
    process.stdout.write(faults.length === 0 ? `${count}, whole.\n` : `${count}, not whole.\n`)
    return faults.length === 0 ? 0 : 1
  })
}

async function runAuditRestored(args: string[], withApp: WithApp): Promise<number> {
  const { values } = readArguments(args, { confirm: { type: 'boolean', default: false } }, 0)
  return withApp(async (app) => {
    const found = await readRestoredLog(app)
    if (found === undefined) {
      process.stdout.write('The chain goes through all of its anchors: there is nothing to note.\n')
      if (values.confirm) await signEverybodyOut(app)
      return 0
    }
    const { position, anchored, isAtLeast, recordedAt } = found
    process.stdout.write(
      `The chain is as it was ${isAtLeast ? 'at least ' : ''}up to position ${position}. The anchored events behind it, up to position ${anchored}, are lost.\n`,
    )
    if (recordedAt !== undefined) {
      process.stdout.write(
        `The log itself says so at position ${recordedAt}: a restored backup was noted there. Only this data directory does not know of it.\n`,
      )
    }
    if (!values.confirm) {
      process.stdout.write(
        'If that is because you have restored a backup, run this again with --confirm. It notes the gap, in the audit log with your name on this machine and in the data directory, and anchors the chain again. It also signs everybody out and ends all links to set a password: the backup has brought back those that were ended since. If you have not, do not confirm: somebody may have changed the log.\n',
      )
      return 1
    }
    const { username } = userInfo()
    await recordRestoredLog(app, found, username)
    process.stdout.write(
      recordedAt === undefined
        ? `Noted in the audit log, by ${username}. The chain is anchored again.\n`
        : 'Noted in the data directory. The chain is anchored again.\n',
    )
    // Another server's record has signed everybody out.
    if (recordedAt === undefined) await signEverybodyOut(app)
    return 0
  })
}

async function signEverybodyOut(app: CommandApp): Promise<void> {
  const { sessions, links } = await endAllSessions(app)
  process.stdout.write(
    `Everybody is signed out: ${counted(sessions, 'session')} and ${counted(links, 'link')} to set a password were ended. A backup brings back those that had ended since.\n`,
  )
}
