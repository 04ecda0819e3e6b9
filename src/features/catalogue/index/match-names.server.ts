import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { FacetMask } from '../item/facets.ts'
import type { ItemRange } from './listing-columns.ts'
import type { ListingIndex } from './listing-index.server.ts'
import { likenessTo } from '../item/likeness.ts'
import { foldText, trigramsOfWord, likeAnywhere, partsOfName } from '../item/name-text.ts'

/**
 * The most matches that are gathered at once: the root of the number of items times this. With more of them, walking
 * the listing meets a page of 300 after looking at fewer names.
 */
const postingsPerListed = 300
/** A listing this short is quicker walked than asked of the index. */
const shortListing = 3_000
/** How many parts of a text, the rarest, are looked for in names when nothing matched. */
const maxParts = 12
/** How many names with one of these parts are read. */
const maxCandidates = 2_000
/** How many candidates are compared letter by letter when nothing matched. */
const maxCompared = 150
/** When even the rarest trigram of a query is in more items than this, the index would read too much. */
const maxPosted = 150_000

export interface NameQuery {
  /** Folded, each once. */
  words: string[]
  range: ItemRange
  mask: FacetMask
  ascending: boolean
}

/** Tells what is looked for, whichever page of it. */
export function keyOf({ words, range, mask, ascending }: NameQuery): string {
  return JSON.stringify([words, range, mask, ascending])
}

/**
 * The items whose name has every word, in listing order, at least the first `atLeast` of them.
 *
 * Rare words are looked up in the trigram index, which gives all matches at once. Common ones are found by walking the listing
 * and asking the database which of the next few thousand names match: the first page of a common word is near, however
 * large the catalogue. Both leave filters, order and visibility to the listing in memory.
 * @returns the matches and whether they are all
 */
export async function matchNames(
  db: Queryable<CatalogueDatabase>,
  listing: ListingIndex,
  query: NameQuery,
  atLeast: number,
): Promise<FoundMatches> {
  const key = keyOf(query)
  const { generation, version } = listing
  let matches = listing.matches.get(key)
  if (matches === undefined) {
    const postings = await collectPostings(db, listing, query)
    matches =
      postings === undefined ? { itemNumbers: [], rest: query.range } : { itemNumbers: postings, rest: undefined }
  }
  // Others may be reading what is kept: a longer list is a list of its own.
  const itemNumbers =
    matches.rest === undefined || matches.itemNumbers.length >= atLeast ? matches.itemNumbers : [...matches.itemNumbers]
  let { rest } = matches
  let chunk = 1_000
  while (rest !== undefined && itemNumbers.length < atLeast) {
    const next = listing.next(rest, query.mask, query.ascending, chunk)
    const found =
      next.itemNumbers.length === 0 ? new Set<number>() : await namesAmong(db, query.words, next.itemNumbers)
    for (const no of next.itemNumbers) if (found.has(no)) itemNumbers.push(no)
    rest = next.rest.from < next.rest.to ? next.rest : undefined
    chunk = Math.min(chunk * 2, 8_000)
  }
  const isAll = rest === undefined
  // Positions or names may have changed meanwhile: such matches answer this query, each once, and are not kept for the
  // next.
  if (generation !== listing.generation || version !== listing.version)
    return { itemNumbers: [...new Set(itemNumbers)], isAll }
  const kept = listing.matches.get(key)
  if (kept === undefined || kept.itemNumbers.length <= itemNumbers.length)
    listing.matches.keep(key, { words: query.words, itemNumbers, rest })
  return { itemNumbers, isAll }
}

interface FoundMatches {
  itemNumbers: number[]
  /** False when the walk stopped because enough was found. */
  isAll: boolean
}

/** All matches by the trigram index; undefined when a walk is the better way. */
async function collectPostings(
  db: Queryable<CatalogueDatabase>,
  listing: ListingIndex,
  { words, range, mask, ascending }: NameQuery,
): Promise<number[] | undefined> {
  const known = listing.names.get(words)
  if (known === 'too many') return undefined
  if (known !== undefined) return listing.select([...known], range, mask, ascending)
  const { version } = listing
  const trigrams = [...new Set(words.flatMap(trigramsOfWord))]
  const listed = listing.count(range, mask)
  if (trigrams.length === 0 || listed <= shortListing) return undefined
  const rarest = Math.min(...trigrams.map((trigram) => listing.trigrams.frequency(trigram)))
  if (rarest * listing.length > maxPosted) return undefined
  const maxPostings = Math.ceil(Math.sqrt(postingsPerListed * listing.length))
  const { rows } = await sql<{ itemNumbers: number[] | null }>`
    select array_agg(no) as "itemNumbers" from (
      select no from items
       where status = 'published' and name_grams @> ${trigrams}::int[] and name_folded like all (${words.map(likeAnywhere)}::text[])
       limit ${maxPostings + 1}) matching`.execute(db)
  const itemNumbers = rows[0]?.itemNumbers ?? []
  const postings = itemNumbers.length > maxPostings ? undefined : itemNumbers
  // Rows that were read during a change may be outdated.
  if (version === listing.version) listing.names.keep(words, postings)
  return postings && listing.select(postings, range, mask, ascending)
}

async function namesAmong(
  db: Queryable<CatalogueDatabase>,
  words: string[],
  candidates: number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ itemNumbers: number[] | null }>`
    select array_agg(no) as "itemNumbers" from items
     where no = any(${candidates}::int[]) and status = 'published'
       and name_folded like all (${words.map(likeAnywhere)}::text[])`.execute(db)
  return new Set(rows[0]?.itemNumbers ?? [])
}

function sharedWith(name: string, parts: string[]): number {
  let shared = 0
  for (const part of parts) if (name.includes(part)) shared += 1
  return shared
}

/** The runs of three characters of a text, each word with the space before and behind it, as they are looked for in a name. */
function partsOf(folded: string): string[] {
  const characters = [...` ${folded} `]
  return [...new Set(characters.slice(2).map((last, i) => `${characters[i]}${characters[i + 1]}${last}`))]
}

/**
 * The items whose names are most like the text, at most `limit`, best first (docs/spec/search.md#answer).
 * Candidates share one of the text's rarest parts.
 * @returns the items, and the parts as trigrams
 */
export async function nearestNames(
  db: Queryable<CatalogueDatabase>,
  listing: ListingIndex,
  { text, viewer, within, limit }: { text: string; viewer: Viewer; within: FacetMask; limit: number },
): Promise<{ itemNumbers: number[]; parts: number[][] }> {
  const folded = foldText(text)
  // The telling parts: what is misspelt is in no name and costs nothing, the rarest of the rest lead to few names.
  const telling = partsOfName(folded)
    .map((trigrams) => ({
      trigrams,
      frequency: trigrams.reduce((share, trigram) => share * listing.trigrams.frequency(trigram), 1),
    }))
    .sort((one, other) => one.frequency - other.frequency)
    .slice(0, maxParts)
    .map(({ trigrams }) => trigrams)
  if (telling.length === 0) return { itemNumbers: [], parts: [] }
  const conditions = telling.map((trigrams) => sql<boolean>`name_grams @> ${trigrams}::int[]`)
  const { rows } = await sql<{ names: [number, string][] | null }>`
    select json_agg(json_build_array(no, name_folded)) as names from (
      select no, name_folded from items
       where status = 'published' and (${sql.join(conditions, sql` or `)})
         and (facets & ${within.mask}::int) in (${within.value}::int, ${within.otherValue}::int)
       limit ${maxCandidates}) candidates`.execute(db)
  const parts = partsOf(folded)
  const likenessOf = likenessTo(folded)
  const alike = (rows[0]?.names ?? [])
    .map(([no, name]) => ({ no, name, shared: sharedWith(` ${name} `, parts) }))
    .sort((a, b) => b.shared - a.shared || b.no - a.no)
    // Likeness costs many times what the number of shared parts does.
    .slice(0, maxCompared)
    .map(({ no, name }) => ({ no, likeness: likenessOf(name) }))
    .filter(({ likeness }) => likeness >= 0.25)
    .sort((a, b) => b.likeness - a.likeness || b.no - a.no)
  // Whether each is listed now and matches is the listing's to say.
  const visible = new Set(
    listing.select(
      alike.map(({ no }) => no),
      listing.range(viewer),
      within,
      false,
    ),
  )
  const nearest = alike.map(({ no }) => no).filter((no) => visible.has(no))
  return { itemNumbers: nearest.slice(0, limit), parts: telling }
}
