import type { CatalogueApp } from '../app.ts'
import { addDays, dayOf } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import { canAccess } from '../../office/viewer/can-access.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { IndexQuery, IndexResult } from '../index/catalogue-index.server.ts'
import type { SerializedItem } from '../index/serialized-items.server.ts'
import type { ContentType, Region } from '../item/content-type.ts'
import type { DateFilter } from '../item/listing.ts'
import type { TermQuery } from '../item/terms.ts'
import type { VipShelfName } from '../item/vip-shelf.ts'
import { endOfAt } from './end-of-at.ts'

export interface SearchQuery {
  /** From 1. */
  page: number
  /** 1 to 300. */
  limit: number
  ascending: boolean
  /** By how well they answer the text, in place of an order by time. */
  byFit?: boolean
  /** As typed; '' for none. */
  text: string
  /** Name of a category, without regard to case. */
  category?: string
  terms?: TermQuery
  /** A year, a month or a day, in place of a page: that which holds the first item not after its end. */
  at?: string
  /** 1 to 12, of any year. */
  month?: number
  dateFilter?: DateFilter
  contentType?: ContentType
  region?: Region
  /** Whether only VIP or only free types are asked for. */
  isVip?: boolean
  shelf?: VipShelfName
  /** Whether it is to be answered where the text was found. */
  withMarks?: boolean
}

export interface SearchResult extends IndexResult {
  /** From 1. */
  page: number
  totalPages: number
}

/**
 * Finds the visible items that answer a query (docs/spec/search.md#answer). VIP types are found only for a VIP;
 * whether the caller may ask for them is checked before; here they are simply not there.
 */
export function searchItems(app: CatalogueApp, viewer: Viewer, query: SearchQuery): SearchResult {
  const { limit, at } = query
  const inIndex = toIndexQuery(app, query)
  const page = at === undefined ? query.page : pageAt(app, viewer, { query: inIndex, limit, at })
  const result = app.listing.search(
    { ...inIndex, skip: (page - 1) * limit, limit, isPageOfInstant: at !== undefined },
    viewer,
  )
  return { ...result, page, totalPages: Math.ceil(result.total / limit) }
}

export function toIndexQuery(app: CatalogueApp, { dateFilter, ...rest }: SearchQuery): IndexQuery {
  return { ...rest, ...requestedSpan(app, dateFilter), skip: 0 }
}

/** The page of the first match that is not after the end of a year, month or day; the last where all are. */
function pageAt(
  app: CatalogueApp,
  viewer: Viewer,
  { query, limit, at }: { query: IndexQuery; limit: number; at: string },
): number {
  const count = (from: number): number =>
    app.listing.search({ ...query, from: Math.max(query.from, from), limit: 0 }, viewer).total
  const [later, total] = [count(endOfAt(at, app.config.timeZone)), count(-Infinity)]
  const before = query.ascending ? total - later - 1 : Math.min(later, total - 1)
  return Math.floor(Math.max(0, before) / limit) + 1
}

export interface SearchPage extends SearchResult {
  items: SerializedItem[]
  nearestItems: SerializedItem[] | undefined
}

/**
 * The same with the items. One that the image lacks is read from the database, which may be newer: where it is no more there, the
 * listing is brought up to date and searched again.
 * @param allocate gives the memory of the rows, to a caller who keeps none of them
 */
export async function searchPage(
  app: CatalogueApp,
  viewer: Viewer,
  query: SearchQuery,
  allocate?: (size: number) => Buffer,
): Promise<SearchPage> {
  for (let isLast = false; ; isLast = true) {
    const result = searchItems(app, viewer, query)
    const items = await app.listing.readItems(result.itemNumbers, viewer, allocate)
    const nearestItems = result.nearest && (await app.listing.readItems(result.nearest, viewer, allocate))
    if (isLast || items.length === result.itemNumbers.length) return { ...result, items, nearestItems }
    await app.listing.catchUp()
  }
}

/** Counts a search without a result, for whoever asks from this address. */
export type MissCounter = (callerAddress: string) => void

/**
 * A function to call each time the answer is sent, to count a search without a result. Undefined for any other. A
 * further page is the same search. With a filter, the filter may be the cause: the text does not count as missed then.
 */
export function missCounter(
  { searchMisses }: Pick<CatalogueApp, 'searchMisses'>,
  viewer: Viewer,
  query: SearchQuery,
  total: number,
): MissCounter | undefined {
  const { text, page, isVip } = query
  if (text === '' || total > 0 || page > 1 || hasFilter(query)) return undefined
  const tier = canAccess('vip', viewer) && isVip !== false ? 'vip' : 'free'
  return (callerAddress) => searchMisses.count({ text, tier, callerAddress })
}

/** Whether anything but the text and the tier narrows the search. The shelf of VIP Unknown searches every VIP type. */
function hasFilter({ category, terms, month, dateFilter, contentType, region, shelf }: SearchQuery): boolean {
  const filters = [category, terms, month, dateFilter, contentType, region]
  return shelf === 'vip-banned' || shelf === 'vip-first' || filters.some((filter) => filter !== undefined)
}

/** The post dates asked for, from one instant (inclusive) to another (exclusive), also those that lie ahead. */
function requestedSpan(app: CatalogueApp, dateFilter: DateFilter | undefined): { from: number; to: number } {
  const { timeZone } = app.config
  const today = dayOf(app.clock.now(), timeZone)
  const start = (day: string): number => startOfDay(day, timeZone)
  switch (dateFilter) {
    case undefined:
      return { from: -Infinity, to: Infinity }
    case 'today':
      return { from: start(today), to: start(addDays(today, 1)) }
    case 'yesterday':
      return { from: start(addDays(today, -1)), to: start(today) }
    case '7days':
      return { from: start(addDays(today, -6)), to: start(addDays(today, 1)) }
  }
}
