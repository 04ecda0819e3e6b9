import { z } from 'zod'
import { strictBody } from '../../../http/body-fields.ts'
import { idParams } from '../../../http/parameters.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { NewFeedToken } from '../../accounts/feed-tokens/feed-token-schema.ts'
import { feedTokenNotFound } from '../../accounts/feed-tokens/feed-tokens.server.ts'
import { feedAddresses } from '../../accounts/feed-tokens/routes.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { contentTypes } from '../item/content-type.ts'
import { canBeAsked } from './shelf-of.ts'
import { digestRhythms, timeZoneOf } from './next-digest.ts'
import { longestSearchName, SavedSearch, SavedSearches } from './saved-search-schema.ts'
import {
  changeSearch,
  endSearch,
  endSearchFeed,
  makeSearchFeed,
  noSuchSearch,
  readSearches,
  saveSearch,
  tooManySearches,
} from './saved-searches.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'member', caching: 'never', maxBodyBytes: 16 * 1024 })
const params = idParams('The id of the saved search.', noSuchSearch)

const nameError = `The name must be one line of 1 to ${longestSearchName} characters.`
const name = z
  .string({ error: nameError })
  .trim()
  .min(1, nameError)
  .refine((text) => [...text].length <= longestSearchName && text.isWellFormed() && !/\p{Cc}/u.test(text), nameError)

const queryError = 'The query must be that of an address, of at most 2,000 characters.'
const SearchBody = strictBody({
  list: z.enum(contentTypes, { error: `The list must be one of ${contentTypes.join(', ')}.` }),
  query: z.string({ error: queryError }).max(2_000, queryError),
  name,
}).refine(({ list, query }) => canBeAsked(list, query), {
  path: ['query'],
  error: 'This query is too long, or none that the list has.',
})

const hourError = 'The hour must be a whole number from 0 to 23.'
const zoneError = 'The time zone must be the name of one, such as Europe/Lisbon.'
const ChangeBody = z
  .strictObject(
    {
      name,
      digest: z.enum(digestRhythms, { error: `The digest must be one of ${digestRhythms.join(', ')}.` }),
      hour: z.int({ error: hourError }).min(0, hourError).max(23, hourError),
      timeZone: z
        .string({ error: zoneError })
        .refine((text) => timeZoneOf(text) !== undefined, zoneError)
        .transform((text) => timeZoneOf(text) ?? text),
    },
    { error: 'Send name, digest, hour and timeZone, or some of them, and nothing else.' },
  )
  .partial()

/** Saved searches and their digests (docs/spec/readers-memory.md#searches). */
export const savedSearchRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/account/saved-searches',
    page: '/account/searches',
    summary: 'The saved searches, the latest first.',
    answers: { 200: SavedSearches, 302: null },
    handle: async (app, { viewer }) => jsonReply(await readSearches(app, viewer)),
  }),
  route({
    method: 'POST',
    path: '/account/saved-searches',
    rateLimit: 'searches',
    summary: 'Saves a search; 200 with the one that is there where it was saved before.',
    body: SearchBody,
    answers: { 200: SavedSearch, 201: SavedSearch },
    errors: [tooManySearches],
    async handle(app, { viewer, body }) {
      const { search, isNew } = await saveSearch(app, viewer, body)
      return jsonReply(search, { status: isNew ? 201 : 200 })
    },
  }),
  route({
    method: 'PUT',
    path: '/account/saved-searches/:id',
    rateLimit: 'searches',
    summary: 'Renames a saved search, or says when its digest comes; what is not sent stays.',
    params,
    body: ChangeBody,
    answers: { 200: SavedSearch },
    errors: [noSuchSearch],
    handle: async (app, { viewer, params: { id }, body }) => jsonReply(await changeSearch(app, viewer, id, body)),
  }),
  route({
    method: 'DELETE',
    path: '/account/saved-searches/:id',
    summary: 'Ends a saved search, with its digest and its feed.',
    params,
    answers: { 204: null },
    errors: [noSuchSearch],
    handle: (app, { viewer, params: { id } }) => endSearch(app, viewer, id),
  }),
  route({
    method: 'POST',
    path: '/account/saved-searches/:id/feed',
    needsProofWithin: 15,
    summary: 'Makes the private feed of a saved search, and ends the one before it. Its token is told this once.',
    params,
    answers: { 201: NewFeedToken },
    errors: [noSuchSearch],
    async handle(app, { viewer, params: { id }, siteUrl }) {
      return jsonReply(feedAddresses(siteUrl, await makeSearchFeed(app, viewer, id)), { status: 201 })
    },
  }),
  route({
    method: 'DELETE',
    path: '/account/saved-searches/:id/feed',
    needsProofWithin: 15,
    summary: 'Ends the private feed of a saved search.',
    params,
    answers: { 204: null },
    errors: [noSuchSearch, feedTokenNotFound],
    handle: (app, { viewer, params: { id } }) => endSearchFeed(app, viewer, id),
  }),
]
