import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { ProhibitedTerms } from './prohibited-terms.ts'

/** The terms that no published name, and no category, may hold. */
export async function readProhibitedTerms(db: Queryable<CatalogueDatabase>): Promise<ProhibitedTerms> {
  const terms = await db.selectFrom('prohibited_terms').select('term_folded').execute()
  return new ProhibitedTerms(terms.map(({ term_folded }) => term_folded))
}
