import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'

/**
 * How common each gram of the names is, as the database's own statistics know it (ANALYZE keeps the most common
 * elements of an array column). Decides between the index and a walk through the listing, and picks the telling grams
 * of a misspelt word; a wrong estimate costs time, never a result.
 */
export class GramStatistics {
  readonly #app: Pick<App, 'db' | 'log'>
  #frequencies = new Map<number, number>()
  /** What a gram that is not among the most common ones can have at the most. */
  #rare = 0

  constructor(app: Pick<App, 'db' | 'log'>) {
    this.#app = app
  }

  async refresh(): Promise<void> {
    const { rows } = await sql<{ grams: number[] | null; frequencies: number[] | null }>`
      select most_common_elems::text::int[] as grams, most_common_elem_freqs as frequencies
        from pg_stats where schemaname = current_schema() and tablename = 'items' and attname = 'name_grams'`.execute(
      this.#app.db,
    )
    const { grams, frequencies } = rows[0] ?? { grams: null, frequencies: null }
    this.#frequencies = new Map(grams?.map((gram, i) => [gram, frequencies?.[i] ?? 0]))
    // After the elements' frequencies PostgreSQL appends the least, the greatest and that of null.
    this.#rare = grams === null ? 0 : (frequencies?.[grams.length] ?? 0)
  }

  /** The share of items that have the gram, from 0 to 1; for a rare one an upper bound. */
  frequency(gram: number): number {
    return this.#frequencies.get(gram) ?? this.#rare
  }
}
