import { z } from 'zod'
import { badParameter } from '../../../http/parameters.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { isMonth } from './month.ts'
import { Duplicates, Schedule } from './overviews-schema.ts'
import { readDuplicates } from './read-duplicates.server.ts'
import { readSchedule } from './read-schedule.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'admin', caching: 'never' })

const scheduleQuery = z.object({
  month: z
    .string()
    .refine(isMonth, { error: 'The parameter month must be a month, such as 2026-12.' })
    .optional()
    .meta({ description: 'Such as 2026-12; else the present one, or the nearest one with entries.' }),
})

export const overviewRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/schedule',
    readsReplica: true,
    summary: 'The published and scheduled entries of a month, by day.',
    query: scheduleQuery,
    invalid: badParameter,
    answers: { 200: Schedule },
    handle: async (app, { query }) => jsonReply(await readSchedule(app, query.month)),
  }),

  route({
    method: 'GET',
    path: '/api/duplicates',
    readsReplica: true,
    summary: 'Entries with the same title and creators, and published ones that share a link.',
    answers: { 200: Duplicates },
    handle: async (app) => jsonReply(await readDuplicates(app)),
  }),
]
