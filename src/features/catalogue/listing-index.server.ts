import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import type { OpenDatabase } from '../../db/open.ts'
import type { FacetMask } from './facets.ts'
import { ListingColumns, type Stretch } from './listing-columns.ts'
import { FreeItems } from './free-items.server.ts'
import { GatheredNames } from './gathered-names.ts'
import { ItemFragments } from './item-fragments.server.ts'
import { GramStatistics } from './gram-statistics.server.ts'
import { MatchCache } from './match-names.server.ts'

declare module '../../platform/app.ts' {
  interface App {
    listing: ListingIndex
  }
}

/** After a larger change, what was gathered of names is asked of the database again. */
const mostMended = 200

/**
 * The listing in memory, kept equal to the database by its change feed: every commit that touches a published item
 * raises `catalogue_state.version` and names the items in `catalogue_changes`, under a lock that makes versions visible
 * in their order. `catchUp` reads what is new; the database's notification, and a timer in case one is lost, call it.
 *
 * Time is part of it: an item is listed from its post date on, and leaves at the instant its rights lapse, without
 * any write.
 */
export class ListingIndex {
  readonly fragments: ItemFragments
  readonly grams: GramStatistics
  readonly freeItems: FreeItems
  readonly matches = new MatchCache()
  readonly names = new GatheredNames()
  readonly #app: Pick<App, 'config' | 'db' | 'log' | 'clock'>
  readonly #columns = new ListingColumns()
  #version = 0
  #generation = 0
  #categoryIds = new Map<string, number>()
  /** Ends of rights that lie ahead, soonest first. */
  #lapses: { no: number; at: number }[] = []
  #catchingUp: Promise<void> | undefined
  #again = false

  constructor(app: Pick<App, 'config' | 'db' | 'log' | 'clock'>) {
    this.#app = app
    this.fragments = new ItemFragments(app.db, app.config.timeZone)
    this.freeItems = new FreeItems(app, this)
    this.grams = new GramStatistics(app)
  }

  /** Raised by every change of what is listed; the same on every instance that has caught up. */
  get version(): number {
    return this.#version
  }

  /** Raised whenever positions may have moved, also by time alone. */
  get generation(): number {
    return this.#generation
  }

  /** The id of a category by its name, without regard to case. */
  categoryId(name: string): number | undefined {
    return this.#categoryIds.get(name.toLowerCase())
  }

  /** What is listed now, and posted in the given span of instants. */
  stretch(fromInstant = -Infinity, toInstant = Infinity): Stretch {
    const now = this.#app.clock.now()
    this.#dropLapsed(now)
    // "Not after now": the first instant that is excluded is the next microsecond, the database's finest step.
    return this.#columns.stretch(fromInstant, Math.min(toInstant, now + 0.001))
  }

  /** Whether an item is listed now. */
  shows(no: number): boolean {
    const now = this.#app.clock.now()
    this.#dropLapsed(now)
    return this.#columns.postedAt(no) <= now
  }

  /** Until when the same question has the same answer, if nobody writes: the next post date or lapse ahead. */
  unchangedUntil(): number {
    const scheduled = this.#columns.postedAtPosition(this.stretch().to) ?? Infinity
    return Math.min(scheduled, this.#lapses[0]?.at ?? Infinity)
  }

  count(stretch: Stretch, mask: FacetMask): number {
    return this.#columns.count(stretch, mask)
  }

  page(stretch: Stretch, mask: FacetMask, ascending: boolean, skip: number, limit: number): number[] {
    return this.#columns.page(stretch, mask, ascending, skip, limit)
  }

  next(stretch: Stretch, mask: FacetMask, ascending: boolean, limit: number): { nos: number[]; rest: Stretch } {
    return this.#columns.next(stretch, mask, ascending, limit)
  }

  select(nos: number[], stretch: Stretch, mask: FacetMask, ascending: boolean): number[] {
    return this.#columns.select(nos, stretch, mask, ascending)
  }

  /** Reads the whole listing from the database. */
  async load(): Promise<void> {
    const { db } = this.#app
    const packed = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const state = await trx.selectFrom('catalogue_state').select('version').executeTakeFirstOrThrow()
        // The database ships columns, not rows: 24 bytes an item, in order, as one value.
        const { rows } = await sql<{ items: string | null }>`
        select encode(string_agg(float8send(posted_at) || float8send(created_at) || int4send(no) || int4send(facets), ''), 'base64') as items
          from (select extract(epoch from post_date)::float8 * 1000 as posted_at,
                       extract(epoch from created_at)::float8 * 1000 as created_at, no, facets
                  from items where status = 'published'
                 order by post_date, items.created_at, no) listed`.execute(trx)
        const lapses = await trx
          .selectFrom('items')
          .select(['no', sql<number>`extract(epoch from lapses_at)::float8 * 1000`.as('at')])
          .where('status', '=', 'published')
          .where('lapses_at', 'is not', null)
          .orderBy('lapses_at')
          .execute()
        const categories = await trx.selectFrom('categories').select(['id', 'name']).execute()
        return { version: Number(state.version), items: rows[0]?.items ?? '', lapses, categories }
      })
    this.#columns.load(unpack(packed.items))
    this.#generation += 1
    this.#lapses = packed.lapses
    this.#setCategories(packed.categories)
    this.fragments.clear()
    this.freeItems.clear()
    this.matches.clear()
    this.names.clear()
    this.#version = packed.version
    await this.grams.refresh()
  }

  /**
   * Brings the listing to the newest committed state. A call during a run waits for another run, so that whoever has
   * just committed finds his change once this resolves.
   */
  async catchUp(): Promise<void> {
    if (this.#catchingUp !== undefined) {
      this.#again = true
      return this.#catchingUp
    }
    this.#catchingUp = this.#run()
    return this.#catchingUp
  }

  async #run(): Promise<void> {
    try {
      do {
        this.#again = false
        await this.#readChanges()
      } while (this.#again)
    } finally {
      this.#catchingUp = undefined
    }
  }

  async #readChanges(): Promise<void> {
    const { db } = this.#app
    const state = await db.selectFrom('catalogue_state').select('version').executeTakeFirstOrThrow()
    const version = Number(state.version)
    if (version === this.#version) return
    const changes = await db
      .selectFrom('catalogue_changes')
      .select(['version', 'item_no'])
      .where('version', '>', String(this.#version) as never)
      .where('version', '<=', String(version) as never)
      .limit(50_001)
      .execute()
    const versions = new Set(changes.map((change) => change.version))
    // Pruned changes, an unnamed change or very many: everything is read anew.
    if (
      versions.size !== version - this.#version ||
      changes.length > 50_000 ||
      changes.some((change) => change.item_no === null)
    ) {
      return this.load()
    }
    const touched = [...new Set(changes.map((change) => change.item_no as number))]
    const rows = await db
      .selectFrom('items')
      .select([
        'no',
        'facets',
        'slug',
        'name_folded',
        sql<number>`extract(epoch from post_date)::float8 * 1000`.as('postedAt'),
        sql<number>`extract(epoch from created_at)::float8 * 1000`.as('createdAt'),
        sql<number | null>`extract(epoch from lapses_at)::float8 * 1000`.as('lapsesAt'),
      ])
      .where('status', '=', 'published')
      .where(sql<boolean>`no = any(${touched}::int[])`)
      .execute()
    const categories = await db.selectFrom('categories').select(['id', 'name']).execute()
    // From here to the end nothing waits: a reader sees the old state or the new one.
    const left = new Set(touched)
    for (const row of rows) left.delete(row.no)
    this.#columns.change([...left], rows)
    this.#generation += 1
    const changed = new Set(touched)
    this.#lapses = this.#lapses
      .filter((lapse) => !changed.has(lapse.no))
      .concat(rows.flatMap((row) => (row.lapsesAt === null ? [] : [{ no: row.no, at: row.lapsesAt }])))
      .sort((a, b) => a.at - b.at)
    for (const no of touched) this.fragments.forget(no)
    for (const { slug } of rows) this.freeItems.forget(slug)
    this.matches.clear()
    if (touched.length > mostMended) this.names.clear()
    else
      this.names.mend([
        ...rows.map((row) => ({ no: row.no, folded: row.name_folded })),
        ...[...left].map((no) => ({ no, folded: undefined })),
      ])
    this.#setCategories(categories)
    this.#version = version
  }

  #setCategories(categories: { id: number; name: string }[]): void {
    this.#categoryIds = new Map(categories.map(({ id, name }) => [name.toLowerCase(), id]))
  }

  #dropLapsed(now: number): void {
    let lapsed = 0
    while ((this.#lapses[lapsed]?.at ?? Infinity) <= now) lapsed += 1
    if (lapsed === 0) return
    this.#columns.change(
      this.#lapses.splice(0, lapsed).map((lapse) => lapse.no),
      [],
    )
    this.#generation += 1
    this.matches.clear()
  }
}

/** How long an edit may wait for the next one. */
const gatherMs = 100
/** In case a notification is lost. */
const listenAnywayMs = 800

/**
 * Keeps the listing equal to the database.
 * @returns how to stop
 */
export async function followCatalogue(app: App, database: OpenDatabase): Promise<() => Promise<void>> {
  let underway: Promise<void> = Promise.resolve()
  let gathering: NodeJS.Timeout | undefined
  const catchUp = (): void => {
    gathering = undefined
    underway = app.listing.catchUp().catch((error: unknown) => {
      app.log.error({ err: error }, 'The listing could not be brought up to date.')
    })
  }
  // Many edits in a row are read together: each reading makes every kept answer doubtful.
  const hear = (): void => {
    gathering ??= setTimeout(catchUp, gatherMs)
  }
  const stopListening = await database.onCatalogueChange(hear)
  const timer = setInterval(hear, listenAnywayMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await stopListening()
    clearTimeout(gathering)
    await underway
  }
}

function unpack(base64: string) {
  const bytes = Buffer.from(base64, 'base64')
  const length = bytes.length / 24
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const columns = {
    no: new Int32Array(length),
    postedAt: new Float64Array(length),
    createdAt: new Float64Array(length),
    facets: new Int32Array(length),
  }
  for (let i = 0; i < length; i += 1) {
    const at = i * 24
    columns.postedAt[i] = view.getFloat64(at)
    columns.createdAt[i] = view.getFloat64(at + 8)
    columns.no[i] = view.getInt32(at + 16)
    columns.facets[i] = view.getInt32(at + 20)
  }
  return columns
}
