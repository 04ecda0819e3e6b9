import { type RawBuilder, sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import type { Scope } from '../../../http/cache/response-cache.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { facetMask } from '../item/facets.ts'
import { wordsOf } from '../item/name-text.ts'
import { isVipType } from '../item/content-type.ts'
import { pathOfAnyItem, vipItemPath } from '../item/vip-page.ts'
import { categoriesOf, facetsOf, type IndexQuery, seesEarly } from './index-query.ts'
import { isVipFirst, listingTime, maySeeVip } from './is-listed.ts'
import { ListingIndex } from './listing-index.server.ts'
import { keyOf, matchNames, type NameQuery, nearestNames } from './match-names.server.ts'
import {
  ItemScope,
  settingsItemNumber,
  SettingsScope,
  type ListQuery,
  ListScope,
  type NearestQuery,
} from './response-scopes.ts'
import { type SerializedItem, SerializedItems } from './serialized-items.server.ts'
import { type SingleItem, SingleItems } from './single-items.server.ts'
import { TotalCounts, UntilCounted } from './total-counts.server.ts'
import { visibleItems } from './visible-items.server.ts'

type IndexApp = Pick<CatalogueApp, 'config' | 'db' | 'maintenanceDb' | 'log' | 'clock' | 'gateway' | 'texts'>

/** The name of an item, and the address of its page. */
export interface NamedItem {
  slug: string
  name: string
  path: string
  /** Its post date while that lies ahead: until then its page is there for nobody, or in early access for VIPs. Null from then on. */
  opensAt: string | null
}

export interface IndexResult {
  /** In the order of the listing. */
  itemNumbers: number[]
  /** How many match; a lower bound when `totalIsExact` is false. */
  total: number
  totalIsExact: boolean
  /** Numbers of the nearest names, best first; only when a text was given and nothing matched. */
  nearest?: number[]
  /** The changes that would make this result another one. Undefined: any change may. */
  scope: Scope | undefined
}

type Found = Omit<IndexResult, 'nearest' | 'scope'>

const nothing: Found = { itemNumbers: [], total: 0, totalIsExact: true }

const maxNearest = 10

/** How many more matches of a common text a step of its count looks for, at least. */
const countedAtOnce = 4_000

/**
 * The catalogue in memory, the one way to it: queries in, item numbers, totals and finished items out. Everything behind
 * it (columns, name postings, serialized items, the change log) belongs to this room and is imported by nobody else.
 *
 * It shows a state that the database has committed, at most `SERVE_WITHOUT_DATABASE_SECONDS` old.
 */
export class CatalogueIndex {
  readonly #app: IndexApp
  readonly #listing: ListingIndex
  readonly #serialized: SerializedItems
  readonly #items: SingleItems
  readonly #totals = new TotalCounts()

  constructor(app: IndexApp) {
    this.#app = app
    this.#serialized = new SerializedItems(app.db, app.config.timeZone)
    this.#listing = new ListingIndex(app, {
      reset: () => {
        this.#serialized.clear()
        this.#items.clear()
      },
      change: (itemNumbers, slugs) => {
        for (const itemNumber of itemNumbers) this.#serialized.delete(itemNumber)
        for (const slug of slugs) this.#items.delete(slug)
        if (itemNumbers.includes(settingsItemNumber)) this.#items.clear()
      },
    })
    this.#items = new SingleItems(app, this.#listing)
  }

  /** Raised by every change of what is listed; the same on every instance that has caught up. */
  get version(): number {
    return this.#listing.version
  }

  /** Raised whenever positions or facets may have changed, also by time alone. */
  get generation(): number {
    return this.#listing.generation
  }

  /**
   * Whether this may be shown: what another process has removed is gone from here within
   * `SERVE_WITHOUT_DATABASE_SECONDS`, also while the database cannot say that it was.
   */
  get isCurrent(): boolean {
    return this.#listing.isCurrent
  }

  /** @throws {AppError} `database.unavailable`, 503, when this may not be shown any more */
  assertCurrent(): void {
    this.#listing.assertCurrent()
  }

  /** Until when the same query has the same result, if nobody writes: the next post date or lapse ahead. */
  unchangedUntil(): number {
    return this.#listing.unchangedUntil()
  }

  /** To be called where other processes write to the same database. */
  expireAfter(ms: number): void {
    this.#listing.expireAfter(ms)
  }

  load(): Promise<void> {
    return this.#listing.load()
  }

  /** Brings the index to the newest committed state: a caller that has just committed finds its change once this resolves. */
  catchUp(): Promise<void> {
    return this.#listing.catchUp()
  }

  /** Asks the database anew how common parts of names are. */
  refreshStatistics(): Promise<void> {
    return this.#listing.trigrams.refresh()
  }

  /** Whether this viewer finds an item now; false for a number that no published item has. */
  isListed(itemNumber: number, viewer: Viewer): boolean {
    return this.#listing.isListed(itemNumber, viewer)
  }

  /** Resolves when the totals that were lower bounds are counted. */
  whenCounted(): Promise<void> {
    return this.#totals.whenCounted()
  }

  /**
   * The items that match and that this viewer may see now. The total of a very common text is a lower bound at first: counting
   * it reads half the catalogue, so it is counted beside, and the scope ends when it is. VIPs find free items of early access
   * as well; nobody keeps such a result.
   * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
   */
  async search(query: IndexQuery, viewer: Viewer): Promise<IndexResult> {
    const listing = this.#listing
    const words = wordsOf(query.text)
    const named = categoriesOf(query, words).map((names) =>
      names.map((name) => ({ name, id: listing.categoryId(name) })),
    )
    const facets = facetsOf(query, viewer, named)
    const mask = facets && facetMask(facets)
    const list: ListQuery = { mask, from: query.from, to: query.to, words, categories: named.flat() }
    const { listed, early } = listing.ranges(viewer, query.from, query.to)
    const isEarly = seesEarly(query, viewer, words) && early.from < early.to
    const earlyFacets = isEarly ? facetsOf({ ...query, shelf: undefined, isVip: false }, viewer, named) : undefined
    if (earlyFacets !== undefined) {
      const ahead = { words, range: early, mask: facetMask(earlyFacets), ascending: query.ascending }
      const behind = mask && { words, range: listed, mask, ascending: query.ascending }
      const found = await this.#findBoth(ahead, behind, query)
      return { ...(await this.#withNearest(query, viewer, list, found)), scope: undefined }
    }
    if (mask === undefined) return this.#withNearest(query, viewer, list, nothing)
    const { count, ...found } = await this.#find({ words, range: listed, mask, ascending: query.ascending }, query)
    const result = await this.#withNearest(query, viewer, list, found)
    return count === undefined ? result : { ...result, scope: new UntilCounted(result.scope, count) }
  }

  /** `count` tells when a lower bound is counted to its end. */
  async #find(
    matching: NameQuery,
    { skip, limit }: Pick<IndexQuery, 'skip' | 'limit'>,
  ): Promise<Found & { count?: { isOver: boolean } }> {
    const listing = this.#listing
    const { words, range, mask, ascending } = matching
    if (words.length === 0) {
      const itemNumbers = listing.page(range, mask, ascending, skip, limit)
      return { itemNumbers, total: listing.count(range, mask), totalIsExact: true }
    }
    const end = skip + limit
    // A page beyond the last says which the last is: then all are looked for.
    const wanted = skip >= listing.count(range, mask) ? Infinity : end + 1
    const { itemNumbers, isAll } = await matchNames(this.#app.db, listing, matching, wanted)
    const found = { itemNumbers: itemNumbers.slice(skip, end), total: itemNumbers.length, totalIsExact: isAll }
    return isAll ? found : { ...found, count: this.#count(matching) }
  }

  #count(query: NameQuery): { isOver: boolean } {
    let wanted = 0
    return this.#totals.begin(keyOf(query), async () => {
      const { itemNumbers, isAll } = await matchNames(this.#app.maintenanceDb, this.#listing, query, wanted)
      // Each step copies what was found before.
      wanted = itemNumbers.length + Math.max(countedAtOnce, itemNumbers.length)
      return isAll
    })
  }

  /** A page of two parts that follow each other in time; those ahead are few. */
  async #findBoth(
    ahead: NameQuery,
    behind: NameQuery | undefined,
    { skip, limit, ascending }: Pick<IndexQuery, 'skip' | 'limit' | 'ascending'>,
  ): Promise<Found> {
    const { itemNumbers: all } = await this.#find(ahead, { skip: 0, limit: Infinity })
    const findBehind = (page: Pick<IndexQuery, 'skip' | 'limit'>): Promise<Found> | Found =>
      behind === undefined ? nothing : this.#find(behind, page)
    if (ascending) {
      const first = await findBehind({ skip, limit })
      const from = Math.max(0, skip - first.total)
      const rest = first.totalIsExact ? all.slice(from, from + limit - first.itemNumbers.length) : []
      return {
        itemNumbers: [...first.itemNumbers, ...rest],
        total: first.total + all.length,
        totalIsExact: first.totalIsExact,
      }
    }
    const first = all.slice(skip, skip + limit)
    const rest = await findBehind({ skip: Math.max(0, skip - all.length), limit: limit - first.length })
    return {
      itemNumbers: [...first, ...rest.itemNumbers],
      total: all.length + rest.total,
      totalIsExact: rest.totalIsExact,
    }
  }

  /**
   * Items as lists carry them, in the order of the numbers. An item that has left the list since it was found, or that
   * this viewer may not see now, is left out.
   */
  readItems(itemNumbers: number[], viewer: Viewer): Promise<SerializedItem[]> {
    return this.#serialized.read(itemNumbers, viewer, listingTime(this.#app))
  }

  /** An item by its slug, if this viewer may see it now. */
  findItem(slug: string, viewer: Viewer): Promise<SingleItem | undefined> {
    return this.#items.find(slug, viewer)
  }

  /** Whether a free item is only VIPs' until its post date. */
  isVipFirst({ item }: SingleItem): boolean {
    const isVip = isVipType(item.contentType)
    return isVipFirst({ isVip, postedAt: Date.parse(item.postDate) }, listingTime(this.#app))
  }

  /** The same without asking the database: undefined also for an item that is not in memory. */
  peekItem(slug: string, viewer: Viewer): SingleItem | undefined {
    return this.#items.peek(slug, viewer)
  }

  /**
   * Whether this viewer may see the item of a column's id now, for a query whose order and limit hang on it. It is looked up
   * row by row: as one of many the planner would read all items.
   */
  isVisible(column: string, viewer: Viewer): RawBuilder<boolean> {
    const item = visibleItems(this.#app.db, viewer, listingTime(this.#app))
      .select(sql<boolean>`true`.as('found'))
      .where('items.id', '=', sql.ref<string>(column))
    return sql<boolean>`coalesce(${item}, false)`
  }

  /** Names and pages of those of these items that this viewer may see now, by their ids. */
  async readNames(ids: readonly string[], viewer: Viewer): Promise<Map<string, NamedItem>> {
    return this.#readNames(sql<boolean>`items.id = any(${ids}::uuid[])`, viewer, ({ id }) => id)
  }

  /** The same, by their slugs. */
  async readNamesBySlug(slugs: readonly string[], viewer: Viewer): Promise<Map<string, NamedItem>> {
    return this.#readNames(sql<boolean>`items.slug = any(${slugs}::text[])`, viewer, ({ slug }) => slug)
  }

  async #readNames(
    isNamed: RawBuilder<boolean>,
    viewer: Viewer,
    keyOf: (item: { id: string; slug: string }) => string,
  ): Promise<Map<string, NamedItem>> {
    const time = listingTime(this.#app)
    const rows = await visibleItems(this.#app.db, viewer, time)
      .select([
        'items.id',
        'items.slug',
        'items.name',
        'items.content_type as contentType',
        'categories.name as category',
        'items.post_date',
      ])
      .where(isNamed)
      .execute()
    return new Map(
      rows.map(({ id, slug, name, post_date: postDate, ...kind }) => {
        const opensAt = postDate.getTime() > time.now ? postDate.toISOString() : null
        const vipFirst = isVipFirst({ isVip: isVipType(kind.contentType), postedAt: postDate.getTime() }, time)
        const path = vipFirst ? vipItemPath({ slug, vipFirst, ...kind }) : pathOfAnyItem({ slug, ...kind })
        return [keyOf({ id, slug }), { slug, name, path, opensAt }]
      }),
    )
  }

  /** Changes of what administrators set for the whole site, which every page shows some of. */
  scopeOfSettings(): Scope {
    return new SettingsScope(this.#listing)
  }

  /** The changes that would make a page of this item another one. */
  scopeOfItem(itemNumber: number): Scope {
    return new ItemScope(this.#listing, itemNumber)
  }

  /** The nearest names are looked for among everything of the same tier: a filter may be what hides the right one. */
  async #withNearest(query: IndexQuery, viewer: Viewer, list: ListQuery, found: Found): Promise<IndexResult> {
    if (found.total > 0 || list.words.length === 0) return this.#scoped(list, found)
    const tier = maySeeVip(viewer) ? (query.shelf === undefined ? query.isVip : true) : false
    const within = facetMask(tier === undefined ? {} : { isVip: tier })
    const { itemNumbers, parts } = await nearestNames(this.#app.db, this.#listing, {
      text: query.text,
      viewer,
      within,
      limit: maxNearest,
    })
    return { ...this.#scoped(list, found, { mask: within, parts }), nearest: itemNumbers }
  }

  #scoped(list: ListQuery, found: Found, nearest?: NearestQuery): IndexResult {
    const listing = this.#listing
    const [first, last] = [found.itemNumbers[0], found.itemNumbers.at(-1)]
    if (first === undefined || last === undefined) {
      return { ...found, scope: new ListScope(listing, list, undefined, nearest) }
    }
    const ends = [listing.item(first), listing.item(last)] as const
    // An item that has left while names were read: the result is another one before it was given.
    const scope = ends[0] && ends[1] && new ListScope(listing, list, [ends[0], ends[1]], nearest)
    return { ...found, scope }
  }
}
