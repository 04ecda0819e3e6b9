import { z } from 'zod'
import { afterParameter, badParameter, choiceParameter, idParams, textParameter } from '../../../http/parameters.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { rehearsalOn } from '../../office/rehearsal.server.ts'
import { readInstantPlace } from '../../../platform/time/instant-place.ts'
import { unknownMember } from '../user/unknown-member.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { AccountsApp } from '../app.ts'
import { badMailSignature, noProvider, receiveMailEvents, unreadable } from './receive-mail-events.server.ts'
import { emailUnderWay } from './email-fates.server.ts'
import { emailFates, SentEmails } from './sent-email-schema.ts'
import { listSentEmails, noStop, resumeEmailsOf, resumeOwnEmails } from './sent-emails.server.ts'

const route = declareRoutes<AccountsApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 16 * 1024 })

/** The fates of emails, and the addresses that take none (docs/spec/email.md#fates). */
export const sentEmailRoutes: Route<AccountsApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/sent-emails',
    readsReplica: true,
    summary: 'Emails of the last 30 days and what became of them, the newest first.',
    query: z.object({
      search: textParameter('search', 200, 'A part of an address.'),
      fate: choiceParameter('fate', ['all', ...emailFates])
        .default('all')
        .meta({ description: 'all where none is given.' }),
      after: afterParameter(readInstantPlace),
    }),
    invalid: badParameter,
    answers: { 200: SentEmails },
    handle: async (app, { query }) => jsonReply(await listSentEmails(app, query)),
  }),

  route({
    method: 'DELETE',
    path: '/api/people/:id/email-stop',
    summary: 'Has emails go to the address of a member again.',
    params: idParams('The id of the member.', unknownMember),
    answers: { 204: null },
    errors: [unknownMember, noStop],
    handle: (app, { viewer, params: { id } }) => resumeEmailsOf(app, viewer, id),
  }),

  route({
    access: 'member',
    method: 'DELETE',
    path: '/account/email-stop',
    summary: "Has emails go to the caller's address again.",
    answers: { 204: null },
    handle: (app, { viewer }) => resumeOwnEmails(app, viewer),
  }),

  route({
    access: 'anyone',
    method: 'POST',
    path: '/webhooks/mail/:provider',
    bodyKind: 'raw',
    maxBodyBytes: 1_048_576,
    summary: 'Takes what the mail provider reports of bounces and complaints, signed as that provider does it.',
    params: z.object({ provider: z.string().meta({ description: 'mailgun, sendgrid or resend.' }) }),
    described: { body: z.union([z.looseObject({}), z.array(z.looseObject({}))]) },
    answers: { 204: null },
    errors: [noProvider, badMailSignature, unreadable, rehearsalOn, emailUnderWay],
    handle: (app, { params: { provider }, rawBody, header }) =>
      receiveMailEvents(app, { provider, payload: rawBody, header }),
  }),
]
