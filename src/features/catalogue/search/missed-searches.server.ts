import { sql } from 'kysely'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueApp } from '../app.ts'
import { foldText } from '../item/name-text.ts'

export type SearchTier = 'free' | 'vip'

/** Of one day and tier; the others are counted together. Anybody can search for anything, as often as they like. */
export const maxTextsOfADay = 2_000
/** Between two writes. */
const maxWaiting = 1_000
const longestText = 100

interface Miss {
  day: string
  tier: SearchTier
  text: string
  searches: number
}

/**
 * Counts searches that found nothing (docs/spec/search.md#misses), for the statistics. The counts wait in memory: an
 * answer that is sent from the cache costs no write. Nobody's name, address or time is kept, only the day.
 */
export class SearchMisses {
  readonly #app: Pick<CatalogueApp, 'clock' | 'config' | 'db'>
  #waiting = new Map<string, Miss>()

  constructor(app: Pick<CatalogueApp, 'clock' | 'config' | 'db'>) {
    this.#app = app
  }

  /** To be called each time such an answer is sent. */
  count(text: string, tier: SearchTier): void {
    const { clock, config } = this.#app
    const folded = Array.from(foldText(text)).slice(0, longestText).join('')
    this.#add({ day: dayOf(clock.now(), config.timeZone), tier, text: folded, searches: 1 })
  }

  #add(miss: Miss): void {
    const key = `${miss.day} ${miss.tier} ${miss.text}`
    const found = this.#waiting.get(key)
    if (found !== undefined) found.searches += miss.searches
    else if (miss.text === '' || this.#waiting.size < maxWaiting) this.#waiting.set(key, miss)
    else this.#add({ ...miss, text: '' })
  }

  /** Writes what has been counted. If that fails, it waits for the next time. */
  async flush(): Promise<void> {
    const misses = [...this.#waiting.values()]
    if (misses.length === 0) return
    this.#waiting = new Map()
    try {
      await this.#write(misses)
    } catch (error) {
      for (const miss of misses) this.#add(miss)
      throw error
    }
  }

  async #write(misses: readonly Miss[]): Promise<void> {
    const json = JSON.stringify(misses)
    // A text that is new where there is no more room adds to ''. Two processes at once may pass the limit by what one has.
    await sql`
      with counted as (
        select day::date as day, tier, text, searches
          from json_to_recordset(${json}::json) as given (day text, tier text, text text, searches integer)
      ), ranked as (
        select counted.*, known.text is not null as is_known,
               row_number() over (partition by counted.day, counted.tier, known.text is not null order by counted.text) as place,
               (select count(*) from search_misses taken where taken.day = counted.day and taken.tier = counted.tier) as taken
          from counted left join search_misses known
            on known.day = counted.day and known.tier = counted.tier and known.text = counted.text
      )
      insert into search_misses (day, tier, text, searches)
      select day, tier, case when is_known or taken + place <= ${maxTextsOfADay} then text else '' end as kept, sum(searches)
        from ranked group by 1, 2, 3 order by 1, 2, 3
          on conflict (day, tier, text) do update set searches = search_misses.searches + excluded.searches`.execute(
      this.#app.db,
    )
  }
}

const flushEveryMs = 60_000

/**
 * Writes the counts every minute. No job: each process writes those of its own memory
 * (docs/decisions/2026-11-22-timed-work.md).
 * @returns how to stop; resolves when the last counts are written
 */
export function flushSearchMisses({
  searchMisses,
  log,
}: Pick<CatalogueApp, 'searchMisses' | 'log'>): () => Promise<void> {
  let underway = Promise.resolve()
  const flush = (): Promise<void> =>
    searchMisses
      .flush()
      .catch((error: unknown) => log.warn({ err: error }, 'The searches without a result could not be counted yet.'))
  const timer = setInterval(() => {
    underway = underway.then(flush)
  }, flushEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underway
    await flush()
  }
}

const retainedDays = 400
const dayMs = 86_400_000

/** Deletes what was counted of days long past. */
export async function deleteOldSearchMisses({
  db,
  clock,
  config,
}: Pick<CatalogueApp, 'db' | 'clock' | 'config'>): Promise<void> {
  const oldest = dayOf(clock.now() - retainedDays * dayMs, config.timeZone)
  await db
    .deleteFrom('search_misses')
    .where(sql<boolean>`day < ${oldest}::date`)
    .execute()
}
