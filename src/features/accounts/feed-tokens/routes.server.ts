import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { AccountsApp } from '../app.ts'
import { FeedToken, NewFeedToken } from './feed-token-schema.ts'
import { endFeedToken, feedTokenNotFound, makeFeedToken, readFeedToken } from './feed-tokens.server.ts'

const path = '/account/feed-token'

export function feedAddresses(siteUrl: string, token: string): NewFeedToken {
  const address = `${siteUrl}/feeds/private/${token}`
  return { token, rss: `${address}.rss`, json: `${address}.json` }
}

const route = declareRoutes<AccountsApp, Viewer>({ access: 'member', caching: 'never', maxBodyBytes: 16 * 1024 })

/** The private feed of a member (docs/spec/found-from-outside.md#private-feeds). */
export const feedTokenRoutes: Route<AccountsApp, Viewer>[] = [
  route({
    method: 'POST',
    path,
    needsClientKey: true,
    needsProofWithin: 15,
    summary: "Makes the token of the caller's private feed, and ends the one before it. It is told this once.",
    answers: { 201: NewFeedToken },
    handle: async (app, { viewer, siteUrl }) => {
      const token = await makeFeedToken(app, viewer)
      return jsonReply(feedAddresses(siteUrl, token), { status: 201 })
    },
  }),
  route({
    method: 'GET',
    path,
    summary: "When the caller's private feed was made, and when it was last read.",
    answers: { 200: FeedToken },
    errors: [feedTokenNotFound],
    handle: async (app, { viewer }) => jsonReply(await readFeedToken(app, viewer)),
  }),
  route({
    method: 'DELETE',
    path,
    needsClientKey: true,
    needsProofWithin: 15,
    summary: "Ends the caller's private feed.",
    answers: { 204: null },
    errors: [feedTokenNotFound],
    handle: (app, { viewer }) => endFeedToken(app, viewer),
  }),
]
