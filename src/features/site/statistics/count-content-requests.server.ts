import { sql } from 'kysely'
import type { SiteApp } from '../app.ts'

/** The content requests of all members, whatever became of them; none where nobody can make any yet. */
export async function countContentRequests({ db }: Pick<SiteApp, 'db'>): Promise<number> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('recommendations') is not null as exists`.execute(
    db,
  )
  if (rows[0]?.exists !== true) return 0
  const counted = await sql<{ count: number }>`select count(*)::int as count from recommendations`.execute(db)
  return counted.rows[0]?.count ?? 0
}
