import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'

/**
 * How common each trigram of the names is, as the database's own statistics know it (ANALYZE keeps the most common
 * elements of an array column). Decides between the index and a walk through the listing, and picks the telling trigrams
 * of a misspelt word; a wrong estimate costs time, never a result.
 */
export class TrigramStatistics {
  readonly #app: Pick<CatalogueApp, 'db' | 'log'>
  #frequencies = new Map<number, number>()
  /** The highest frequency of a trigram that is not among the most common ones. */
  #rare = 0

  constructor(app: Pick<CatalogueApp, 'db' | 'log'>) {
    this.#app = app
  }

  async refresh(): Promise<void> {
    const { rows } = await sql<{ trigrams: number[] | null; frequencies: number[] | null }>`
      select most_common_elems::text::int[] as trigrams, most_common_elem_freqs as frequencies
        from pg_stats where schemaname = current_schema() and tablename = 'items' and attname = 'name_grams'`.execute(
      this.#app.db,
    )
    const { trigrams, frequencies } = rows[0] ?? { trigrams: null, frequencies: null }
    this.#frequencies = new Map(trigrams?.map((trigram, i) => [trigram, frequencies?.[i] ?? 0]))
    // After the elements' frequencies PostgreSQL appends the least, the greatest and that of null.
    this.#rare = trigrams === null ? 0 : (frequencies?.[trigrams.length] ?? 0)
  }

  /** The share of items that have the gram, from 0 to 1; for a rare one an upper bound. */
  frequency(trigram: number): number {
    return this.#frequencies.get(trigram) ?? this.#rare
  }
}
