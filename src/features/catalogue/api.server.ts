import type { App } from '../../platform/app.ts'
import type { Route, RouteReply } from '../../platform/doors.ts'
import { AppError } from '../../platform/errors.ts'
import type { Viewer } from '../accounts/viewer.ts'
import { isVipType, type Region } from './content-type.ts'
import { base64Piece, encodePayload, withInserted } from './encoding.server.ts'
import { findFreeItem } from './read-item.server.ts'
import { readSearchQuestion } from './read-search-question.ts'
import { searchItems } from './search-items.server.ts'

/** The catalogue's part of the HTTP interface (PRODUCT.md, section 7). */
export const catalogueRoutes: Route<App, Viewer>[] = [
  {
    door: 'anyone',
    needsClientKey: true,
    method: 'GET',
    path: '/universal-search/search',
    isShared: true,
    handle: answerSearch,
  },
  {
    door: 'anyone',
    needsClientKey: true,
    method: 'GET',
    path: '/asiancontent/:slug',
    isShared: true,
    handle: (app, { params }) => answerItem(app, 'asian', params['slug'] ?? ''),
  },
  {
    door: 'anyone',
    needsClientKey: true,
    method: 'GET',
    path: '/westerncontent/:slug',
    isShared: true,
    handle: (app, { params }) => answerItem(app, 'western', params['slug'] ?? ''),
  },
]

/** Between two base64 pieces of a list: a comma, padded like them. */
const separator = base64Piece(',')
const opening = base64Piece('{"data":[')

async function answerSearch(app: App, { viewer, query }: { viewer: Viewer; query: URLSearchParams }): Promise<RouteReply> {
  const question = readSearchQuestion(query)
  const asksVip = question.isVip === true || (question.contentType !== undefined && isVipType(question.contentType))
  if (asksVip && !viewer.isVip) {
    throw new AppError({ code: 'search.vip_only', status: 403, message: 'You are not a VIP to access this page.' })
  }
  const { nos, nearest, ...counts } = await searchItems(app, viewer, question)
  const pieces = await piecesOf(app, nos)
  const tail = nearest === undefined ? '' : `,"nearest":[${(await jsonOf(app, nearest)).join(',')}]`
  const closing = Buffer.from(`],${JSON.stringify(counts).slice(1, -1)}${tail}}`).toString('base64')
  return { status: 200, body: `{"data":"${withInserted(opening + pieces.join(separator) + closing)}"}` }
}

async function piecesOf(app: App, nos: number[]): Promise<string[]> {
  return (await app.listing.fragments.read(nos)).map((fragment) => fragment.piece)
}

async function jsonOf(app: App, nos: number[]): Promise<string[]> {
  return (await app.listing.fragments.read(nos)).map((fragment) => JSON.stringify(fragment.item))
}

async function answerItem(app: App, region: Region, slug: string): Promise<RouteReply> {
  const item = await findFreeItem(app, slug, region)
  if (item === undefined) {
    throw new AppError({
      code: 'item.not_found',
      status: 404,
      message: `The ${region} content you're looking for doesn't exist or has been removed.`,
    })
  }
  return { status: 200, body: JSON.stringify({ data: encodePayload(item) }) }
}
