import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { isReportedOnce } from '../../../platform/database-outages.ts'
import type { Scope } from '../../../http/cache/response-cache.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { facetMask, type FacetQuery, matchesFacets } from '../item/facets.ts'
import type { ItemHealth } from '../item/link-slots.ts'
import type { FacetCounts } from './count-facets.server.ts'
import { type CountedName, countNames, type NameKind } from './count-names.server.ts'
import type { IndexQuery, ListFilters } from './index-query.ts'
import { type Around, type IndexResult, IndexSearch } from './index-search.server.ts'
import { isVipFirst, listingTime, maySeeVip } from './is-listed.ts'
import { ListingIndex, type SavedListing } from './listing-index.server.ts'
import { readHealth } from './item-health.server.ts'
import { SpareMemory } from '../../../platform/spare-memory.ts'
import { readItems } from './read-items.server.ts'
import { type NamedItem, readNames } from './read-names.server.ts'
import { ItemScope, NumbersScope, settingsItemNumber, SettingsScope } from './response-scopes.ts'
import { rowRecord, type SerializedItem, SerializedItems } from './serialized-items.server.ts'
import { CatalogueImage } from './image/catalogue-image.server.ts'
import type { ItemRecord } from './image/record-file.server.ts'
import { RecordFiller } from './image/record-filler.server.ts'
import { detailsRecord, type SingleItem, SingleItems } from './single-items.server.ts'
import { visibleItems } from './visible-items.server.ts'

export type { IndexQuery } from './index-query.ts'
export type { IndexResult } from './index-search.server.ts'
export type { NamedItem } from './read-names.server.ts'

type IndexApp = Pick<
  CatalogueApp,
  'rehearsal' | 'config' | 'db' | 'maintenanceDb' | 'log' | 'clock' | 'gateway' | 'texts' | 'diskSpace'
>

/** More changes at once than these are read in the background, and in such pieces. */
const [mostReadAtOnce, readInPiece] = [500, 100]
/** No change waits for longer until it shows: it may be a removal. */
const readAheadMs = 250
/** The change feed reaches back an hour. */
const saveEveryMs = 20 * 60_000

/**
 * The one way to the catalogue: queries in, item numbers, totals and items out. Everything behind it (columns, names, image,
 * cached items, change log) is imported only inside this room.
 *
 * It shows a state that the database has committed, at most `SERVE_WITHOUT_DATABASE_SECONDS` old.
 */
export class CatalogueIndex {
  /** For the rows of an answer, by those who keep none of them. */
  readonly memoryOfRows = new SpareMemory(512 * 1_024)
  readonly #app: IndexApp
  readonly #listing: ListingIndex
  readonly #search: IndexSearch
  readonly #serialized: SerializedItems
  readonly #items: SingleItems
  readonly #image: CatalogueImage
  readonly #filling: RecordFiller
  /** The names that were counted last, by kind and tier, and the state of the catalogue that they are of. */
  readonly #names = new Map<string, { state: string; names: readonly CountedName[] }>()
  /** The version that was saved last; 0 where records have come since. */
  #savedVersion = 0
  /** Whether all items are being read into the image. */
  #isNew = false
  #saveRegularly: NodeJS.Timeout | undefined
  #isShared = false
  #caughtUpAt = performance.now()

  constructor(app: IndexApp) {
    this.#app = app
    this.#image = new CatalogueImage(app)
    this.#serialized = new SerializedItems((numbers) => readItems(app, numbers), this.#image, app.config.timeZone)
    this.#listing = new ListingIndex(app, {
      reset: () => this.#forgetAll(),
      read: (itemNumbers) => this.#readChanged(itemNumbers),
      change: (itemNumbers, ofLinksOnly) => this.#forget(itemNumbers, ofLinksOnly),
    })
    this.#search = new IndexSearch(this.#listing)
    this.#items = new SingleItems(app, this.#listing, this.#image)
    this.#filling = new RecordFiller({
      readBatch: (numbers) => this.#readRecords(numbers),
      isMissing: (no) => this.#listing.item(no) !== undefined && this.#image.lacks(no),
      isPaused: () => !app.diskSpace.hasRoomForFiles,
      onFilled: () => {
        if (this.#isNew) void this.#save()
        this.#isNew = false
      },
      onFailed: (error) => {
        if (!isReportedOnce(error)) app.log.error({ err: error }, 'Items could not be read into the image.')
      },
    })
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

  /** Figures for /metrics. */
  get figures() {
    const feedAgeSeconds = this.#isShared ? (performance.now() - this.#caughtUpAt) / 1_000 : undefined
    return { entries: this.#listing.length, kept: this.#items.size, image: this.#image.figures, feedAgeSeconds }
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
    this.#isShared = true
    this.#listing.expireAfter(ms)
  }

  /** Reads the listing, without an image: items are read from the database when they are requested. */
  load(): Promise<void> {
    return this.#listing.load()
  }

  /**
   * Begins with the image of the last run, or reads the listing; then reads into the image what it lacks, in the background.
   * @param whileReading called while the database gathers the listing
   */
  async open(whileReading?: () => void): Promise<void> {
    const saved = await this.#image.open()
    // A clock that was put back brings back what had lapsed.
    const isOfNow = saved !== undefined && saved.savedAt <= this.#app.clock.now()
    await (isOfNow ? this.#listing.restore(saved) : this.#listing.load(whileReading))
    this.#isNew ||= !isOfNow
    this.#filling.addAll(this.#listing.allNumbers())
    this.#saveRegularly = setInterval(() => void this.#save(), saveEveryMs).unref()
  }

  /** Saves the image for the next start. */
  async close(): Promise<void> {
    clearInterval(this.#saveRegularly)
    await this.#filling.stop()
    await this.#save()
    await this.#image.close()
  }

  /** Resolves when the image has every item. */
  whenFilled(): Promise<void> {
    return this.#filling.whenFilled()
  }

  /** Brings the index to the newest committed state: a caller that has just committed finds its change once this resolves. */
  async catchUp(): Promise<void> {
    await this.#listing.catchUp()
    this.#caughtUpAt = performance.now()
  }

  /** Whether this viewer finds an item now; false for a number that no published item has. */
  isListed(itemNumber: number, viewer: Viewer): boolean {
    return this.#listing.isListed(itemNumber, viewer)
  }

  /** The post date of an item that a search found, in milliseconds since 1970. */
  postedAt(itemNumber: number): number | undefined {
    return this.#listing.item(itemNumber)?.postedAt
  }

  /**
   * The items that match and that this viewer may see now. VIPs find free items of early access as well; nobody keeps such a
   * result.
   * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
   */
  search(query: IndexQuery, viewer: Viewer): IndexResult {
    return this.#search.search(query, viewer)
  }

  /**
   * The items next to one in a list, newest first, among those that this viewer may see now.
   * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
   */
  around(itemNumber: number, filters: ListFilters, viewer: Viewer): Around {
    return this.#search.around(itemNumber, filters, viewer)
  }

  /**
   * How many items match that this viewer may see now, by facets.
   * @param lists what each list asks for
   * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
   */
  countFacets(query: IndexQuery, viewer: Viewer, lists: readonly ListFilters[]): FacetCounts & { scope: Scope } {
    return this.#search.countFacets(query, viewer, lists)
  }

  /**
   * The creators or series of what this viewer may see now, in the order of the alphabet.
   * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
   */
  countNames(kind: NameKind, viewer: Viewer): readonly CountedName[] {
    this.assertCurrent()
    // Every page of such a list asks for all of it.
    const state = `${this.version} ${this.unchangedUntil()} ${[...viewer.roles].sort().join()}`
    const key = `${kind} ${maySeeVip(viewer)}`
    let counted = this.#names.get(key)
    if (counted?.state !== state)
      this.#names.set(key, (counted = { state, names: countNames(this.#listing, kind, viewer) }))
    return counted.names
  }

  /**
   * The numbers of all published items with such facets whose names have every one of these words, whoever may see them.
   * @param words folded, at least one
   */
  publishedWith(words: readonly string[], facets: FacetQuery): number[] {
    const mask = facetMask(facets)
    const numbers: number[] = []
    for (const no of this.#listing.names.match(words).numbers)
      if (matchesFacets(this.#listing.columns.facetsOf(no), mask)) numbers.push(no)
    return numbers
  }

  /**
   * A part of the free items that everybody may see now, in the order in which they were made, and how many there are.
   * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
   */
  freeItems(page: { skip: number; limit: number }): { numbers: number[]; total: number; scope: Scope } {
    const { numbers, total } = this.#listing.freeByNumber(page)
    return {
      numbers,
      total,
      scope: new NumbersScope(this.#listing, numbers.length < page.limit ? Infinity : (numbers.at(-1) ?? Infinity)),
    }
  }

  /** Not before the last change of what is listed, in milliseconds since 1970. */
  lastChangedAt(): number {
    return this.#listing.lastChangedAt()
  }

  /**
   * Items as lists carry them, in the order of the numbers. An item that has left the list since it was found, or that
   * this viewer may not see now, is left out.
   * @param allocate gives the memory that they are read into, by a caller who needs them no longer than that
   */
  readItems(itemNumbers: number[], viewer: Viewer, allocate?: (size: number) => Buffer): Promise<SerializedItem[]> {
    return this.#serialized.read(itemNumbers, viewer, listingTime(this.#app), allocate)
  }

  /** An item by its slug, if this viewer may see it now. */
  findItem(slug: string, viewer: Viewer): Promise<SingleItem | undefined> {
    return this.#items.find(slug, viewer)
  }

  /** The items of these numbers that this viewer may see now, with their details, in the order of the numbers. */
  findItems(itemNumbers: readonly number[], viewer: Viewer): Promise<SingleItem[]> {
    return this.#items.findMany(itemNumbers, viewer)
  }

  /** The health of the links of an item, with the instants of the last checks. */
  async readHealth(item: SingleItem): Promise<ItemHealth> {
    return (await readHealth(this.#app.db, [item])).get(item.no) ?? {}
  }

  /** Whether a free item is only VIPs' until its post date. */
  isVipFirst({ listable }: SingleItem): boolean {
    return isVipFirst(listable, listingTime(this.#app))
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
    return readNames(this.#app, { isNamed: sql`items.id = any(${ids}::uuid[])`, viewer, keyOf: ({ id }) => id })
  }

  /** The same, by their slugs. */
  async readNamesBySlug(slugs: readonly string[], viewer: Viewer): Promise<Map<string, NamedItem>> {
    return readNames(this.#app, {
      isNamed: sql`items.slug = any(${slugs}::text[])`,
      viewer,
      keyOf: ({ slug }) => slug,
    })
  }

  /** Changes of what administrators set for the whole site, which every page shows some of. */
  scopeOfSettings(): Scope {
    return new SettingsScope(this.#listing)
  }

  /** The changes that would make a page of this item another one. */
  scopeOfItem(itemNumber: number): Scope {
    return new ItemScope(this.#listing, itemNumber)
  }

  #forgetAll(): void {
    this.#items.clear()
    this.#image.clear()
    this.#isNew = true
    // The listing has what is new once this has returned.
    queueMicrotask(() => this.#filling.addAll(this.#listing.allNumbers()))
  }

  #forget(itemNumbers: readonly number[], ofLinksOnly: readonly number[]): void {
    for (const no of itemNumbers) {
      this.#image.deleteRow(no)
    }
    for (const no of [...itemNumbers, ...ofLinksOnly]) {
      this.#items.delete(no)
      this.#image.deleteDetails(no)
    }
    if (itemNumbers.includes(settingsItemNumber)) this.#items.clear()
    this.#filling.add([...itemNumbers, ...ofLinksOnly])
  }

  /** Reads ahead where it can: all else is read in the background. */
  async #readChanged(numbers: readonly number[]): Promise<() => void> {
    const nothing = (): void => undefined
    if (!this.#image.isOpen || numbers.length > mostReadAtOnce) return nothing
    const read = async (): Promise<() => void> => {
      const pieces: ((isWanted: (no: number) => boolean) => boolean)[] = []
      for (let at = 0; at < numbers.length; at += readInPiece)
        pieces.push(await this.#readRecords(numbers.slice(at, at + readInPiece)))
      return () => {
        for (const keep of pieces) keep((no) => this.#listing.item(no) !== undefined)
      }
    }
    const reading = read().catch((error: unknown) => {
      this.#app.log.warn({ err: error }, 'Changed items could not be read ahead. They are read in the background.')
      return nothing
    })
    return Promise.race([reading, wait(readAheadMs, nothing, { ref: false })])
  }

  async #readRecords(numbers: readonly number[]): Promise<(isWanted: (no: number) => boolean) => boolean> {
    const items = new Map((await readItems(this.#app, numbers)).map((facts) => [facts.no, facts]))
    const { timeZone } = this.#app.config
    // In their order: those that are read together lie side by side.
    const read = numbers.flatMap((no) => items.get(no) ?? [])
    const records = { rows: read.map((facts) => rowRecord(facts, timeZone)), details: read.map(detailsRecord) }
    return (isWanted) => {
      this.#savedVersion = 0
      const wanted = (of: ItemRecord[]): ItemRecord[] => of.filter(({ no }) => isWanted(no))
      return this.#image.store({ rows: wanted(records.rows), details: wanted(records.details) })
    }
  }

  async #save(): Promise<void> {
    if (this.#savedVersion === this.version || !this.#app.diskSpace.hasRoomForFiles) return
    const take = (): SavedListing => {
      this.#savedVersion = this.version
      return this.#listing.save()
    }
    const isSaved = await this.#image.save(take, () => this.#listing.allNumbers())
    if (!isSaved) this.#savedVersion = 0
  }
}
