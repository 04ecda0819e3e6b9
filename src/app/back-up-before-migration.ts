import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import { doneMigrations } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { openEvidenceStore } from '../features/catalogue/evidence/evidence-store.server.ts'
import { RemovalJournal } from '../features/notices/journal/journal-file.server.ts'
import { writeBackupFile } from '../features/site/backup/backup-file.server.ts'
import { backupFolder, openBackupPlace } from '../features/site/backup/backup-place.server.ts'
import { nameOfBackup } from '../features/site/backup/last-due.ts'
import { writeBackup } from '../features/site/backup/write-backup.server.ts'
import type { SiteConfig } from '../features/site/site-config.server.ts'
import type { Log } from '../platform/log.ts'
import { makePrivateFolder } from '../platform/private-folder.ts'
import { systemClock } from '../platform/time/clock.ts'

export type BackedUpConfig = Pick<SiteConfig, 'dataDir' | 'backupTo' | 'backupAge' | 'evidenceUrl' | 'timeZone'>

/** The migrations that a database waits for; none where it is empty, or a newer version's. */
export async function waitingMigrations({ maintenanceDb }: Pick<OpenDatabase, 'maintenanceDb'>): Promise<string[]> {
  const done = new Set(await doneMigrations(maintenanceDb))
  return done.size === 0 ? [] : Object.keys(migrations).filter((name) => !done.has(name))
}

/**
 * Makes a backup without files where a migration waits. An empty database needs none.
 * @throws {Error} where it cannot be made, as without room: then nothing is migrated
 */
export async function backUpBeforeMigration(config: BackedUpConfig, database: OpenDatabase, log: Log): Promise<void> {
  const waiting = await waitingMigrations(database)
  if (waiting.length === 0) return
  const name = nameOfBackup(systemClock.now(), config.timeZone, `-before-${packageFile.version}`)
  try {
    const folder = backupFolder(config)
    await makePrivateFolder(folder)
    const path = join(folder, name)
    const site = {
      maintenanceDb: database.maintenanceDb,
      evidence: openEvidenceStore(config, log),
      removalJournal: new RemovalJournal(config),
      clock: systemClock,
    }
    await writeBackupFile(path, writeBackup(site, { withFiles: false }), {
      force: true,
      recipients: config.backupAge ?? [],
    })
    const { size } = await stat(path)
    await openBackupPlace(config, log).take(path, name)
    log.info({ name, bytes: size, waiting }, 'A backup was made before the migration.')
  } catch (cause) {
    throw new Error('The database is not migrated: the backup before could not be made. Nothing was changed.', {
      cause,
    })
  }
}
