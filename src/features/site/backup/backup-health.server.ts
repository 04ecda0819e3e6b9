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

/** After so long without one, one was missed twice. */
const overdueMs = 49 * 3_600_000

interface Health {
  sentence: string
  isGood: boolean
  failedAt?: Date
}

/** How the backups of the clock stand, in a sentence with the time, the size and the name of the last. */
async function readHealth({ db, clock, config }: Examined): Promise<Health> {
  if (config.backupAt === 'off') return { sentence: 'BACKUP_AT is off: the clock makes no backups.', isGood: false }
  const row = await db.selectFrom('backup_schedule').selectAll().executeTakeFirst()
  const last =
    row?.made_at == null
      ? 'There is none yet.'
      : `The last backup is ${row.name}, of ${minuteOf(row.made_at.getTime(), config.timeZone)}, with ${megabytes(Number(row.byte_size))}.`
  if (row?.failure != null && row.failed_at !== null)
    return {
      sentence: `The last try failed: ${row.failure.replace(/\.?$/, '.')} ${last}`,
      isGood: false,
      failedAt: row.failed_at,
    }
  const since = row?.made_at ?? row?.since
  const isGood = since === undefined || clock.now() - since.getTime() < overdueMs
  return { sentence: isGood ? last : `None was made for two days. ${last}`, isGood }
}

const megabytes = (bytes: number): string => `${Math.max(0.1, bytes / 1_000_000).toFixed(1)} MB`

export const backupCheck: DoctorCheck<ExaminedDatabase<SiteConfig, SiteApp['db']>> = {
  about: 'Backups',
  async *examine(examined): AsyncGenerator<Finding> {
    const { sentence, isGood } = await readHealth(examined)
    yield isGood ? good(sentence) : warning(sentence, 'docs/operating.md#scheduled-backups says how they are made.')
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
  const { sentence, isGood } = await readHealth(app)
  const isElsewhere = app.config.backupTo !== undefined
  const help = isElsewhere
    ? sentence
    : `${sentence} Set BACKUP_TO to another disk or a bucket, then restart the server.`
  return { title: 'Keep backups elsewhere', isDone: isGood && isElsewhere, help }
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
  const { sentence, isGood, failedAt } = await readHealth(app)
  if (isGood || app.config.backupAt === 'off') return []
  return [
    { group: 'backups', sentence: `Backups: ${sentence}`, ...(failedAt === undefined ? {} : { since: failedAt }) },
  ]
}
