import { sql } from 'kysely'
import { counted } from '../../../platform/counted.ts'
import type { Problem, Waiting } from '../../office/contributions.ts'
import type { CatalogueApp } from '../app.ts'
import { entriesOfLink, hasLiveMirror } from './due-links.server.ts'

export async function readLostItems({ db }: Pick<CatalogueApp, 'db'>): Promise<Waiting | undefined> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select distinct item_no from link_checks c cross join ${entriesOfLink} where c.state = 'dead') l
     where not ${hasLiveMirror}`.execute(db)
  const count = rows[0]?.count ?? 0
  if (count === 0) return undefined
  return {
    group: 'content',
    sentence: `${counted(count, 'entry', 'entries')} without a working link`,
    count,
    verb: 'Repair',
    to: '/admin/links',
  }
}

export async function readNetworkProblem({ db }: Pick<CatalogueApp, 'db'>): Promise<Problem[]> {
  const { unreachable_since: since } = await db
    .selectFrom('link_work')
    .select('unreachable_since')
    .executeTakeFirstOrThrow()
  if (since === null) return []
  return [
    {
      sentence: "No other host can be reached: links are not checked. Check this server's network.",
      since,
      to: '/admin/links',
    },
  ]
}
