import { addDays, dayOf } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import type { Scope } from '../../../http/cache/response-cache.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import type { IndexQuery } from '../index/catalogue-index.server.ts'
import type { SerializedItem } from '../index/serialized-items.server.ts'
import type { SingleItem } from '../index/single-items.server.ts'
import { isVipType } from '../item/content-type.ts'
import type { NearEntry, Neighbours } from '../item/neighbours-schema.ts'
import { pathOfAnyItem, vipItemPath } from '../item/vip-page.ts'
import { readSearchQuery } from '../search/read-search-query.ts'
import type { Shelf } from '../shelves/shelf.ts'

/** How many entries a list of neighbours shows. */
const shown = 6
/** How many creators are asked for others of theirs. */
const askedCreators = 3
/** How many volumes are read to put a series in order, and how many are shown on each side of this one. */
const readVolumes = 200
const volumesBeside = 12

const all = { text: '', from: -Infinity, to: Infinity, ascending: false, skip: 0 } satisfies Partial<IndexQuery>

/**
 * The surroundings of an item for a viewer, out of the index: what stands next to it in a list, its series, others by its
 * creators, and others of its list of the same day.
 * @returns them, and what they depend on
 */
export async function neighboursOf(
  app: CatalogueApp,
  viewer: Viewer,
  { found, shelf }: { found: SingleItem; shelf: Pick<Shelf, 'parameters'> },
): Promise<{ neighbours: Neighbours; scopes: (Scope | undefined)[] }> {
  const search = new NearSearch(app, viewer, found)
  const list = filtersOf(shelf)
  const { newer, older, scope } = app.listing.around(found.no, list, viewer)
  const [previous, next] = await Promise.all([newer, older].map((no) => search.entry(no)))
  const volumes = await search.volumes()
  const moreBy = await search.moreBy()
  const sameDay = await search.sameDay(list)
  const neighbours: Neighbours = {
    ...(previous === undefined ? {} : { previous }),
    ...(next === undefined ? {} : { next }),
    volumes,
    ...(moreBy === undefined ? {} : { moreBy }),
    ...(sameDay === undefined ? {} : { sameDay }),
  }
  return { neighbours, scopes: [scope, ...search.scopes] }
}

type ListFilters = Pick<IndexQuery, 'category' | 'contentType' | 'isVip' | 'shelf'>

function filtersOf({ parameters }: Pick<Shelf, 'parameters'>): ListFilters {
  const { category, contentType, isVip, shelf } = readSearchQuery(new URLSearchParams(parameters(false)))
  return { category, contentType, isVip, shelf }
}

/** Searches around one item. An entry is offered once. */
class NearSearch {
  readonly scopes: (Scope | undefined)[] = []
  readonly #app: CatalogueApp
  readonly #viewer: Viewer
  readonly #found: SingleItem
  /** All of the item's tier. */
  readonly #tier: ListFilters
  readonly #offered: Set<string>

  constructor(app: CatalogueApp, viewer: Viewer, found: SingleItem) {
    this.#app = app
    this.#viewer = viewer
    this.#found = found
    this.#tier = { isVip: isVipType(found.item.contentType) || app.listing.isVipFirst(found) }
    this.#offered = new Set([found.item.slug])
  }

  async entry(itemNumber: number | undefined): Promise<NearEntry | undefined> {
    if (itemNumber === undefined) return undefined
    const [found] = await this.#app.listing.readItems([itemNumber], this.#viewer)
    return found && entryOf(found)
  }

  async volumes(): Promise<Neighbours['volumes']> {
    const { item } = this.#found
    const { series } = item
    if (series === undefined) return []
    // VIPs have the free volumes, too.
    const found = this.#search({ text: series, terms: { series }, limit: readVolumes })
    const items = await this.#app.listing.findItems(found.itemNumbers, this.#viewer)
    const inOrder = items.sort(
      (a, b) =>
        (a.item.seriesNumber ?? Infinity) - (b.item.seriesNumber ?? Infinity) || (a.item.name < b.item.name ? -1 : 1),
    )
    const at = inOrder.findIndex(({ no }) => no === this.#found.no)
    if (at === -1 || inOrder.length < 2) return []
    const near = [...inOrder.keys()].filter(
      (place) => place === 0 || place === inOrder.length - 1 || Math.abs(place - at) <= volumesBeside,
    )
    for (const each of inOrder) this.#offered.add(each.item.slug)
    return near.map((place, i) => {
      const each = inOrder[place] as SingleItem
      const isBehindGap = i > 0 && near[i - 1] !== place - 1
      const { name, seriesNumber } = each.item
      const path = pathOf({ ...each.item, ...(this.#app.listing.isVipFirst(each) ? { vipFirst: true } : {}) })
      return {
        name,
        path,
        ...(seriesNumber === undefined ? {} : { number: seriesNumber }),
        ...(isBehindGap ? { isBehindGap } : {}),
      }
    })
  }

  /** The first of its creators of whom there is something else. */
  async moreBy(): Promise<Neighbours['moreBy']> {
    for (const creator of (this.#found.item.creators ?? []).slice(0, askedCreators)) {
      const found = await this.#others({ ...this.#tier, text: creator, terms: { creator } })
      if (found !== undefined) return { creator, ...found }
    }
    return undefined
  }

  async sameDay(list: ListFilters): Promise<Neighbours['sameDay']> {
    const { timeZone } = this.#app.config
    const day = dayOf(Date.parse(this.#found.item.postDate), timeZone)
    return this.#others({ ...list, from: startOfDay(day, timeZone), to: startOfDay(addDays(day, 1), timeZone) })
  }

  async #others(query: Partial<IndexQuery>): Promise<Neighbours['sameDay']> {
    const found = this.#search({ ...query, limit: shown + this.#offered.size })
    const read = await this.#app.listing.readItems(found.itemNumbers, this.#viewer)
    const others = read.filter(({ row }) => !this.#offered.has(row.slug))
    const offered = others.slice(0, shown)
    for (const { row } of offered) this.#offered.add(row.slug)
    if (offered.length === 0) return undefined
    return { entries: offered.map(entryOf), hasMore: found.total - (read.length - others.length) > offered.length }
  }

  #search(query: Partial<IndexQuery> & Pick<IndexQuery, 'limit'>) {
    const result = this.#app.listing.search({ ...all, ...query }, this.#viewer)
    this.scopes.push(result.scope)
    return result
  }
}

function entryOf({ row }: SerializedItem): NearEntry {
  const { name, creators } = row
  return { name, path: pathOf(row), ...(creators === undefined ? {} : { creators }) }
}

/** An item of early access is read in the VIP area. */
function pathOf(item: Parameters<typeof pathOfAnyItem>[0] & { vipFirst?: boolean }): string {
  return item.vipFirst === true ? vipItemPath(item) : pathOfAnyItem(item)
}
