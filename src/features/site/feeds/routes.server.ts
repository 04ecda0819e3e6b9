import { z } from 'zod'
import { notFound } from '../../../http/match.ts'
import { badParameter, onlyParameters } from '../../../http/parameters.ts'
import { declareRoutes, FileAnswer, type JsonReply, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { documentHeaders } from '../discovery/document-headers.ts'
import type { Feed } from './feed.ts'
import { privateFeed } from './private-feed.server.ts'
import { feedSections, publicFeed } from './public-feed.server.ts'
import { jsonFeedType, writeJsonFeed } from './write-json-feed.ts'
import { rssType, writeRss } from './write-rss.ts'

const route = declareRoutes<SiteApp, Viewer, 'method' | 'answers'>({
  access: 'anyone',
  method: 'GET',
  caching: 'shared',
  isDocument: true,
  invalid: badParameter,
  errors: [notFound, badParameter],
  answers: { 200: new FileAnswer(rssType, jsonFeedType) },
})

/** Those of the search that narrow a list; anything else is refused. */
const query = onlyParameters([
  'search',
  'category',
  'month',
  'dateFilter',
  'language',
  'format',
  'decade',
  'creator',
  'series',
  'tag',
])

const FeedFile = z.object({ file: z.string().meta({ description: 'The name of the feed with `.rss` or `.json`.' }) })

const writers = {
  rss: { mediaType: rssType, write: writeRss },
  json: { mediaType: jsonFeedType, write: writeJsonFeed },
}

/** The feeds (docs/spec/found-from-outside.md#feeds). */
export const feedRoutes: Route<SiteApp, Viewer>[] = [
  route({
    path: '/feeds/:file',
    summary: 'The newest entries of a free list, or of all, as RSS 2.0 or JSON Feed 1.1.',
    params: FeedFile,
    query,
    handle: async (app, { params: { file }, query: parameters }) => {
      const { name, format } = partsOf(file)
      const section = feedSections.find((each) => each === name)
      if (section === undefined) throw notFound()
      const { feed, scope } = await publicFeed(app, { section, format, parameters })
      return { ...replyOf(feed, format), scope, headers: documentHeaders(app.listing.lastChangedAt()) }
    },
  }),
  route({
    path: '/feeds/private/:file',
    caching: 'never',
    summary: 'The newest entries that the owner of a token may see, as RSS 2.0 or JSON Feed 1.1.',
    params: FeedFile,
    query,
    handle: (app, { params: { file }, query: parameters, address }) =>
      // Nobody keeps it, and anybody can ask for it: it waits for its turn as a page does.
      app.rendering.run({ address }, async () => {
        const { name: token, format } = partsOf(file)
        app.listing.assertCurrent()
        const feed = await privateFeed(app, { token, parameters })
        if (feed === undefined) throw notFound()
        return { ...replyOf(feed, format), headers: privateHeaders }
      }),
  }),
]

const privateHeaders = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}

function partsOf(file: string): { name: string; format: keyof typeof writers } {
  const [, name, format] = /^(.+)\.(rss|json)$/.exec(file) ?? []
  if (name === undefined || (format !== 'rss' && format !== 'json')) throw notFound()
  return { name, format }
}

function replyOf(feed: Feed, format: keyof typeof writers): JsonReply {
  const { mediaType, write } = writers[format]
  return { status: 200, mediaType, body: () => write(feed) }
}
