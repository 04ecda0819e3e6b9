import { wordsOf } from '../item/name-text.ts'
import { countedKinds, termKinds } from '../item/terms.ts'
import type { IndexQuery } from './index-query.ts'
import type { ListingIndex } from './listing-index.server.ts'

/** A whole value that a query asks for. */
export interface RequestedTerm {
  /** The place of its kind in `termKinds`. */
  kind: number
  /** Undefined where no item has it. */
  id: number | undefined
}

export function requestedTerms(
  { terms: requested = {} }: Pick<IndexQuery, 'terms'>,
  { terms }: Pick<ListingIndex, 'terms'>,
): RequestedTerm[] {
  return termKinds.flatMap((name, kind) => {
    const value = requested[name]
    return value === undefined ? [] : [{ kind, id: terms.find(kind, value) }]
  })
}

/** Items among which are all that have a term. Names are searched texts: those with its words are soon found. */
export function itemsAround({ kind, id }: RequestedTerm, { terms, names }: ListingIndex): Int32Array {
  if (id === undefined) return new Int32Array()
  const words = kind < countedKinds.length ? [] : wordsOf(terms.valueOf(id))
  return words.length > 0 ? names.match(words).numbers : terms.numbersWith(id)
}
