import type { Scope } from '../../../http/cache/response-cache.ts'
import type { ChangeLog, ItemChange } from './change-log.ts'
import { type FacetMask, matchesFacets } from '../item/facets.ts'
import { compareListed, type ListedItem } from './item-columns.ts'

/*
 * The dependencies of the catalogue's responses. A scope may call an answer touched that is not: then it is computed
 * anew. It must never call one untouched that would now be another
 * (docs/decisions/2026-11-22-scopes-of-kept-answers.md).
 */

/** The part of the listing that scopes use. */
interface Listing {
  readonly changes: ChangeLog
  categoryId(name: string): number | undefined
}

/** In the change feed, in place of an item: the settings of the gateway, which every item's page depends on, and the texts of the site. */
export const settingsItemNumber = 0

/** The administrators' settings for the whole site. */
export class SettingsScope implements Scope {
  readonly #listing: Listing

  constructor(listing: Listing) {
    this.#listing = listing
  }

  isTouchedSince(version: number): boolean {
    return this.#listing.changes.hasSince(version, ({ no }) => no === settingsItemNumber)
  }
}

export class ItemScope implements Scope {
  readonly #listing: Listing
  readonly #itemNumber: number

  constructor(listing: Listing, no: number) {
    this.#listing = listing
    this.#itemNumber = no
  }

  isTouchedSince(version: number): boolean {
    return this.#listing.changes.hasSince(version, ({ no }) => no === this.#itemNumber || no === settingsItemNumber)
  }
}

/** A part of the items in the order of their numbers: what stands behind it changes nothing in it. */
export class NumbersScope implements Scope {
  readonly #listing: Listing
  readonly #last: number

  constructor(listing: Listing, last: number) {
    this.#listing = listing
    this.#last = last
  }

  isTouchedSince(version: number): boolean {
    return this.#listing.changes.hasSince(version, ({ no, isOfLinksOnly }) => !isOfLinksOnly && no <= this.#last)
  }
}

export interface ListQuery {
  /** Undefined: nothing can match. */
  mask: FacetMask | undefined
  /** The span of post dates asked for, whether or not they lie ahead. */
  from: number
  to: number
  /** Folded; a match has all of them in its name. */
  words: readonly string[]
  /**
   * Whether any change of a match may be a change of the page: where its order is by fit, its rows are found by terms too, or which
   * page it is hangs on an instant.
   */
  isAnyChangeOne: boolean
  /** The categories asked for by their names, and the ids that these names had. */
  categories: readonly { name: string; id: number | undefined }[]
}

/** The nearest names to a text that nothing matched. */
export interface NearestQuery {
  mask: FacetMask
  /** Parts of the text: names without any of them are not among the nearest. */
  parts: readonly string[]
}

/** One page of a list with its total. */
export class ListScope implements Scope {
  readonly #listing: Listing
  readonly #query: ListQuery
  /** First and last of its rows in the order of the listing; undefined when it has none. */
  readonly #ends: readonly [ListedItem, ListedItem] | undefined
  readonly #nearest: NearestQuery | undefined

  /** @param ends one end of the page's rows and the other */
  constructor(
    listing: Listing,
    query: ListQuery,
    ends: readonly [ListedItem, ListedItem] | undefined,
    nearest?: NearestQuery,
  ) {
    this.#listing = listing
    this.#query = query
    this.#ends = ends !== undefined && compareListed(ends[0], ends[1]) > 0 ? [ends[1], ends[0]] : ends
    this.#nearest = nearest
  }

  isTouchedSince(version: number): boolean {
    const { categories } = this.#query
    // A category that was made meanwhile, or made again, is another one than was asked.
    if (categories.some(({ name, id }) => this.#listing.categoryId(name) !== id)) return true
    return this.#listing.changes.hasSince(version, (change) => this.#isTouchedBy(change))
  }

  #isTouchedBy(change: ItemChange): boolean {
    if (change.isOfLinksOnly) return false
    return this.#isListTouchedBy(change) || this.#areNearestTouchedBy(change)
  }

  #isListTouchedBy({ before, after, isTimed, names }: ItemChange): boolean {
    const { words } = this.#query
    const wasIn = this.#requestsFor(before)
    const isIn = this.#requestsFor(after)
    if (!wasIn && !isIn) return false
    if (words.length > 0) {
      const matching = names.filter((name) => words.every((word) => name.includes(word))).length
      if (matching === 0) return false
      // It has become a match, or is none any longer.
      if (matching !== names.length) return true
    }
    if (this.#query.isAnyChangeOne) return true
    // The total.
    if (before === undefined || after === undefined || wasIn !== isIn || isTimed) return true
    // An item outside of the page that stays on the same side of it moves nothing in it.
    const side = this.#sideOf(after)
    return side === 0 || side !== this.#sideOf(before)
  }

  #requestsFor(item: ListedItem | undefined): boolean {
    const { mask, from, to } = this.#query
    return (
      item !== undefined &&
      mask !== undefined &&
      matchesFacets(item.facets, mask) &&
      item.postedAt >= from &&
      item.postedAt < to
    )
  }

  /** 0: among the rows of the page. */
  #sideOf(item: ListedItem): number {
    if (this.#ends === undefined) return 1
    const [first, last] = this.#ends
    if (compareListed(item, first) < 0) return -1
    return compareListed(item, last) > 0 ? 1 : 0
  }

  #areNearestTouchedBy(change: ItemChange): boolean {
    if (this.#nearest === undefined) return false
    const { mask, parts } = this.#nearest
    const isOfTier = (item: ListedItem | undefined): boolean => item !== undefined && matchesFacets(item.facets, mask)
    return (isOfTier(change.before) || isOfTier(change.after)) && change.hasSomeOf(parts)
  }
}

/** The rows of a list next to an item. */
export class AroundScope implements Scope {
  readonly #listing: Listing
  readonly #query: Pick<ListQuery, 'mask' | 'categories'>
  readonly #older: ListedItem | undefined
  readonly #newer: ListedItem | undefined

  /** @param ends the rows; undefined where the item is an end of the list */
  constructor(
    listing: Listing,
    query: Pick<ListQuery, 'mask' | 'categories'>,
    ends: { older: ListedItem | undefined; newer: ListedItem | undefined },
  ) {
    this.#listing = listing
    this.#query = query
    this.#older = ends.older
    this.#newer = ends.newer
  }

  isTouchedSince(version: number): boolean {
    const { categories } = this.#query
    if (categories.some(({ name, id }) => this.#listing.categoryId(name) !== id)) return true
    return this.#listing.changes.hasSince(
      version,
      ({ isOfLinksOnly, before, after }) => !isOfLinksOnly && (this.#isBetween(before) || this.#isBetween(after)),
    )
  }

  /** The rows themselves count. */
  #isBetween(item: ListedItem | undefined): boolean {
    const { mask } = this.#query
    if (item === undefined || mask === undefined || !matchesFacets(item.facets, mask)) return false
    return (
      (this.#older === undefined || compareListed(item, this.#older) >= 0) &&
      (this.#newer === undefined || compareListed(item, this.#newer) <= 0)
    )
  }
}
