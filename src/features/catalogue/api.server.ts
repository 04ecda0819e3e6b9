import { hash } from 'node:crypto'
import type { App } from '../../platform/app.ts'
import type { Route, RouteReply } from '../../platform/doors.ts'
import { AppError } from '../../platform/errors.ts'
import type { Viewer } from '../accounts/viewer.ts'
import { isVipType, type Region } from './content-type.ts'
import { base64Piece, withInserted } from './encoding.server.ts'
import type { Fragment } from './item-fragments.server.ts'
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

async function answerSearch(
  app: App,
  { viewer, query }: { viewer: Viewer; query: URLSearchParams },
): Promise<RouteReply> {
  const question = readSearchQuestion(query)
  const asksVip = question.isVip === true || (question.contentType !== undefined && isVipType(question.contentType))
  if (asksVip && !viewer.isVip) {
    throw new AppError({ code: 'search.vip_only', status: 403, message: 'You are not a VIP to access this page.' })
  }
  const { nos, nearest, ...counts } = await searchItems(app, viewer, question)
  const items = await app.listing.fragments.read(nos, viewer, app.clock.now())
  const near = nearest === undefined ? undefined : await app.listing.fragments.read(nearest, viewer, app.clock.now())
  const rest = JSON.stringify(counts).slice(1, -1)
  return {
    status: 200,
    stamp: `${rest} ${serialsOf(items)} ${near === undefined ? '' : serialsOf(near)}`,
    body() {
      const tail = near === undefined ? '' : `,"nearest":[${near.map(({ item }) => JSON.stringify(item)).join(',')}]`
      const closing = Buffer.from(`],${rest}${tail}}`).toString('base64')
      const pieces = items.map(({ piece }) => piece).join(separator)
      // Base64 has no character beyond Latin-1, whose encoding is a copy.
      return Buffer.from(`{"data":"${withInserted(opening + pieces + closing)}"}`, 'latin1')
    },
  }
}

/** One short text that tells which readings of which items these are, and in which order. */
function serialsOf(fragments: Fragment[]): string {
  return hash(
    'sha1',
    Float64Array.from(fragments, ({ serial }) => serial),
    'base64',
  )
}

async function answerItem(app: App, region: Region, slug: string): Promise<RouteReply> {
  const found = await findFreeItem(app, slug, region)
  if (found === undefined) {
    throw new AppError({
      code: 'item.not_found',
      status: 404,
      message: `The ${region} content you're looking for doesn't exist or has been removed.`,
    })
  }
  return { status: 200, body: () => Buffer.from(`{"data":"${found.encoded}"}`, 'latin1') }
}
