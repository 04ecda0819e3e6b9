import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { lastOfFormer, migrations } from './migrations/index.ts'
import type { Database } from './database.ts'

/**
 * Brings the database to this version's schema, under a lock, in one transaction: several processes may start at once,
 * and a migration that fails leaves everything as it was. A database that the next version has migrated stays as it is.
 * @param db may be a transaction of the caller's
 * @param last the migration to stop after; by default the last of all
 * @returns the names of the migrations that were carried out now
 */
export async function migrate(db: Kysely<Database>, last?: string): Promise<string[]> {
  if (await isOfNextVersion(db)) return []
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(notedMigrations()) } })
  const { error, results = [] } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error !== undefined) {
    // The next version may have migrated it while this one waited for the lock. A transaction of the caller's has failed.
    if (await isOfNextVersion(db).catch(() => false)) return []
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

/** The migrations, each of which leaves a note in its transaction, for versions that do not know it: which of them may go on. */
function notedMigrations(): typeof migrations {
  const noted = Object.entries(migrations).map(([name, { up }]) => [
    name,
    {
      async up(db: Kysely<unknown>) {
        await up(db)
        await sql`comment on table kysely_migration is ${sql.lit(lastOfFormer)}`.execute(db)
      },
    },
  ])
  return Object.fromEntries(noted) as typeof migrations
}

/** Whether a later version has migrated a database, and this one goes on with it: it is that version's neighbour. */
export async function isOfNextVersion(db: Kysely<Database>): Promise<boolean> {
  // No table has no note: the transaction may be the caller's, and a question that fails would end it.
  const { rows } = await sql<{ note: string | null }>`
    select obj_description(to_regclass('kysely_migration'), 'pg_class') as note`.execute(db)
  const known = Object.keys(migrations)
  if (!known.includes(rows[0]?.note ?? '')) return false
  const done = new Set(await doneMigrations(db))
  return done.size > known.length && known.every((name) => done.has(name))
}

/** Whether a database is one of ours, also for a role that may not read it yet. */
export async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select to_regclass('kysely_migration') is not null as is`.execute(db)
  return rows[0]?.is === true
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
