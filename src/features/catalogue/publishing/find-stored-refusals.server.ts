import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { readBlockedLinks } from './blocked-links.server.ts'
import type { ChangeableItem } from './changeable-items.server.ts'
import { findRefusals, gateRules, type Refusal } from './publication-checks.ts'
import type { ProhibitedTerms } from './prohibited-terms.ts'

/** Asks the gate about items as they are stored, by the clock of the database, which restricts what has lapsed. */
export async function findStoredRefusals(
  db: Queryable<CatalogueDatabase>,
  items: readonly ChangeableItem[],
  { config, terms }: { config: CatalogueApp['config']; terms: ProhibitedTerms },
): Promise<Map<string, Refusal[]>> {
  const blocked = await readBlockedLinks(
    db,
    items.map(({ item }) => item),
  )
  const rules = gateRules(config, terms, blocked)
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  const now = rows[0]?.now.getTime() ?? Number.NaN
  return new Map(items.map((item) => [item.id, findRefusals(item, rules, now)]))
}
