import { sql } from 'kysely'
import type { SqlRunner } from '../../../db/queryable.ts'

/**
 * How many administrators there are, for the operator; also in a database that waits for migrations.
 * @returns undefined where there are no accounts yet
 */
export async function countAdministrators(db: SqlRunner): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from users where is_admin`
    .execute(db)
    .catch((error: unknown) => {
      if ((error as { code?: unknown }).code === '42P01') return { rows: [] }
      throw error
    })
  return rows[0]?.count
}
