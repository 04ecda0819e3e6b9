import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import type { Database } from './database.ts'

/**
 * Brings the database to this version's schema, under a lock, in one transaction: several processes may start at once,
 * and a migration that fails leaves everything as it was.
 * @param db may be a transaction of the caller's
 * @param last the migration to stop after; by default the last of all
 * @returns the names of the migrations that were carried out now
 */
export async function migrate(db: Kysely<Database>, last?: string): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
  const { error, results = [] } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error !== undefined) {
    const failed = results.find((result) => result.status === 'Error')
    throw new Error(
      `The database could not be migrated${failed === undefined ? '' : ` (${failed.migrationName})`}. Nothing was changed.`,
      {
        cause: error,
      },
    )
  }
  return results.filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

/** The names of the migrations that a database has had; none where it is not one of ours. */
export async function doneMigrations(db: Kysely<Database>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    return rows.map(({ name }) => name)
  } catch (error) {
    if ((error as { code?: unknown }).code === '42P01') return []
    throw error
  }
}
