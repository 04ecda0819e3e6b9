import { z } from 'zod'
import { afterParameter, badParameter, choiceParameter, idParams } from '../../../http/parameters.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { jobStates } from '../../../platform/jobs/job-desk.ts'
import { readInstantPlace } from '../../../platform/time/instant-place.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { giveUpJob, jobConflict, noSuchJob, readJobs, retryJob } from './act-on-jobs.server.ts'
import { JobsForAdmin } from './jobs-schema.ts'

const route = declareRoutes<SiteApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 16 * 1024 })

const params = idParams('The id of the job.', noSuchJob)
const errors = [noSuchJob, jobConflict]

/** The jobs in line, under way and given up (docs/spec/jobs.md#administration). */
export const jobRoutes: Route<SiteApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/jobs',
    summary: 'Jobs that wait, run or have failed, newest first.',
    query: z.object({
      state: choiceParameter('state', jobStates).default('failed').meta({ description: 'failed where none is given.' }),
      after: afterParameter(readInstantPlace),
    }),
    invalid: badParameter,
    answers: { 200: JobsForAdmin },
    handle: async (app, { query }) => jsonReply(await readJobs(app, query)),
  }),
  route({
    method: 'POST',
    path: '/api/jobs/:id/retry',
    summary: 'Has a failed job tried once more, or one that waits for its time tried now.',
    params,
    answers: { 204: null },
    errors,
    handle: (app, { viewer, params: { id } }) => retryJob(app, viewer, id),
  }),
  route({
    method: 'POST',
    path: '/api/jobs/:id/give-up',
    summary: 'Takes a job out of line for good, or a failed one off the list.',
    params,
    answers: { 204: null },
    errors,
    handle: (app, { viewer, params: { id } }) => giveUpJob(app, viewer, id),
  }),
]
