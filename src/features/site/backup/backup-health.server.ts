import { checkRecipients } from './age.server.ts'
import {
  type DoctorCheck,
  type ExaminedDatabase,
  type ExaminedSettings,
  type Finding,
  good,
  problem,
  warning,
} from '../../../platform/doctor/doctor-check.ts'
import { isUsableDirectory } from '../../../platform/disk-space.ts'
import { dayOf, minuteOf } from '../../../platform/time/site-time.ts'
import type { FirstStep, Problem } from '../../office/contributions.ts'
import type { SiteApp } from '../app.ts'
import type { SiteConfig } from '../site-config.server.ts'
import { isBucket, openBackupPlace } from './backup-place.server.ts'

type Examined = Pick<SiteApp, 'db' | 'clock'> & { config: Pick<SiteConfig, 'backupAt' | 'backupTo' | 'timeZone'> }

/** The name of the alarm of a backup of the clock that failed. */
export const failedBackupAlarm = 'backup.failed'

/** After so long without one, one was missed twice. */
const overdueMs = 49 * 3_600_000

interface Health {
  /** Without its full stop. */
  fault?: string
  /** Why and when, where the fault is a try that failed. */
  reason?: string
  failedAt?: Date
  /** The time, the size and the name of the last. */
  last: string
}

/** How the backups of the clock stand. */
async function readHealth({ db, clock, config }: Examined): Promise<Health> {
  const row = await db.selectFrom('backup_schedule').selectAll().executeTakeFirst()
  const last =
    row?.made_at == null
      ? 'There is no backup yet.'
      : `The last backup is ${row.name}, of ${minuteOf(row.made_at.getTime(), config.timeZone)}, with ${megabytes(Number(row.byte_size))}.`
  if (config.backupAt === 'off') return { fault: 'BACKUP_AT is off: the clock makes no backups', last }
  if (row?.failure != null && row.failed_at !== null)
    return {
      fault: 'A backup failed',
      reason: row.failure.replace(/\.?$/, '.'),
      failedAt: row.failed_at,
      last,
    }
  const since = row?.made_at ?? row?.since
  const isGood = since === undefined || clock.now() - since.getTime() < overdueMs
  return isGood ? { last } : { fault: 'No backup was made for two days', last }
}

function inOneSentence({ fault, reason, last }: Health): string {
  if (fault === undefined) return last
  return `${fault}${reason === undefined ? '.' : `: ${reason}`} ${last}`
}

const megabytes = (bytes: number): string => `${Math.max(0.1, bytes / 1_000_000).toFixed(1)} MB`

export const backupCheck: DoctorCheck<ExaminedDatabase<SiteConfig, SiteApp['db']>> = {
  about: 'Backups',
  async *examine(examined): AsyncGenerator<Finding> {
    const health = await readHealth(examined)
    const sentence = inOneSentence(health)
    yield health.fault === undefined
      ? good(sentence)
      : warning(sentence, 'docs/operating.md#scheduled-backups says how they are made.')
  },
}

/** Whether backups can be encrypted, and `BACKUP_TO` can be written to, or answers: otherwise the first night would tell. */
export const backupPlaceCheck: DoctorCheck<ExaminedSettings<SiteConfig>> = {
  about: 'Place of backups',
  async *examine({ config, log }): AsyncGenerator<Finding> {
    const { backupTo, backupAge = [] } = config
    const fault = await checkRecipients(backupAge).catch((error: unknown) => error as Error)
    if (fault !== undefined)
      yield problem(`BACKUP_AGE is mistyped: ${fault.message}.`, 'Copy the public key that age-keygen has printed.')
    if (backupTo === undefined) return
    if (isBucket(backupTo)) {
      await openBackupPlace(config, log).list()
      yield good('the bucket answers.')
    } else if (!(await isUsableDirectory(backupTo)))
      yield problem(`nothing can be written to ${backupTo}.`, 'Name a folder that this user may write to in BACKUP_TO.')
  },
}

export async function readBackupStep(app: Examined): Promise<FirstStep> {
  const health = await readHealth(app)
  const sentence = inOneSentence(health)
  const isElsewhere = app.config.backupTo !== undefined
  const help = isElsewhere
    ? sentence
    : `${sentence} Set BACKUP_TO to another disk or a bucket, then restart the server.`
  return { title: 'Keep backups elsewhere', isDone: health.fault === undefined && isElsewhere, help }
}

/** 'Last backup: today 03:00, 41.0 MB' */
export async function readBackupStanding({ db, clock, config }: Examined): Promise<string> {
  if (config.backupAt === 'off') return 'Backups: off'
  const row = await db.selectFrom('backup_schedule').select(['made_at', 'byte_size']).executeTakeFirst()
  if (row?.made_at == null) return 'Backups: none yet'
  const [day, time] = minuteOf(row.made_at.getTime(), config.timeZone).split(' ')
  const isToday = day === dayOf(clock.now(), config.timeZone)
  return `Last backup: ${isToday ? 'today' : day} ${time}, ${megabytes(Number(row.byte_size))}`
}

export async function readBackupProblem(app: Examined): Promise<Problem[]> {
  const { fault, reason, failedAt, last } = await readHealth(app)
  if (fault === undefined || app.config.backupAt === 'off') return []
  return [
    reason === undefined || failedAt === undefined
      ? { group: 'backups', sentence: fault, line: last }
      : {
          group: 'backups',
          sentence: fault,
          line: `${reason} It is tried again every hour. ${last}`,
          since: failedAt,
          tells: failedBackupAlarm,
        },
  ]
}
