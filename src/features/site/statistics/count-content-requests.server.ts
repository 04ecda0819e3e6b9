import { sql } from 'kysely'
import type { SiteApp } from '../app.ts'

/** The content requests of all members, whatever became of them. */
export async function countContentRequests({ db }: Pick<SiteApp, 'db'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from content_requests`.execute(db)
  return rows[0]?.count ?? 0
}
