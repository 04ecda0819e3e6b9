import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { ItemLinks } from '../item/link-slots.ts'
import { findRefusals, type GateRules, type Refusal, type BlockedLinks } from './publication-checks.ts'
import { ProhibitedTerms } from './prohibited-terms.ts'
import type { ChangeableItem } from './stored-item.server.ts'
import { fingerprintsOf, fingerprintsOfItem } from '../item/link-fingerprints.server.ts'

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

/**
 * Which links of these items a removal has blocked, in whatever spelling (docs/spec/publishing.md#removed). Inside a
 * transaction that holds the catalogue's lock it stays so until the commit.
 */
export async function readBlockedLinks(
  db: Queryable<CatalogueDatabase>,
  items: readonly { item: ItemLinks }[],
): Promise<BlockedLinks> {
  // On nearly every site nothing is blocked, and nothing has to be computed.
  const any = await db.selectFrom('blocked_links').select('removal_id').limit(1).execute()
  if (any.length === 0 || items.length === 0) return nothingBlocked
  const fingerprints = new Set(items.flatMap(({ item }) => fingerprintsOfItem(item)))
  const { rows } = await sql<{ fingerprint: string }>`
    select distinct fingerprint::text as fingerprint from blocked_links
     where fingerprint = any(${[...fingerprints]}::bigint[])`.execute(db)
  if (rows.length === 0) return nothingBlocked
  const blocked = new Set(rows.map(({ fingerprint }) => fingerprint))
  return { has: (address) => fingerprintsOf(address).some((fingerprint) => blocked.has(fingerprint)) }
}

const nothingBlocked: BlockedLinks = { has: () => false }

/** The terms that no published name, and no category, may hold: built-in ones, and those that administrators have saved. */
export async function readProhibitedTerms(db: Queryable<CatalogueDatabase>): Promise<ProhibitedTerms> {
  const rows = await db.selectFrom('prohibited_terms').select(['list', 'term_folded', 'names_category']).execute()
  const text = JSON.stringify(rows)
  if (text === latest?.text) return latest.terms
  const termsOf = (isOne: (row: (typeof rows)[number]) => boolean): string[] =>
    rows.filter(isOne).map(({ term_folded: term }) => term)
  const terms = new ProhibitedTerms({
    refused: termsOf(({ list }) => list === 'refused'),
    minority: termsOf(({ list }) => list === 'minority'),
    sexual: termsOf(({ list }) => list === 'sexual'),
    alone: termsOf(({ list, names_category: namesCategory }) => list !== 'refused' && !namesCategory),
  })
  latest = { text, terms }
  return terms
}

/** To read the terms takes longer than to ask for them, and an import asks before each batch. */
let latest: { text: string; terms: ProhibitedTerms } | undefined
