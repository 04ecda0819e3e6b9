import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { lockInTransaction } from '../../../db/locks.ts'
import { siteBlockOf } from '../../../platform/client-address.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueApp } from '../app.ts'
import { foldText } from '../item/name-text.ts'

export type SearchTier = 'free' | 'vip'

/** The most frequent texts of one day and tier. The others are counted together. */
export const maxTextsOfADay = 2_000
/** Between two writes. */
const maxWaiting = 1_000
const longestText = 100

/** The most texts of one visitor that count in an hour, each once. */
export const maxTextsOfAVisitor = 20
const hourMs = 3_600_000
/** Visitors and their texts, of one hour. Beyond it a search counts, but its text is not told. */
const maxRemembered = 50_000

interface Miss {
  day: string
  tier: SearchTier
  text: string
  searches: number
}

export interface MissedSearch {
  text: string
  tier: SearchTier
  /** As `clientAddressOf` tells it. It only keeps one visitor from filling the list, and is not stored. */
  callerAddress: string
}

/**
 * Counts searches that found nothing (docs/spec/search.md#misses), for the statistics. The counts wait in memory: an
 * answer that is sent from the cache costs no write. Nobody's name, address or time is kept, only the day.
 */
export class SearchMisses {
  readonly #app: Pick<CatalogueApp, 'clock' | 'config' | 'db'>
  readonly #visitors: CountedVisitors
  #waiting = new Map<string, Miss>()

  constructor(app: Pick<CatalogueApp, 'clock' | 'config' | 'db'>) {
    this.#app = app
    this.#visitors = new CountedVisitors(app)
  }

  /** To be called each time such an answer is sent. */
  count({ text, tier, callerAddress }: MissedSearch): void {
    const { clock, config } = this.#app
    const folded = Array.from(foldText(text)).slice(0, longestText).join('')
    const permit = this.#visitors.permit(callerAddress, `${tier} ${folded}`)
    if (permit === 'had') return
    const kept = permit === 'new' ? folded : ''
    this.#add({ day: dayOf(clock.now(), config.timeZone), tier, text: kept, searches: 1 })
  }

  #add(miss: Miss): void {
    const key = `${miss.day} ${miss.tier} ${miss.text}`
    const found = this.#waiting.get(key)
    if (found !== undefined) {
      found.searches += miss.searches
      return
    }
    if (miss.text !== '' && this.#waiting.size >= maxWaiting && !this.#makeRoom()) this.#add({ ...miss, text: '' })
    else this.#waiting.set(key, miss)
  }

  /** A text that was searched once, the oldest such, gives way to a new one: those that are searched again stay. */
  #makeRoom(): boolean {
    for (const [key, miss] of this.#waiting) {
      if (miss.searches > 1 || miss.text === '') continue
      this.#waiting.delete(key)
      this.#add({ ...miss, text: '' })
      return true
    }
    return false
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
    await this.#app.db.transaction().execute(async (trx) => {
      // One process after the other: each looks at what the others have written before it drops anything.
      await lockInTransaction(trx, 'search-misses')
      await sql`
        insert into search_misses (day, tier, text, searches)
        select day::date, tier, text, searches
          from json_to_recordset(${json}::json) as given (day text, tier text, text text, searches integer)
            on conflict (day, tier, text) do update set searches = search_misses.searches + excluded.searches`.execute(
        trx,
      )
      // The least frequent ones give way, the ones of before to the new ones: a text that is searched again and again is
      // there in the end, however full the day was.
      await sql`
        with given as (
          select distinct day::date as day, tier, text
            from json_to_recordset(${json}::json) as given (day text, tier text, text text)
        ), ranked as (
          select known.day, known.tier, known.text,
                 row_number() over (
                   partition by known.day, known.tier
                   order by known.searches desc, given.text is null, known.text
                 ) as place
            from search_misses known left join given using (day, tier, text)
           where known.text <> '' and (known.day, known.tier) in (select day, tier from given)
        ), dropped as (
          delete from search_misses known using ranked
           where ranked.place > ${maxTextsOfADay}
             and (known.day, known.tier, known.text) = (ranked.day, ranked.tier, ranked.text)
          returning known.day, known.tier, known.searches
        )
        insert into search_misses (day, tier, text, searches)
        select day, tier, '', sum(searches) from dropped group by 1, 2
            on conflict (day, tier, text) do update set searches = search_misses.searches + excluded.searches`.execute(
        trx,
      )
    })
  }
}

/**
 * The texts that each visitor had counted in this hour: digests under a key that is made anew each hour and never
 * leaves the memory, so that nobody can tell afterwards who has searched for what.
 */
class CountedVisitors {
  readonly #clock: Pick<CatalogueApp, 'clock'>['clock']
  #hour = -1
  #key = ''
  #counted = new Set<string>()
  #texts = new Map<string, number>()

  constructor({ clock }: Pick<CatalogueApp, 'clock'>) {
    this.#clock = clock
  }

  /** Whether it counts: `had` where this visitor has had their share, `unknown` where nobody can tell any more. */
  permit(address: string, text: string): 'new' | 'had' | 'unknown' {
    const hour = Math.floor(this.#clock.now() / hourMs)
    if (hour !== this.#hour) {
      this.#hour = hour
      this.#key = randomBytes(16).toString('hex')
      this.#counted = new Set()
      this.#texts = new Map()
    }
    // The holder of a /48 has 65,536 blocks of their own.
    const visitor = this.#digest(siteBlockOf(address) ?? address)
    const pair = this.#digest(`${visitor} ${text}`)
    const texts = this.#texts.get(visitor) ?? 0
    if (this.#counted.has(pair) || texts >= maxTextsOfAVisitor) return 'had'
    if (this.#counted.size >= maxRemembered) return 'unknown'
    this.#counted.add(pair)
    this.#texts.set(visitor, texts + 1)
    return 'new'
  }

  #digest(text: string): string {
    return hash('sha256', this.#key + text, 'base64').slice(0, 16)
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
