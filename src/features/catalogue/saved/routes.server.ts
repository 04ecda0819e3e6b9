import { z } from 'zod'
import { textField } from '../../../http/body-fields.ts'
import { afterParameter, badParameter, idParameter } from '../../../http/parameters.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { itemNotFound } from '../item/item-errors.ts'
import {
  clearHistory,
  readHistory,
  rememberDownload,
  setKeepsHistory,
  unknownDownload,
} from './download-history.server.ts'
import { readPlace, readSaved, saveEntry, takeOutEntry, tooManySaved } from './saved-entries.server.ts'
import { ReadersMemory, RememberedEntries } from './saved-schema.ts'
import { recordVisit } from './visits.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'member', caching: 'never', maxBodyBytes: 4 * 1024 })

const params = z.object({
  slug: idParameter('The last part of the address of the entry.', itemNotFound, (text) =>
    /^[a-z\d-]{1,120}$/.test(text),
  ),
})
const query = z.object({ after: afterParameter(readPlace) })

/** The calls about saved entries, downloads and visits (docs/spec/readers-memory.md). */
export const savedRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    method: 'POST',
    path: '/account/visit',
    rateLimit: 'memory',
    summary: 'A sign of the reader; answers what is new since their last visit, and what they have saved.',
    answers: { 200: ReadersMemory },
    handle: async (app, { viewer }) => jsonReply(await recordVisit(app, viewer)),
  }),
  route({
    method: 'GET',
    path: '/account/saved-entries',
    page: '/account/saved',
    summary: 'The saved entries, the latest first.',
    query,
    invalid: badParameter,
    answers: { 200: RememberedEntries, 302: null },
    handle: async (app, { viewer, query }) => jsonReply(await readSaved(app, viewer, query)),
  }),
  route({
    method: 'PUT',
    path: '/account/saved-entries/:slug',
    rateLimit: 'memory',
    summary: 'Saves an entry.',
    params,
    answers: { 204: null },
    errors: [itemNotFound, tooManySaved],
    handle: (app, { viewer, params: { slug } }) => saveEntry(app, viewer, slug),
  }),
  route({
    method: 'DELETE',
    path: '/account/saved-entries/:slug',
    rateLimit: 'memory',
    summary: 'Takes an entry out of the saved ones; done also where it is not among them.',
    params,
    answers: { 204: null },
    errors: [itemNotFound],
    handle: (app, { viewer, params: { slug } }) => takeOutEntry(app, viewer, slug),
  }),
  route({
    method: 'GET',
    path: '/account/downloads',
    page: '/account/history',
    summary: 'The downloads of the member, the latest first.',
    query,
    invalid: badParameter,
    answers: { 200: RememberedEntries, 302: null },
    handle: async (app, { viewer, query }) => jsonReply(await readHistory(app, viewer, query)),
  }),
  route({
    method: 'POST',
    path: '/account/downloads',
    rateLimit: 'memory',
    summary: 'Remembers a download that the member has begun, unless they want none remembered.',
    body: z.object({
      slug: textField('slug', 'The last part of the address of the entry.'),
      slot: textField('slot', "The name of the link's field, such as linkG."),
    }),
    answers: { 204: null },
    errors: [unknownDownload],
    handle: (app, { viewer, body }) => rememberDownload(app, viewer, body),
  }),
  route({
    method: 'PUT',
    path: '/account/downloads',
    summary: 'Says whether downloads are remembered from now on.',
    body: z.object({ keepsHistory: z.boolean({ error: 'keepsHistory must be true or false.' }) }),
    answers: { 204: null },
    handle: (app, { viewer, body: { keepsHistory } }) => setKeepsHistory(app, viewer, keepsHistory),
  }),
  route({
    method: 'DELETE',
    path: '/account/downloads',
    summary: 'Forgets everything that was downloaded.',
    answers: { 204: null },
    handle: (app, { viewer }) => clearHistory(app, viewer),
  }),
  route({
    method: 'DELETE',
    path: '/account/downloads/:slug',
    summary: 'Forgets the downloads of one entry.',
    params,
    answers: { 204: null },
    errors: [itemNotFound],
    handle: (app, { viewer, params: { slug } }) => clearHistory(app, viewer, slug),
  }),
]
