import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { ItemLinks } from '../item/link-slots.ts'
import { readBlockedLinks } from './blocked-links.server.ts'
import type { ChangeableItem } from './changeable-items.server.ts'
import { findRefusals, type GateRules, type Refusal } from './publication-checks.ts'
import type { ProhibitedTerms } from './prohibited-terms.ts'
import { readProhibitedTerms } from './read-prohibited-terms.server.ts'

/**
 * The gate for these items: the rules of the site, and which of their links are blocked.
 * @param terms where they are known already
 */
export async function readGate(
  { timeZone, requiresSecondPerson }: Pick<CatalogueApp['config'], 'timeZone' | 'requiresSecondPerson'>,
  db: Queryable<CatalogueDatabase>,
  items: readonly { item: ItemLinks }[],
  terms?: ProhibitedTerms,
): Promise<GateRules> {
  return {
    timeZone,
    requiresSecondPerson,
    terms: terms ?? (await readProhibitedTerms(db)),
    blocked: await readBlockedLinks(db, items),
  }
}

/** Asks the gate about items as they are stored, by the clock of the database, which restricts what has lapsed. */
export async function findStoredRefusals(
  config: Parameters<typeof readGate>[0],
  db: Queryable<CatalogueDatabase>,
  items: readonly ChangeableItem[],
  terms?: ProhibitedTerms,
): Promise<Map<string, Refusal[]>> {
  const gate = await readGate(config, db, items, terms)
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  const now = rows[0]?.now.getTime() ?? Number.NaN
  return new Map(items.map((item) => [item.id, findRefusals(item, gate, now)]))
}
