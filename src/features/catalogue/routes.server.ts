import { z } from 'zod'
import type { CachedResponse } from '../../http/cache/cached-response.ts'
import { declareRoutes, type Route, type RouteReply } from '../../http/route.ts'
import { defineError } from '../../platform/errors.ts'
import { canAccess } from '../office/viewer/can-access.ts'
import { anonymous, type Viewer } from '../office/viewer/viewer.ts'
import { contentAdminRoutes } from './editing/routes.server.ts'
import { bulkRoutes } from './bulk/routes.server.ts'
import { categoryRoutes } from './categories/routes.server.ts'
import { importRoutes } from './transfer/routes.server.ts'
import { prohibitedNamesRoutes } from './prohibited-names/routes.server.ts'
import { overviewRoutes } from './overviews/routes.server.ts'
import { rightsAdminRoutes } from './rights/routes.server.ts'
import { savedRoutes } from './saved/routes.server.ts'
import { savedSearchRoutes } from './saved-searches/routes.server.ts'
import type { CatalogueApp } from './app.ts'
import {
  findFreeItem,
  findVipItem,
  removedAnswer,
  removedByLaw,
  removedByTerms,
} from './details/find-free-item.server.ts'
import { coverRoutes } from './details/routes.server.ts'
import { evidenceRoutes } from './evidence/routes.server.ts'
import { gatewayRoutes } from './gateway/routes.server.ts'
import type { SerializedItem } from './index/serialized-items.server.ts'
import { isVipType, type Region, regions } from './item/content-type.ts'
import { base64Chunk, withInserted } from './item/encoding.server.ts'
import { EncodedItem, EncodedItemList, EncodedVipItem } from './item/item-schema.ts'
import { Neighbours } from './item/neighbours-schema.ts'
import { vipPageOf } from './item/vip-page.ts'
import { wordsOf } from './item/name-text.ts'
import { linkRoutes } from './links/routes.server.ts'
import { rowMarker } from './search/mark-row.server.ts'
import { readSearchQuery, SearchParameters } from './search/read-search-query.ts'
import { neighboursOf } from './details/neighbours-of.server.ts'
import { vipShelves } from './shelves/vip-shelves.ts'
import { Facets, searchFacets } from './search/search-facets.server.ts'
import { missCounter, searchPage, type SearchQuery } from './search/search-items.server.ts'
import { badParameter } from '../../http/parameters.ts'
import { itemNotFound } from './item/item-errors.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'anyone', caching: 'shared', needsClientKey: true })
const vipRoute = declareRoutes<CatalogueApp, Viewer>({ access: 'vip', caching: 'never', needsClientKey: true })

const ItemParams = z.object({ item: z.string().meta({ description: 'The last part of the address of the item.' }) })

const searchVipOnly = defineError({
  code: 'search.vip_only',
  status: 403,
  sentence: 'You are not a VIP to access this page.',
  remedy: 'Ask for free types, or send the token of a VIP.',
})

/** The catalogue's part of the HTTP interface (docs/spec/http.md#routes). */
export const catalogueRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/universal-search/search',
    summary: 'The list of items, newest first: filtered, searched and in pages.',
    described: { query: SearchParameters },
    answers: { 200: EncodedItemList },
    errors: [badParameter, searchVipOnly],
    handle: answerSearch,
  }),
  route({
    method: 'GET',
    path: '/universal-search/facets',
    summary: 'How many items a search finds, by category, language, format, decade, month and shelf.',
    // Those without effect, too: a kept answer is found by what is declared, and each of them may be wrong.
    described: { query: SearchParameters },
    answers: { 200: Facets },
    errors: [badParameter, searchVipOnly],
    async handle(app, { viewer, query }) {
      const { facets, scope } = searchFacets(app, viewer, readSearch(query, viewer))
      return { status: 200, scope, body: () => JSON.stringify(facets) }
    },
  }),
  ...regions.map(itemRoute),
  ...regions.map(vipItemRoute),
  ...regions.map(vipNeighboursRoute),
  ...contentAdminRoutes,
  ...evidenceRoutes,
  ...coverRoutes,
  ...gatewayRoutes,
  ...savedRoutes,
  ...savedSearchRoutes,
  ...linkRoutes,
  ...rightsAdminRoutes,
  ...overviewRoutes,
  ...importRoutes,
  ...bulkRoutes,
  ...categoryRoutes,
  ...prohibitedNamesRoutes,
]

function itemRoute(region: Region): Route<CatalogueApp, Viewer> {
  return route({
    method: 'GET',
    path: `/${region}content/:item`,
    summary: `One free item of the region ${region}. VIPs get its links, others the addresses of the gateway.`,
    params: ItemParams,
    answers: { 200: EncodedItem },
    errors: [itemNotFound, removedByLaw, removedByTerms],
    peek: (app, slug) => peekItem(app, region, slug),
    handle: (app, { viewer, params }) => answerItem(app, viewer, { region, slug: params.item }),
  })
}

function vipItemRoute(region: Region): Route<CatalogueApp, Viewer> {
  return vipRoute({
    method: 'GET',
    path: `/vip-${region}content/:item`,
    summary: `One VIP item of the region ${region}, or a free one of early access, with its links and how their checks went.`,
    params: ItemParams,
    answers: { 200: EncodedVipItem },
    errors: [itemNotFound, removedByLaw, removedByTerms],
    async handle(app, { viewer, params: { item: slug } }) {
      const found = await findVipItem(app, viewer, { slug, region })
      if (found === undefined) {
        const removed = await removedAnswer(app, { slug, region, isVip: true })
        throw removed ?? notFound(`VIP ${region === 'asian' ? 'Asian' : 'Western'}`)
      }
      const health = await app.listing.readHealth(found)
      const more = app.listing.isVipFirst(found) ? { vipFirst: true, health } : { health }
      return { status: 200, body: () => found.body(viewer, more) }
    },
  })
}

/** The page of a free item has them in it. */
function vipNeighboursRoute(region: Region): Route<CatalogueApp, Viewer> {
  return vipRoute({
    method: 'GET',
    path: `/vip-${region}content/:item/neighbours`,
    summary: `The surroundings of a VIP item of the region ${region}: its list, series, creators and day.`,
    params: ItemParams,
    answers: { 200: Neighbours },
    errors: [itemNotFound],
    async handle(app, { viewer, params: { item: slug } }) {
      const found = await findVipItem(app, viewer, { slug, region })
      if (found === undefined) throw notFound(`VIP ${region === 'asian' ? 'Asian' : 'Western'}`)
      const list = app.listing.isVipFirst(found) ? vipFirst : vipShelves[vipPageOf(found.item)]
      const { neighbours } = await neighboursOf(app, viewer, { found, shelf: list })
      return { status: 200, body: () => JSON.stringify(neighbours) }
    },
  })
}

const vipFirst = { parameters: () => ({ shelf: 'vip-first' }) }

/** Between two base64 pieces of a list: a comma, padded like them. */
const separator = Buffer.from(base64Chunk(','), 'latin1')
const opening = Buffer.from(`{"data":"${withInserted(base64Chunk('{"data":['))}`, 'latin1')

function answerSearch(
  app: CatalogueApp,
  { viewer, query }: { viewer: Viewer; query: URLSearchParams },
): Promise<RouteReply> {
  return app.listing.memoryOfRows.use(async (allocate) => {
    const search = readSearch(query, viewer)
    const result = await searchPage(app, viewer, search, allocate)
    const { items, nearestItems: near, didYouMean, scope, total, page, totalPages } = result
    const rest = JSON.stringify({ total, page, totalPages, totalIsExact: true }).slice(1, -1)
    const words = search.withMarks === true ? wordsOf(search.text) : []
    const suggestions = didYouMean === undefined ? '' : `,"didYouMean":${JSON.stringify(didYouMean)}`
    const onSend = missCounter(app, viewer, search, total)
    const tail =
      near === undefined ? '' : `,"nearest":[${near.map(({ item }) => JSON.stringify(item)).join(',')}]${suggestions}`
    const marksOf = rowMarker(words)
    const marks = words.length === 0 ? '' : `,"marks":${JSON.stringify(items.map(({ row }) => marksOf(row)))}`
    const body = encodedList(items, `],${rest}${marks}${tail}}`)
    return {
      status: 200,
      ...(onSend === undefined ? {} : { onSend }),
      ...(scope === undefined ? {} : { scope }),
      body: () => body,
    }
  })
}

/** The items' pieces in one buffer. */
function encodedList(items: readonly SerializedItem[], rest: string): Buffer {
  const closing = `${Buffer.from(rest).toString('base64')}"}`
  const pieces = items.reduce((sum, { chunkLength }) => sum + chunkLength + separator.length, 0)
  const between = items.length === 0 ? 0 : separator.length
  const body = Buffer.allocUnsafeSlow(opening.length + pieces - between + closing.length)
  let end = opening.copy(body)
  for (const [i, item] of items.entries()) {
    if (i > 0) end += separator.copy(body, end)
    end += item.copyChunk(body, end)
  }
  body.write(closing, end, 'latin1')
  return body
}

/** @throws {AppError} 400 for a parameter that is wrong, 403 for VIP items where the caller may not see them */
function readSearch(query: URLSearchParams, viewer: Viewer): SearchQuery {
  const search = readSearchQuery(query)
  const requestsVip =
    search.isVip === true ||
    search.shelf !== undefined ||
    (search.contentType !== undefined && isVipType(search.contentType))
  if (requestsVip && !canAccess('vip', viewer)) throw searchVipOnly()
  return search
}

async function answerItem(
  app: CatalogueApp,
  viewer: Viewer,
  { region, slug }: { region: Region; slug: string },
): Promise<RouteReply> {
  const found = await findFreeItem(app, viewer, { slug, region })
  if (found === undefined) throw (await removedAnswer(app, { slug, region, isVip: false })) ?? notFound(region)
  return { status: 200, body: () => found.body(viewer) }
}

/** @param what 'western', 'VIP Asian' */
const notFound = defineError({
  code: 'item.not_found',
  status: 404,
  sentence: (what: string) => `The ${what} content you're looking for doesn't exist or has been removed.`,
  remedy: 'Take the slug from the list. An item of the other region, or one for VIPs, is not found here.',
})

/** The finished answer of an item's endpoint, if the item is at hand; without asking the database. */
function peekItem(app: CatalogueApp, region: Region, slug: string): CachedResponse | undefined {
  const found = app.listing.peekItem(slug, anonymous)
  return found?.item.region === region ? found.answer : undefined
}
