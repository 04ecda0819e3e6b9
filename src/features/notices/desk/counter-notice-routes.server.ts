import { z } from 'zod'
import { numberParameter } from '../../../http/parameters.ts'
import { emptyReply, jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import {
  badNoticeParameter,
  invalidNotice,
  noSuchCounterNotice,
  settledCounterNotice,
} from '../notice/notice-errors.ts'
import { AttachedTo, maxDecisionText, UnattachedCounterNotices } from './desk-schema.ts'
import { attachCounterNotice, listUnattached, refuseUnattached } from './unattached.server.ts'

const route = declareRoutes<NoticesApp, Viewer>()

const forAdmins = { access: 'admin', caching: 'never' } as const
const changeErrors = [noSuchCounterNotice, settledCounterNotice]

const params = z.object({
  id: z
    .string()
    .transform((typed) => {
      if (!isUuid(typed)) throw noSuchCounterNotice()
      return typed
    })
    .meta({ description: 'The id of the counter-notice.' }),
})

const referenceError = 'reference must be that of the notice, such as N-4GT7-0KQ2.'
const AttachBody = z.strictObject(
  {
    reference: z
      .string({ error: referenceError })
      .trim()
      .min(1, referenceError)
      .max(100, referenceError)
      .meta({ description: 'That of the notice that it answers.' }),
  },
  { error: 'Send reference, and nothing else.' },
)

const reasonsError = `reasons must be a text of 1 to ${maxDecisionText.toLocaleString('en-US')} characters.`
const RefuseBody = z.strictObject(
  {
    reasons: z
      .string({ error: reasonsError })
      .transform((given) => given.replaceAll('\r\n', '\n').trim())
      .refine(
        (given) =>
          given !== '' && [...given].length <= maxDecisionText && given.isWellFormed() && !given.includes('\0'),
        reasonsError,
      )
      .meta({ description: 'Why it is refused; whoever sent it reads this.' }),
  },
  { error: 'Send reasons, and nothing else.' },
)

const afterError = 'The parameter after must be what the answer before it says is next.'

/** Counter-notices without a notice (docs/spec/notices.md#unattached). */
export const counterNoticeRoutes: Route<NoticesApp, Viewer>[] = [
  route({
    ...forAdmins,
    method: 'GET',
    path: '/api/notices/counter-notices',
    summary: 'Counter-notices that wait without a notice, the oldest first.',
    query: z.object({
      after: z
        .string()
        .refine((given) => isUuid(given), afterError)
        .optional()
        .meta({ description: 'The value of `next` in the answer before it.' }),
      limit: numberParameter('limit', { max: 200, byDefault: 50 }),
    }),
    invalid: badNoticeParameter,
    answers: { 200: UnattachedCounterNotices },
    handle: async (app, { query }) => jsonReply(await listUnattached(app, query)),
  }),
  route({
    ...forAdmins,
    method: 'POST',
    path: '/api/notices/counter-notices/:id/attach',
    maxBodyBytes: 16 * 1024,
    summary: 'Attaches a counter-notice to the notice that it answers: its times count from its receipt.',
    params,
    body: AttachBody,
    invalid: invalidNotice,
    answers: { 200: AttachedTo },
    errors: changeErrors,
    handle: async (app, { viewer, params: { id }, body }) =>
      jsonReply(await attachCounterNotice(app, viewer, { id, ...body })),
  }),
  route({
    ...forAdmins,
    method: 'POST',
    path: '/api/notices/counter-notices/:id/refuse',
    // A text of at most 5,000 characters, each of up to four bytes, escaped.
    maxBodyBytes: 256 * 1024,
    summary: 'Refuses a counter-notice without a notice, with reasons for whoever sent it.',
    params,
    body: RefuseBody,
    invalid: invalidNotice,
    answers: { 204: null },
    errors: changeErrors,
    async handle(app, { viewer, params: { id }, body }) {
      await refuseUnattached(app, viewer, { id, ...body })
      return emptyReply()
    },
  }),
]
