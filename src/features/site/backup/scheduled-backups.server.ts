import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { makePrivateFolder } from '../../../platform/private-folder.ts'
import { isoOf } from '../../../platform/time/iso-of.ts'
import type { Alarm } from '../../office/alarms/alarms.server.ts'
import type { SiteApp } from '../app.ts'
import { failedBackupAlarm } from './backup-health.server.ts'
import { backupFolder, openBackupPlace } from './backup-place.server.ts'
import { isOfClock, lastDue, nameOfBackup } from './last-due.ts'

type ScheduleApp = Pick<SiteApp, 'db' | 'config' | 'clock' | 'log' | 'alarms' | 'rehearsal'>

/** Makes a backup at a path, in a process of its own. */
export type MakeBackup = (path: string, signal: AbortSignal) => Promise<void>

const lookEveryMs = 30_000
/** A process that is silent for so long makes none any more. */
const longestMs = 6 * 3_600_000
const againMs = 3_600_000

/**
 * Makes a backup each day at `BACKUP_AT`, and makes up for one that was missed; of several processes one does. A copy in
 * rehearsal makes none: its place may be that of the site.
 * @returns how to stop; a backup under way is given up
 */
export function scheduleBackups(app: ScheduleApp, make: MakeBackup): () => Promise<void> {
  const stop = new AbortController()
  let settled: number | undefined
  let underway: Promise<void> | undefined
  const look = async (): Promise<void> => {
    const due = lastDue(app.config.backupAt, app.clock.now(), app.config.timeZone)
    if (due === undefined || due === settled || app.rehearsal.isOn) return
    try {
      if (await backUpIfDue(app, make, { due, signal: stop.signal })) settled = due
    } catch (error) {
      app.log.error({ err: error }, 'Whether a backup is due could not be read.')
    }
  }
  const begin = (): void => {
    underway ??= look().finally(() => (underway = undefined))
  }
  const timer = setInterval(begin, lookEveryMs).unref()
  begin()
  return async () => {
    clearInterval(timer)
    stop.abort()
    await underway
  }
}

/**
 * Makes the backup that was due then, unless it is made.
 * @returns whether it is made by now; not while another process is at it, nor for an hour after one that failed
 */
export async function backUpIfDue(
  app: ScheduleApp,
  make: MakeBackup,
  { due, signal }: { due: number; signal: AbortSignal },
): Promise<boolean> {
  const { config, clock, log } = app
  const turn = await takeTurn(app, due)
  if (turn !== 'ours') return turn === 'made'
  const now = clock.now()
  try {
    const name = nameOfBackup(now, config.timeZone)
    const place = openBackupPlace(config, log)
    const folder = backupFolder(config)
    await makePrivateFolder(folder)
    const path = join(folder, name)
    await make(path, signal)
    const { size } = await stat(path)
    await place.take(path, name)
    await app.db
      .updateTable('backup_schedule')
      .set({ made_at: new Date(now), name, byte_size: size, failed_at: null, failure: null, claimed_until: null })
      .execute()
    await app.alarms.end(failedBackupAlarm)
    const old = (await place.list()).filter(isOfClock).toSorted().slice(0, -config.backupKeep)
    for (const one of old) await place.delete(one)
    log.info({ name, bytes: size, deleted: old.length }, 'A backup was made.')
    return true
  } catch (error) {
    // A stop is no failure: the next start makes up for it.
    const failure = signal.aborted ? undefined : (error as Error).message.trim()
    const failed = failure === undefined ? {} : { failed_at: new Date(now), failure }
    const again = failure === undefined ? null : new Date(now + againMs)
    await app.db
      .updateTable('backup_schedule')
      .set({ ...failed, claimed_until: again })
      .execute()
    if (failure === undefined) return false
    log.error({ err: error }, 'The backup of the clock failed.')
    app.alarms.raise(alarmOf(failure))
    return false
  }
}

async function takeTurn({ db, clock }: ScheduleApp, due: number): Promise<'ours' | 'made' | 'others'> {
  const now = isoOf(clock.now())
  const at = isoOf(due)
  await sql`insert into backup_schedule (since) values (${now}::timestamptz) on conflict do nothing`.execute(db)
  const { numUpdatedRows } = await db
    .updateTable('backup_schedule')
    .set({ claimed_until: new Date(clock.now() + longestMs) })
    .where(sql<boolean>`coalesce(made_at, since) < ${at}::timestamptz`)
    .where(sql<boolean>`coalesce(claimed_until < ${now}::timestamptz, true)`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return 'ours'
  const waiting = await db
    .selectFrom('backup_schedule')
    .select('since')
    .where(sql<boolean>`coalesce(made_at, since) < ${at}::timestamptz`)
    .executeTakeFirst()
  return waiting === undefined ? 'made' : 'others'
}

function alarmOf(failure: string): Alarm {
  return {
    name: failedBackupAlarm,
    headline: 'A backup failed',
    sentence: `The backup of the clock failed: ${failure.replace(/\.?$/, '.')}`,
    advice: 'It is tried again every hour. Make room, or correct BACKUP_TO.',
  }
}
