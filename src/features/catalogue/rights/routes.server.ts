import { z } from 'zod'
import { badParameter, choiceParameter, numberParameter } from '../../../http/parameters.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { readRights, rightsPlace } from './read-rights.server.ts'
import { RightsForAdmin, rightsLists } from './rights-schema.ts'

const route = declareRoutes<CatalogueApp, Viewer>()

const rightsQuery = z.object({
  show: choiceParameter('show', rightsLists).default('lapsing').meta({
    description: 'Entries whose rights end within 30 days, or entries that the site has taken off by itself.',
  }),
  after: z
    .string()
    .regex(rightsPlace, { error: 'The parameter after must be the `next` of an answer.' })
    .optional()
    .meta({ description: 'Goes on after this place: the `next` of the part before.' }),
  limit: numberParameter('limit', { max: 200, byDefault: 50 }),
})

/** The ends of rights and consents for administrators (docs/spec/publishing.md#lapse-list). */
export const rightsAdminRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    access: 'admin',
    method: 'GET',
    path: '/api/rights',
    readsReplica: true,
    caching: 'never',
    summary: 'Entries whose rights or a consent end within 30 days, or that the site has taken off for it.',
    query: rightsQuery,
    invalid: badParameter,
    answers: { 200: RightsForAdmin },
    handle: async (app, { query }) => jsonReply(await readRights(app, query)),
  }),
]
