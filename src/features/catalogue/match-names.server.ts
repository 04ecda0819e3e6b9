import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import type { FacetMask } from './facets.ts'
import type { Stretch } from './listing-columns.ts'
import { foldText, gramsOfWord, likeAnywhere, partsOfName, similarity } from './name-text.ts'

/**
 * Of a catalogue of n items, more matches than the root of this many times n are not gathered at once: then so many
 * names have the words that walking the listing meets a page of 300 of them after looking at fewer names.
 */
const gatheredPerListed = 300
/** A listing this short is quicker walked than asked of the index. */
const shortListing = 3_000
/** So many parts of a text, the rarest, are looked for in names when nothing matched. */
const mostParts = 12
/** So many names that have one of them are looked at. */
const mostCandidates = 2_000
/** So many candidates are compared letter by letter when nothing matched. */
const mostCompared = 150
/** When even the rarest gram of a question is in more items than this, the index would read too much. */
const mostPosted = 150_000

/** The matches of one question so far, in listing order. */
interface Matches {
  nos: number[]
  /** What has not been walked yet; undefined when `nos` is all. */
  rest: Stretch | undefined
}

/** The matches of recent questions, so that the next page goes on where the last one ended. Dropped at every change. */
export class MatchCache {
  readonly #matches = new Map<string, Matches>()
  #kept = 0

  get(key: string): Matches | undefined {
    return this.#matches.get(key)
  }

  keep(key: string, matches: Matches): void {
    this.#kept += matches.nos.length
    if (this.#kept > 2_000_000 || this.#matches.size > 500) this.clear()
    this.#matches.set(key, matches)
  }

  clear(): void {
    this.#matches.clear()
    this.#kept = 0
  }
}

interface NameQuestion {
  /** Folded, each once. */
  words: string[]
  stretch: Stretch
  mask: FacetMask
  ascending: boolean
}

/**
 * The items whose name has every word, in listing order, at least the first `atLeast` of them.
 *
 * Rare words are asked of the gram index, which gives all matches at once. Common ones are found by walking the listing
 * and asking the database which of the next few thousand names match: the first page of a common word is near, however
 * large the catalogue. Both leave filters, order and visibility to the listing in memory.
 * @returns the matches and whether they are all
 */
export async function matchNames(app: App, question: NameQuestion, atLeast: number): Promise<FoundMatches> {
  const { listing } = app
  const key = JSON.stringify([question.words, question.stretch, question.mask, question.ascending])
  const { generation } = listing
  let matches = listing.matches.get(key)
  if (matches === undefined) {
    const gathered = await gather(app, question)
    matches = gathered === undefined ? { nos: [], rest: question.stretch } : { nos: gathered, rest: undefined }
  }
  // Others may be reading what is kept: a longer list is a list of its own.
  const nos = matches.rest === undefined || matches.nos.length >= atLeast ? matches.nos : [...matches.nos]
  let { rest } = matches
  let chunk = 1_000
  while (rest !== undefined && nos.length < atLeast) {
    const next = listing.next(rest, question.mask, question.ascending, chunk)
    const found = next.nos.length === 0 ? new Set<number>() : await namesAmong(app, question.words, next.nos)
    for (const no of next.nos) if (found.has(no)) nos.push(no)
    rest = next.rest.from < next.rest.to ? next.rest : undefined
    chunk = Math.min(chunk * 2, 8_000)
  }
  const isAll = rest === undefined
  // Positions may have moved meanwhile: such matches answer this question, each once, and are not kept for the next.
  if (generation !== listing.generation) return { nos: [...new Set(nos)], isAll }
  const kept = listing.matches.get(key)
  if (kept === undefined || kept.nos.length <= nos.length) listing.matches.keep(key, { nos, rest })
  return { nos, isAll }
}

interface FoundMatches {
  nos: number[]
  /** False when the walk stopped because enough was found. */
  isAll: boolean
}

/** All matches by the gram index; undefined when a walk is the better way. */
async function gather(app: App, { words, stretch, mask, ascending }: NameQuestion): Promise<number[] | undefined> {
  const { listing, db } = app
  const known = listing.names.get(words)
  if (known === 'too many') return undefined
  if (known !== undefined) return listing.select([...known], stretch, mask, ascending)
  const { generation } = listing
  const grams = [...new Set(words.flatMap(gramsOfWord))]
  const listed = listing.count(stretch, mask)
  if (grams.length === 0 || listed <= shortListing) return undefined
  const rarest = Math.min(...grams.map((gram) => listing.grams.frequency(gram)))
  if (rarest * listing.count(listing.stretch(), { mask: 0, value: 0 }) > mostPosted) return undefined
  const mostGathered = Math.ceil(Math.sqrt(gatheredPerListed * listing.count(listing.stretch(), { mask: 0, value: 0 })))
  const { rows } = await sql<{ nos: number[] | null }>`
    select array_agg(no) as nos from (
      select no from items
       where status = 'published' and name_grams @> ${grams}::int[] and name_folded like all (${words.map(likeAnywhere)}::text[])
       limit ${mostGathered + 1}) matching`.execute(db)
  const nos = rows[0]?.nos ?? []
  const gathered = nos.length > mostGathered ? undefined : nos
  // What was read while the catalogue changed may be of before.
  if (generation === listing.generation) listing.names.keep(words, gathered)
  return gathered && listing.select(gathered, stretch, mask, ascending)
}

async function namesAmong(app: App, words: string[], candidates: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ nos: number[] | null }>`
    select array_agg(no) as nos from items
     where no = any(${candidates}::int[]) and status = 'published'
       and name_folded like all (${words.map(likeAnywhere)}::text[])`.execute(app.db)
  return new Set(rows[0]?.nos ?? [])
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
 * The items whose names are most like the text, at most `limit`, best first (PRODUCT.md, section 10, "Search that
 * finds"). Candidates share one of the text's rarest parts.
 */
export async function nearestNames(app: App, text: string, within: FacetMask, limit: number): Promise<number[]> {
  const { listing, db } = app
  const folded = foldText(text)
  // The telling parts: what is misspelt is in no name and costs nothing, the rarest of the rest lead to few names.
  const telling = partsOfName(folded)
    .map((grams) => ({ grams, frequency: grams.reduce((share, gram) => share * listing.grams.frequency(gram), 1) }))
    .sort((one, other) => one.frequency - other.frequency)
    .slice(0, mostParts)
    .map(({ grams }) => sql<boolean>`name_grams @> ${grams}::int[]`)
  if (telling.length === 0) return []
  const { rows } = await sql<{ names: [number, string][] | null }>`
    select json_agg(json_build_array(no, name_folded)) as names from (
      select no, name_folded from items
       where status = 'published' and (${sql.join(telling, sql` or `)})
         and (facets & ${within.mask}::int) = ${within.value}::int limit ${mostCandidates}) candidates`.execute(db)
  const parts = partsOf(folded)
  const alike = (rows[0]?.names ?? [])
    .map(([no, name]) => ({ no, name, shared: sharedWith(` ${name} `, parts) }))
    .sort((a, b) => b.shared - a.shared || b.no - a.no)
    // Likeness costs a hundred times what the number of shared parts does.
    .slice(0, mostCompared)
    .map(({ no, name }) => ({ no, likeness: similarity(folded, name) }))
    .filter(({ likeness }) => likeness >= 0.25)
    .sort((a, b) => b.likeness - a.likeness || b.no - a.no)
  // Whether each is listed now and matches is the listing's to say.
  const visible = new Set(
    listing.select(
      alike.map(({ no }) => no),
      listing.stretch(),
      within,
      false,
    ),
  )
  return alike
    .map(({ no }) => no)
    .filter((no) => visible.has(no))
    .slice(0, limit)
}
