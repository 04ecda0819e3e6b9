import { lockInTransaction } from '../db/locks.ts'
import { isOfNextVersion, migrate } from '../db/migrate.ts'
import { openDatabase, type OpenOptions } from '../db/open.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { findTooManyRights, grantRights, roleOf } from '../db/postgres/grant-rights.ts'
import { DatabaseUnreachableError } from '../db/postgres/start.ts'
import { type BackedUpConfig, backUpBeforeMigration } from './back-up-before-migration.ts'
import type { SiteConfig } from '../features/site/site-config.server.ts'
import { ConfigError } from '../platform/config/config.ts'
import { Jobs } from '../platform/jobs/jobs.ts'
import type { Log } from '../platform/log.ts'

type Settings = Pick<SiteConfig, 'databaseUrl' | 'migrationDatabaseUrl'> & BackedUpConfig

/**
 * Brings the database to this version's schema. With `MIGRATION_DATABASE_URL` that role does so, which owns everything,
 * and grants the role of `DATABASE_URL` rights to rows alone (docs/spec/security.md#database-roles).
 * A backup is made before.
 * @returns the names of the new migrations
 * @throws {ConfigError} where both addresses name the same role, or two databases
 */
export async function migrateDatabase(
  config: Settings,
  database: OpenDatabase,
  log: Log,
  options: Pick<OpenOptions, 'waitMs' | 'reports'> = {},
): Promise<string[]> {
  const { migrationDatabaseUrl, dataDir } = config
  if (migrationDatabaseUrl === undefined || database.engine === 'embedded') {
    await backUpBeforeMigration(config, database, log)
    return migrate(database.maintenanceDb)
  }
  await using owner = await openDatabase({ databaseUrl: migrationDatabaseUrl, dataDir }, options).catch(
    (error: unknown) => {
      if (!(error instanceof DatabaseUnreachableError)) throw error
      error.message = error.message.replace('DATABASE_URL', 'MIGRATION_DATABASE_URL')
      throw error
    },
  )
  const role = await roleOf(database.maintenanceDb)
  if (role === (await roleOf(owner.maintenanceDb))) {
    throw new ConfigError(
      'MIGRATION_DATABASE_URL',
      `the address with another role than DATABASE_URL, which is ${role}`,
      '***',
    )
  }
  // The other role may have no rights yet, as where the owner has restored a backup.
  await backUpBeforeMigration(config, owner, log)
  const migrated = await migrate(owner.maintenanceDb)
  // That version has granted the rights to its tables, of which this one knows nothing.
  if (await isOfNextVersion(owner.maintenanceDb)) return migrated
  // The tables of the jobs; queues are rows, made where they are defined.
  const jobs = new Jobs(owner, log)
  await jobs.prepare()
  await jobs.stop()
  // Whole or not at all: other processes may be at work with these rights, or at this same place.
  await owner.maintenanceDb.transaction().execute(async (trx) => {
    await lockInTransaction(trx, 'rights')
    await grantRights(trx, role)
  })
  const problem = await findTooManyRights(database.maintenanceDb).catch((error: unknown) => {
    // It sees none of the tables that were made.
    if ((error as { code?: unknown }).code !== '42P01') throw error
    throw new ConfigError('MIGRATION_DATABASE_URL', 'the address of the database that DATABASE_URL names', '***')
  })
  if (problem !== undefined) {
    log.warn({ role }, `The role of DATABASE_URL can change more than rows: ${problem}.`)
  }
  return migrated
}
