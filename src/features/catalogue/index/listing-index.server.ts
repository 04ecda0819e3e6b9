import type { CatalogueApp } from '../app.ts'
import { databaseUnavailable } from '../../../platform/database-outages.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'
import { ChangeLog } from './change-log.ts'
import { compareItems, isSamePlace } from './compare-items.ts'
import { contentTypes } from '../item/content-type.ts'
import { facetMask, matchesFacets } from '../item/facets.ts'
import { termsIn } from '../item/terms.ts'
import { type SavedSlugs, SlugTable } from './slug-table.server.ts'
import { ItemTerms, type SavedTerms } from './terms/item-terms.server.ts'
import type { ListedItem } from './item-columns.ts'
import { ListingColumns, type ItemRange, type SavedColumns } from './listing-columns.ts'
import { Lapses } from './lapses.ts'
import { ListingCounts } from './listing-counts.ts'
import { Months } from './months.ts'
import { mergeInWorker } from './names/merge-names.server.ts'
import { NameIndex, type SavedNames } from './names/name-index.server.ts'
import { isListed, listedUntil, listingTime } from './is-listed.ts'
import { readChanges, readListing, readSettings } from './read-listing.server.ts'

type ListingApp = Pick<
  CatalogueApp,
  'config' | 'db' | 'maintenanceDb' | 'log' | 'clock' | 'gateway' | 'texts' | 'rehearsal'
>

/** The memories of items that stand beside the listing, told of every change before it shows; of a reset, where everything may have. */
export interface ItemMemories {
  reset(): void
  /** Reads changed items, which each list that has one would read else. @returns how to keep them once the change shows */
  read(itemNumbers: readonly number[]): Promise<() => void>
  /** These items have changed, or only the health of their links. */
  change(itemNumbers: number[], ofLinksOnly: number[]): void
}

/** The whole listing at one version, to make it again. */
export interface SavedListing {
  version: number
  /** When the database came to it (`changedAtOf`). */
  changedAt: string | null
  /** Items that had lapsed by then are not in it. */
  savedAt: number
  lapses: ReturnType<Lapses['save']>
  columns: SavedColumns
  names: SavedNames
  slugs: SavedSlugs
  terms: SavedTerms
}

const vip = facetMask({ isVip: true })
const free = facetMask({ isVip: false })

/** The database's finest step, in milliseconds: a span that holds an instant ends behind it. */
const aMicrosecond = 0.001

/**
 * The listing in memory, kept equal to the database by its change feed: every commit that touches a published item
 * raises `catalogue_state.version` and names the items in `catalogue_changes`, under a lock that makes versions visible
 * in their order. `catchUp` reads what is new; the database's notification, and a timer in case one is lost, call it.
 *
 * Time is part of it: an item is listed from its post date on, and leaves at the instant its rights lapse, without
 * any write.
 */
export class ListingIndex {
  readonly names: NameIndex
  /** The recent changes: the cache asks it whether a response is still valid. */
  readonly changes = new ChangeLog()
  readonly #app: ListingApp
  readonly #memories: ItemMemories
  readonly #columns = new ListingColumns(
    (no) => this.#terms.setOf(no),
    (instant) => this.months.monthOf(instant).place,
  )
  readonly months: Months
  #slugs = new SlugTable()
  #terms = new ItemTerms()
  #counts: ListingCounts
  #version = 0
  #changedAt: string | null = null
  /** When the last of them was seen here. Each has a second of its own, which `Last-Modified` tells apart. */
  #appliedAt = 0
  #generation = 0
  #categoryIds = new Map<string, number>()
  #categoryNames = new Map<number, string>()
  #lapses = new Lapses()
  /** When rights last lapsed, or this began. */
  #lapsedAt = 0
  #catchingUp: Promise<void> | undefined
  #again = false
  /** When the database last said what is in it, by the process's own clock. */
  #confirmedAt = -Infinity
  #maxAgeMs = Infinity

  constructor(app: ListingApp, memories: ItemMemories) {
    this.#app = app
    this.#memories = memories
    this.names = new NameIndex(mergeInWorker(app.log))
    this.months = new Months(app.config.timeZone)
    this.#counts = new ListingCounts(this.#columns, this.#terms)
  }

  /** Raised by every change of what is listed; the same on every instance that has caught up. */
  get version(): number {
    return this.#version
  }

  /**
   * Whether this may be shown: what another process has removed is gone from here within
   * `SERVE_WITHOUT_DATABASE_SECONDS`, also while the database cannot say that it was.
   */
  get isCurrent(): boolean {
    return performance.now() - this.#confirmedAt <= this.#maxAgeMs
  }

  /** To be called where other processes write to the same database. */
  expireAfter(ms: number): void {
    this.#maxAgeMs = ms
  }

  /** @throws {AppError} `database.unavailable`, 503, when this may not be shown any more */
  assertCurrent(): void {
    if (!this.isCurrent) throw databaseUnavailable()
  }

  /** Raised whenever positions or facets may have changed, also by time alone. */
  get generation(): number {
    return this.#generation
  }

  /** The id of a category by its name, without regard to case. */
  categoryId(name: string): number | undefined {
    return this.#categoryIds.get(name.toLowerCase())
  }

  /** The name of a category; empty for an unknown one. */
  categoryName(id: number): string {
    return this.#categoryNames.get(id) ?? ''
  }

  /** The items that are listed now for a viewer and posted in the given span of instants; without those of early access. */
  range(viewer: Viewer, fromInstant = -Infinity, toInstant = Infinity): ItemRange {
    return this.ranges(viewer, fromInstant, toInstant).listed
  }

  /**
   * The same, and the span of early access behind it (docs/spec/catalogue.md#early-access), both at one instant. The span
   * holds what is ahead, of every type: a mask picks the free ones.
   */
  ranges(viewer: Viewer, fromInstant: number, toInstant: number): { listed: ItemRange; early: ItemRange; now: number } {
    this.assertCurrent()
    const time = listingTime(this.#app)
    const { now, earlyAccessMs } = time
    this.#dropLapsed(now)
    const until = listedUntil({ isVip: true }, viewer, time)
    return {
      listed: this.#columns.range(fromInstant, Math.min(toInstant, until + aMicrosecond)),
      early: this.#columns.range(
        Math.max(fromInstant, now + aMicrosecond),
        Math.min(toInstant, now + earlyAccessMs + aMicrosecond),
      ),
      now,
    }
  }

  /** The listing itself, to read. */
  get columns(): Omit<ListingColumns, 'load' | 'save' | 'restore' | 'change' | 'changeSet'> {
    return this.#columns
  }

  /** How many items are published, those ahead among them. */
  get length(): number {
    return this.#columns.length
  }

  isListed(itemNumber: number, viewer: Viewer): boolean {
    this.assertCurrent()
    const time = listingTime(this.#app)
    this.#dropLapsed(time.now)
    const item = this.#columns.item(itemNumber)
    if (item === undefined) return false
    const isVip = matchesFacets(item.facets, vip)
    // The columns hold published items only, without those whose rights have lapsed.
    return isListed({ isPublished: true, isVip, postedAt: item.postedAt, lapsesAt: null }, viewer, time)
  }

  /**
   * Until when the same query of anybody has the same answer, if nobody writes: the next post date, beginning of early
   * access or lapse ahead.
   */
  unchangedUntil(): number {
    const { listed, early } = this.ranges(anonymous, -Infinity, Infinity)
    const scheduled = this.#columns.postedAtPosition(listed.to) ?? Infinity
    const nextEarly = (this.#columns.postedAtPosition(early.to) ?? Infinity) - listingTime(this.#app).earlyAccessMs
    return Math.min(scheduled, nextEarly, this.#lapses.next)
  }

  /**
   * The free items that are listed now for everybody, in the order of their numbers: the `skip`th and those that follow it, and
   * how many there are.
   * @throws {AppError} `database.unavailable`, 503, when this may not be shown any more
   */
  freeByNumber(page: { skip: number; limit: number }): { numbers: number[]; total: number } {
    this.assertCurrent()
    const { now } = listingTime(this.#app)
    this.#dropLapsed(now)
    return this.#columns.byNumber(now + aMicrosecond, free, page)
  }

  /**
   * Not before the last change of what is listed, in milliseconds since 1970: a write, a post date that has come, or rights that
   * have lapsed. A lapse while no process ran counts from the start.
   */
  lastChangedAt(): number {
    const { listed } = this.ranges(anonymous, -Infinity, Infinity)
    const newest = this.#columns.postedAtPosition(listed.to - 1) ?? 0
    return Math.max(this.#appliedAt, newest, this.#lapsedAt)
  }

  /** An item as it is listed, also one whose post date lies ahead. */
  item(no: number): ListedItem | undefined {
    return this.#columns.item(no)
  }

  /** The counts of all items posted by an instant (`ranges`), and the position behind them. */
  countsAt(now: number): ReturnType<ListingCounts['before']> {
    return this.#counts.before(now + aMicrosecond)
  }

  /** The same counts by cell, of all items or of those with one of some sets. */
  countCells(sets?: Uint32Array): Uint32Array {
    return this.#counts.countCells(sets)
  }

  /** The values by which items are found whole. */
  get terms(): ItemTerms {
    return this.#terms
  }

  /** The numbers of the published items that may have this slug. */
  numbersOf(slug: string): number[] {
    return this.#slugs.numbersOf(slug)
  }

  /** The numbers of all items that are published and whose rights have not lapsed: type by type, each newest first. */
  allNumbers(): number[] {
    return contentTypes.flatMap((contentType) =>
      this.#columns.page({ from: 0, to: this.length }, facetMask({ contentType }), false, 0, this.length),
    )
  }

  async load(whileReading?: () => void): Promise<void> {
    const requestedAt = performance.now()
    const packed = await readListing(this.#app, whileReading)
    this.#terms = packed.terms
    this.#columns.load(packed.items)
    this.#lapses = new Lapses(packed.lapses)
    this.#slugs = packed.slugs
    this.#memories.reset()
    this.names.load(packed.names)
    this.#begin(packed, packed, requestedAt)
  }

  /** Copies of everything at this version. */
  save(): SavedListing {
    return {
      version: this.#version,
      changedAt: this.#changedAt,
      savedAt: this.#app.clock.now(),
      lapses: this.#lapses.save(),
      columns: this.#columns.save(),
      names: this.names.save(),
      slugs: this.#slugs.save(),
      terms: this.#terms.save(),
    }
  }

  /** Begins with what was saved, and reads what has changed since. */
  async restore(saved: SavedListing): Promise<void> {
    const requestedAt = performance.now()
    const settings = await readSettings(this.#app.db, this.#app)
    this.#terms = new ItemTerms(saved.terms)
    this.#columns.restore(saved.columns)
    this.#lapses = new Lapses(saved.lapses)
    this.#slugs = new SlugTable(saved.slugs)
    this.names.restore(saved.names)
    this.#begin(settings, saved, requestedAt)
    await this.catchUp()
  }

  #begin(
    settings: Awaited<ReturnType<typeof readSettings>>,
    { version, changedAt }: Pick<SavedListing, 'version' | 'changedAt'>,
    requestedAt: number,
  ): void {
    this.#app.gateway.use(settings.gateway, settings.isIdle)
    this.#app.texts.use(settings.texts)
    this.#app.rehearsal.use(settings.isRehearsal)
    this.#setCategories(settings.categories)
    this.#counts = new ListingCounts(this.#columns, this.#terms)
    this.countsAt(this.#app.clock.now())
    this.#generation += 1
    this.#version = version
    this.#changedAt = changedAt
    this.#appliedAt = Math.max(this.#appliedAt + 1_000, this.#app.clock.now())
    this.#lapsedAt = this.#app.clock.now()
    this.changes.reset(version)
    this.#confirmedAt = requestedAt
  }

  /**
   * Brings the listing to the newest committed state. A call during a run waits for another run, so that a
   * change that was just committed is in the listing once this resolves.
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
    const requestedAt = performance.now()
    const found = await readChanges(this.#app, { version: this.#version, changedAt: this.#changedAt })
    if (found === 'lost') return this.load()
    if (found === 'none') {
      this.#confirmedAt = requestedAt
      return
    }
    const { version, changedAt, touched, rows, categories, settings } = found
    const keepRead = await this.#memories.read(touched)
    // From here to the end nothing waits: a reader sees the old state or the new one.
    if (settings !== undefined) {
      this.#app.gateway.use(settings.gateway, settings.isIdle)
      this.#app.texts.use(settings.texts)
      this.#app.rehearsal.use(settings.isRehearsal)
    }
    const left = new Set(touched)
    for (const row of rows) left.delete(row.no)
    const itemChanges = compareItems(found, {
      listed: (no) => this.#columns.item(no),
      nameOf: (no) => this.names.textOf(no),
      lapseOf: this.#lapses.endsOf(touched),
      now: this.#app.clock.now(),
    })
    const edited = new Set(itemChanges.flatMap(({ no, isOfLinksOnly }) => (isOfLinksOnly ? [] : [no])))
    this.#counts.change(touched, -1)
    for (const { no, terms } of rows) this.#terms.set(no, termsIn(terms))
    for (const no of left) this.#terms.set(no, [])
    for (const no of touched) this.#columns.changeSet(no)
    const moved = itemChanges.filter(({ before, after }) => !isSamePlace(before, after))
    if (moved.length > 0) {
      this.#columns.change(
        moved.map(({ no }) => no),
        moved.flatMap(({ after }) => after ?? []),
      )
      this.#generation += 1
    }
    if (itemChanges.some(({ isTimed }) => isTimed)) this.#lapses.change(touched, rows)
    for (const { no, slug } of rows) this.#slugs.add(no, slug)
    this.#counts.change(touched, 1)
    this.#memories.change(
      [...edited],
      touched.filter((no) => !edited.has(no)),
    )
    keepRead()
    this.names.change([...rows, ...Array.from(left, (no) => ({ no, searched: undefined }))])
    this.#setCategories(categories)
    this.changes.note(version, itemChanges)
    this.#version = version
    this.#changedAt = changedAt
    this.#appliedAt = Math.max(this.#appliedAt + 1_000, this.#app.clock.now())
    this.#confirmedAt = requestedAt
  }

  #setCategories(categories: { id: number; name: string }[]): void {
    this.#categoryIds = new Map(categories.map(({ id, name }) => [name.toLowerCase(), id]))
    this.#categoryNames = new Map(categories.map(({ id, name }) => [id, name]))
  }

  #dropLapsed(now: number): void {
    const numbers = this.#lapses.takeUntil(now)
    if (numbers.length === 0) return
    this.#lapsedAt = now
    this.#counts.change(numbers, -1)
    this.#columns.change(numbers, [])
    this.#generation += 1
  }
}
