import { notFound } from '../../../http/match.ts'
import { periodInWords } from '../../../platform/time/period-in-words.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import type { IndexQuery } from '../../catalogue/index/catalogue-index.server.ts'
import type { SingleItem } from '../../catalogue/index/single-items.server.ts'
import { languageName } from '../../catalogue/item/languages.ts'
import { endOfAt } from '../../catalogue/search/end-of-at.ts'
import { readSearchQuery } from '../../catalogue/search/read-search-query.ts'
import { type Facets, searchFacets } from '../../catalogue/search/search-facets.server.ts'
import { toIndexQuery } from '../../catalogue/search/search-items.server.ts'
import { freeShelves } from '../../catalogue/shelves/free-shelves.ts'
import type { Shelf } from '../../catalogue/shelves/shelf.ts'
import { vipShelves } from '../../catalogue/shelves/vip-shelves.ts'
import { canAccess } from '../../office/viewer/can-access.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import {
  type AcquisitionFeed,
  entriesWith,
  type NavigationEntry,
  type NavigationFeed,
  rels,
  signInAddress,
} from './feed.ts'
import { publicationOf } from './publications.server.ts'

const perPage = 100
/** Made once: it takes longer than a list. */
const alphabet = new Intl.Collator('en', { numeric: true })
/** More volumes of one series are not put in order, but stand as they came. */
const mostVolumes = 2_000

const navigationTitles = {
  creators: 'Creators',
  series: 'Series',
  categories: 'Categories',
  languages: 'Languages',
  months: 'Months',
} as const
export type NavigationList = keyof typeof navigationTitles
export const navigationLists = Object.keys(navigationTitles) as NavigationList[]

/** A reader of the catalogues is a VIP or not: nothing else of a member counts here. */
export function asReader(viewer: Viewer): Viewer {
  return { ...viewer, roles: new Set(canAccess('vip', viewer) ? ['vip'] : []) }
}

/** The first feed, which leads to all others. */
export async function readRoot(app: SiteApp, viewer: Viewer): Promise<NavigationFeed> {
  const { shelves, total } = facetsOf(app, viewer)
  const counts = new Map(shelves.map(({ name, count }) => [name, count]))
  const shelvesShown = Array.from(shelvesOf(viewer), ([name, shelf]): NavigationEntry => ({
    title: shelf.name,
    address: entriesWith('shelf', name),
    rel: rels.subsection,
    leadsTo: 'acquisition',
    count: counts.get(name) ?? 0,
  }))
  const entries: NavigationEntry[] = [
    { title: 'Newest', address: '/entries', rel: rels.newest, leadsTo: 'acquisition', count: total },
    ...shelvesShown,
    ...navigationLists.map((list): NavigationEntry => ({
      title: navigationTitles[list],
      address: `/${list}`,
      rel: rels.subsection,
      leadsTo: 'navigation',
    })),
  ]
  const offersSignIn = viewer.member === undefined
  if (offersSignIn)
    entries.push({ title: 'Sign in', address: signInAddress, rel: rels.subsection, leadsTo: 'navigation' })
  return {
    ...(await navigation(app, viewer, {
      title: app.texts.inForce.brandName,
      address: '',
      entries,
      ...pageOf(entries.length, 1),
    })),
    up: undefined,
    offersSignIn,
  }
}

export async function readNavigation(
  app: SiteApp,
  viewer: Viewer,
  { list, page }: { list: NavigationList; page: number },
): Promise<NavigationFeed> {
  const { parameter, names, titleOf = (name: string) => name } = namesOf(app, viewer, list)
  // Thousands of names: words and addresses are made for those of the page.
  const entries = names.slice((page - 1) * perPage, page * perPage).map(({ name, count }): NavigationEntry => ({
    title: titleOf(name),
    address: entriesWith(parameter, name),
    rel: rels.subsection,
    leadsTo: 'acquisition',
    count,
  }))
  return navigation(app, viewer, {
    title: navigationTitles[list],
    address: `/${list}`,
    entries,
    ...pageOf(names.length, page),
  })
}

async function navigation(
  app: SiteApp,
  viewer: Viewer,
  feed: Pick<NavigationFeed, 'title' | 'address' | 'page' | 'pages' | 'perPage' | 'total' | 'entries'>,
): Promise<NavigationFeed> {
  return { kind: 'navigation', up: '', updated: await newestOf(app, viewer), offersSignIn: false, ...feed }
}

interface Names {
  parameter: string
  names: readonly { name: string; count: number }[]
  titleOf?: (name: string) => string
}

function namesOf(app: SiteApp, viewer: Viewer, list: NavigationList): Names {
  switch (list) {
    case 'creators':
      return { parameter: 'creator', names: app.listing.countNames('creator', viewer) }
    case 'series':
      return { parameter: 'series', names: app.listing.countNames('series', viewer) }
    case 'categories':
      return { parameter: 'category', names: inOrder(facetsOf(app, viewer).categories) }
    case 'languages':
      return {
        parameter: 'language',
        names: inOrder(facetsOf(app, viewer).languages, languageName),
        titleOf: languageName,
      }
    case 'months':
      return { parameter: 'month', names: monthsIn(facetsOf(app, viewer)), titleOf: monthInWords }
  }
}

function monthsIn({ years }: Facets): Names['names'] {
  return years.flatMap(({ year, months: ofYear }) =>
    ofYear.map(({ month, count }) => ({
      name: `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`,
      count,
    })),
  )
}

function inOrder(names: Names['names'], titleOf = (name: string) => name): Names['names'] {
  return names.toSorted((a, b) => alphabet.compare(titleOf(a.name), titleOf(b.name)))
}

const monthInWords = (month: string) => periodInWords(month, 'long')

export interface EntriesQuery {
  page: number
  query: string
  shelf?: string | undefined
  /** `YYYY-MM` */
  month?: string | undefined
  creator?: string | undefined
  series?: string | undefined
  category?: string | undefined
  language?: string | undefined
  tag?: string | undefined
}

const ways: readonly { name: keyof EntriesQuery; up: string }[] = [
  { name: 'creator', up: '/creators' },
  { name: 'series', up: '/series' },
  { name: 'category', up: '/categories' },
  { name: 'language', up: '/languages' },
  { name: 'month', up: '/months' },
]

/**
 * Entries with their downloads, newest first; those of a series in its order, and those of a search by how well they answer it.
 * @throws {AppError} `not_found`, 404, for a shelf that this reader has not, for a value that no entry has, and beyond the last page;
 *   `search.parameter`, 400
 */
export async function readEntries(app: SiteApp, viewer: Viewer, asked: EntriesQuery): Promise<AcquisitionFeed> {
  const { page, ...parameters } = asked
  const { query, shelf, month, ...values } = parameters
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '') as [
    string,
    string,
  ][]
  const listed = shelf === undefined ? undefined : shelvesOf(viewer).get(shelf)
  const ofShelf = listed?.parameters(false) ?? {}
  const isOther = ofShelf['category']?.toLowerCase() !== (values.category ?? ofShelf['category'])?.toLowerCase()
  if (shelf !== undefined && (listed === undefined || isOther)) throw notFound()
  const search = readSearchQuery(
    new URLSearchParams({
      ...ofShelf,
      ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
      ...(query === '' ? {} : { search: query, sortBy: 'fit' }),
    }),
  )
  const { timeZone } = app.config
  const span = month === undefined ? {} : { from: startOfDay(`${month}-01`, timeZone), to: endOfAt(month, timeZone) }
  const { total, found } = await find(
    app,
    viewer,
    { ...toIndexQuery(app, search), ...span },
    page,
    asked.series !== undefined,
  )
  if (total === 0 && given.some(([name]) => name !== 'query' && name !== 'shelf')) throw notFound()
  const publications = found.map((item) => publicationOf(app, viewer, item))
  const way = ways.find(({ name }) => asked[name] !== undefined)
  return {
    kind: 'acquisition',
    title: titleOf(asked, listed?.name),
    address: given.length === 0 ? '/entries' : `/entries?${new URLSearchParams(given).toString()}`,
    up: way?.up ?? '',
    updated:
      publications
        .map(({ updated }) => updated)
        .sort()
        .at(-1) ?? (await newestOf(app, viewer)),
    ...pageOf(total, page),
    publications,
  }
}

export async function readEntry(app: SiteApp, viewer: Viewer, slug: string) {
  const found = await app.listing.findItem(slug, viewer)
  if (found === undefined) throw notFound()
  return publicationOf(app, viewer, found)
}

async function find(
  app: SiteApp,
  viewer: Viewer,
  query: IndexQuery,
  page: number,
  isSeries: boolean,
): Promise<{ total: number; found: SingleItem[] }> {
  const skip = (page - 1) * perPage
  const { listing } = app
  const volumes = isSeries ? listing.search({ ...query, limit: mostVolumes }, viewer) : undefined
  if (volumes !== undefined && volumes.total <= mostVolumes) {
    const inOrder = (await listing.findItems(volumes.itemNumbers, viewer)).sort(byVolume)
    return { total: volumes.total, found: inOrder.slice(skip, skip + perPage) }
  }
  const { total, itemNumbers } = listing.search({ ...query, skip, limit: perPage }, viewer)
  return { total, found: await listing.findItems(itemNumbers, viewer) }
}

function byVolume({ item: a }: SingleItem, { item: b }: SingleItem): number {
  const [one, other] = [a.seriesNumber ?? Infinity, b.seriesNumber ?? Infinity]
  // Infinity less itself is no number.
  return (one === other ? 0 : one - other) || alphabet.compare(a.name, b.name)
}

function titleOf(asked: EntriesQuery, shelf: string | undefined): string {
  const { query, month, creator, series, category, language, tag } = asked
  const parts = [
    shelf,
    creator,
    series,
    category,
    language === undefined ? undefined : languageName(language),
    month === undefined ? undefined : monthInWords(month),
    tag,
    query === '' ? undefined : `Search: ${query}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? 'Newest' : parts.join(', ')
}

/** The shelves that a reader has, by their names in addresses. */
function shelvesOf(viewer: Viewer): Map<string, Pick<Shelf, 'name' | 'parameters'>> {
  const free = Object.entries<Pick<Shelf, 'name' | 'parameters'>>(freeShelves)
  return new Map(canAccess('vip', viewer) ? [...free, ...Object.entries(vipShelves), vipFirst] : free)
}

const vipFirst = ['vip-first', { name: 'VIP first', parameters: () => ({ shelf: 'vip-first' }) }] as const

function facetsOf(app: SiteApp, viewer: Viewer): Facets {
  return searchFacets(app, viewer, readSearchQuery(new URLSearchParams())).facets
}

/** When the newest entry that a reader sees was posted. */
async function newestOf(app: SiteApp, viewer: Viewer): Promise<string> {
  const all = toIndexQuery(app, readSearchQuery(new URLSearchParams()))
  const { itemNumbers } = app.listing.search({ ...all, limit: 1 }, viewer)
  const [newest] = await app.listing.readItems(itemNumbers, viewer)
  return new Date(newest?.postedAt ?? 0).toISOString()
}

/** @throws {AppError} `not_found`, 404, beyond the last page */
function pageOf(total: number, page: number) {
  const pages = Math.max(1, Math.ceil(total / perPage))
  if (page > pages) throw notFound()
  return { page, pages, total, perPage }
}
