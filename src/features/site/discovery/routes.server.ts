import { z } from 'zod'
import { notFound } from '../../../http/match.ts'
import { badParameter, onlyParameters } from '../../../http/parameters.ts'
import { plainText, textReply } from '../../../http/reply.ts'
import { declareRoutes, FileAnswer, type JsonReply, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { appManifest } from './app-manifest.ts'
import { documentHeaders } from './document-headers.ts'
import { icons, readFavicon, readIcon } from './icons.server.ts'
import { openSearchText } from './open-search.ts'
import { robotsText } from './robots-text.ts'
import { sitemapIndex, sitemapPart } from './sitemap.server.ts'

const xmlType = 'application/xml; charset=utf-8'
const manifestType = 'application/manifest+json; charset=utf-8'
const openSearchType = 'application/opensearchdescription+xml; charset=utf-8'

const route = declareRoutes<SiteApp, Viewer, 'method'>({
  access: 'anyone',
  method: 'GET',
  caching: 'shared',
  isDocument: true,
})

/** A new name of the brand shows within a day. */
const iconHeaders = { 'cache-control': 'public, max-age=86400' }

/** The documents by which programs find what the site has (docs/spec/found-from-outside.md#head-matter). */
export const discoveryRoutes: Route<SiteApp, Viewer>[] = [
  route({
    path: '/robots.txt',
    summary: 'Where search engines have no business, and the address of the sitemap (RFC 9309).',
    answers: { 200: new FileAnswer(plainText) },
    handle: ({ config, listing }) =>
      Promise.resolve({
        ...textReply(robotsText(config.publicUrl), documentHeaders()),
        scope: listing.scopeOfSettings(),
      }),
  }),
  route({
    path: '/sitemap.xml',
    summary: 'The index of the sitemap; with a part, that part: `pages`, or 5,000 entries by its number from 1.',
    query: onlyParameters(['part']),
    invalid: badParameter,
    answers: { 200: new FileAnswer(xmlType) },
    errors: [notFound, badParameter],
    handle: async (app, { query: { part } }) => {
      const map = part === undefined ? sitemapIndex(app) : await sitemapPart(app, part)
      if (map === undefined) throw notFound()
      const { xml, scope } = map
      return { ...documentOf(xmlType, xml, app.listing.lastChangedAt()), scope }
    },
  }),
  route({
    path: '/opensearch.xml',
    summary: 'The search of the site for the search field of a browser (OpenSearch 1.1).',
    answers: { 200: new FileAnswer(openSearchType) },
    handle: ({ config: { publicUrl }, texts, listing }) =>
      Promise.resolve({
        ...documentOf(openSearchType, openSearchText({ brand: texts.inForce.brandName, publicUrl })),
        scope: listing.scopeOfSettings(),
      }),
  }),
  route({
    path: '/site.webmanifest',
    summary: 'The site as a program that can be installed.',
    answers: { 200: new FileAnswer(manifestType) },
    handle: ({ texts, listing }) =>
      Promise.resolve({
        ...documentOf(manifestType, appManifest(texts.inForce.brandName)),
        scope: listing.scopeOfSettings(),
      }),
  }),
  route({
    path: '/favicon.ico',
    summary: 'The icon of the site in small sizes.',
    answers: { 200: new FileAnswer('image/x-icon') },
    handle: async (app) => iconReply(app, 'image/x-icon', await readFavicon(app)),
  }),
  route({
    path: '/icons/:file',
    summary: `The icons of the site: ${Object.keys(icons).join(', ')}.`,
    params: z.object({ file: z.string().meta({ description: 'The name of the file.' }) }),
    answers: { 200: new FileAnswer('image/png') },
    errors: [notFound],
    handle: async (app, { params: { file } }) => {
      const icon = Object.hasOwn(icons, file) ? icons[file as keyof typeof icons] : undefined
      if (icon === undefined) throw notFound()
      return iconReply(app, 'image/png', await readIcon(app, icon))
    },
  }),
]

function documentOf(mediaType: string, text: string | Buffer, changedAt?: number): JsonReply {
  return { status: 200, mediaType, body: () => text, headers: documentHeaders(changedAt) }
}

function iconReply({ listing }: SiteApp, mediaType: string, bytes: Buffer): JsonReply {
  return { status: 200, mediaType, scope: listing.scopeOfSettings(), body: () => bytes, headers: iconHeaders }
}
