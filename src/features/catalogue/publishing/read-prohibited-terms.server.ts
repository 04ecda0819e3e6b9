import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { ProhibitedTerms } from './prohibited-terms.ts'

/** The terms that no published name, and no category, may hold: built-in ones, and those that administrators have saved. */
export async function readProhibitedTerms(db: Queryable<CatalogueDatabase>): Promise<ProhibitedTerms> {
  const rows = await db.selectFrom('prohibited_terms').select(['list', 'term_folded', 'names_category']).execute()
  const termsOf = (isOne: (row: (typeof rows)[number]) => boolean): string[] =>
    rows.filter(isOne).map(({ term_folded: term }) => term)
  return new ProhibitedTerms({
    refused: termsOf(({ list }) => list === 'refused'),
    minority: termsOf(({ list }) => list === 'minority'),
    sexual: termsOf(({ list }) => list === 'sexual'),
    alone: termsOf(({ list, names_category: namesCategory }) => list !== 'refused' && !namesCategory),
  })
}
