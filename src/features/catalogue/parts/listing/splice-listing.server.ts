import type { PageScope } from '../../../../http/pages/page-scope.ts'
import { scriptText, type Texts } from '../../../../http/pages/page-template.ts'
import { dayOf } from '../../../../platform/time/site-time.ts'
import type { CatalogueApp } from '../../app.ts'
import type { FreePage } from '../../item/content-type.ts'
import { type ItemRow, type ListingPage, packPage } from '../../item/listing.ts'
import { listPage } from '../../search/list-page.server.ts'
import { readFilters, unreadFilters, writeFilters } from '../../search/listing-address.ts'
import { freeShelves } from '../../shelves/free-shelves.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import { entriesOf } from '../list/by-day.ts'
import { countNew } from '../list/count-new.ts'
import { daysHtml } from '../list/entry-html.ts'
import { pageAfter } from '../list/list-query.ts'

/** Numbers that stand for those of a page where its template is rendered. */
const standInTotal = 918_273_645
const standInPage = 987_653

/** From here on a page differs from its neighbours in its numbers alone; the first page has none in its address. */
const firstLikeOthers = 3

/** A page of a free list as texts for a template. */
export interface SplicedListing {
  /** All of the list that the page depends on beside its texts. */
  key: string
  texts: Texts
  standIns: Texts
  search: string
  page: ListingPage
}

/**
 * Reads the page of a free list that an address asks for, for a template of its shelf
 * (docs/decisions/2026-11-28-pages-by-splicing.md).
 * @param pattern of the page
 * @returns undefined for a page that is no such list, for a search and for a list without rows
 */
export async function spliceListing(
  app: CatalogueApp,
  { pattern, search }: { pattern: string; search: string },
  dependencies: Pick<PageScope, 'state'>,
): Promise<SplicedListing | undefined> {
  const section = pattern.slice(1) as FreePage
  if (!Object.hasOwn(freeShelves, section)) return undefined
  const shelf = freeShelves[section]
  // A text or a name is seldom asked for again: a template for it would only take the place of another.
  const asked = readFilters(shelf, search)
  if ([asked.search, asked.creator, asked.series, asked.tag].some((text) => text !== '')) return undefined
  if (asked.at !== '' || unreadFilters(shelf, search).length > 0) return undefined
  const { page, scopes } = await listPage(app, { shelf, search })
  if (page.rows.length === 0) return undefined
  for (const scope of scopes) dependencies.state(scope)
  const { filters, total } = page
  const isFar = filters.page >= firstLikeOthers
  const hasMore = pageAfter({ ...page, page: filters.page }) !== undefined
  const categories = [...new Set(page.rows.map(({ category }) => category))].sort()
  const shown = isFar ? standInPage : filters.page
  const standIn: ListingPage = {
    ...page,
    filters: { ...filters, page: shown },
    total: total > 1 ? standInTotal : total,
    totalPages: hasMore ? shown + 1 : shown,
    rows: categories.map(standInRow),
  }
  const today = dayOf(app.clock.now(), app.config.timeZone)
  const textsOf = (from: ListingPage): Texts => textsOfPage(from, { shelf, today, isFar, hasMore })
  return {
    key: JSON.stringify([{ ...filters, page: isFar ? 0 : shown }, total > 1, hasMore, categories, page.firstYear]),
    texts: textsOf(page),
    standIns: textsOf(standIn),
    search: isFar ? withPage(search, standInPage) : search,
    page: standIn,
  }
}

/** One for each category: the menu of the toolbar offers them. */
function standInRow(category: string, index: number): ItemRow {
  return { name: `Stand-in ${index}`, slug: `stand-in-${index}`, category, contentType: 'asian', day: '' }
}

function textsOfPage(
  page: ListingPage,
  { shelf, today, isFar, hasMore }: { shelf: Shelf; today: string; isFar: boolean; hasMore: boolean },
): Texts {
  const { filters, rows, total } = page
  const { days } = entriesOf([page])
  const newest = countNew(writeFilters(filters), rows, today)
  return {
    rows: daysHtml(days, newest, shelf.row),
    data: scriptText(packPage(page).rows),
    ...(total > 1 ? { total: total.toLocaleString('en-US') } : {}),
    ...(isFar ? { before: String(filters.page - 1), page: String(filters.page) } : {}),
    ...(isFar && hasMore ? { after: String(filters.page + 1) } : {}),
  }
}

function withPage(search: string, page: number): string {
  const query = new URLSearchParams(search)
  query.set('page', String(page))
  return `?${query.toString()}`
}
