import { z } from 'zod'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { defineError } from '../../../platform/errors.ts'
import { textField, strictBody } from '../../../http/body-fields.ts'
import { afterParameter, choiceParameter, idParams, textParameter } from '../../../http/parameters.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { RequestsApp } from '../app.ts'
import {
  closeInquiries,
  closeInquiry,
  inquiryConflict,
  noSuchInquiry,
  readInquiries,
  reopenInquiry,
  replyToInquiry,
} from './answer-inquiry.server.ts'
import {
  ClosedInquiries,
  InquiriesForAdmin,
  InquiryForAdmin,
  inquiryStates,
  maxClosedAtOnce,
  maxReply,
} from './inquiry-schema.ts'
import { invalidInquiry, sendInquiry, sentSentence } from './send-inquiry.server.ts'
import { tooManyInquiries } from './support-limits.server.ts'

const route = declareRoutes<RequestsApp, Viewer>()

const adminRoute = declareRoutes<RequestsApp, Viewer>({ access: 'admin', caching: 'never' })
const params = idParams('The id of the inquiry.', noSuchInquiry)
const changeErrors = [noSuchInquiry, inquiryConflict]
const badParameter = defineError({
  code: 'inquiry.parameter',
  status: 400,
  remedy: 'Correct the parameter that the answer names as its field.',
})

const versionError = 'version must be the number that the inquiry was read with.'
const version = z.int({ error: versionError }).min(1, versionError).max(1_000_000_000, versionError)
const VersionBody = strictBody({ version }).meta({ id: 'InquiryVersionBody' })

const replyError = `message must be a text of 1 to ${maxReply.toLocaleString('en-US')} characters.`
const ReplyBody = strictBody({
  message: z
    .string({ error: replyError })
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .refine(
      (text) => text !== '' && [...text].length <= maxReply && text.isWellFormed() && !text.includes('\0'),
      replyError,
    )
    .meta({ description: 'The text of the email to the sender.' }),
  version,
})

const closeError = `inquiries must be a list of 1 to ${maxClosedAtOnce} inquiries, each once, with id and version.`
const CloseBody = strictBody({
  inquiries: z
    .array(
      z.strictObject(
        { id: z.string({ error: closeError }).refine(isUuid, closeError).toLowerCase(), version },
        { error: closeError },
      ),
      { error: closeError },
    )
    .min(1, closeError)
    .max(maxClosedAtOnce, closeError)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, closeError),
})

/** Inquiries to the operator (docs/spec/notices.md#support). */
export const supportRoutes: Route<RequestsApp, Viewer>[] = [
  route({
    access: 'anyone',
    method: 'POST',
    path: '/support',
    caching: 'never',
    maxBodyBytes: 64 * 1024,
    rateLimit: 'inquiry',
    summary: 'Sends an inquiry to the operator. With a bearer it is that of the account.',
    body: strictBody({
      name: textField('name', 'The name of the sender.'),
      email: textField('email', 'Where the answer goes.'),
      message: textField('message', 'The inquiry: at most 5,000 characters.'),
      sending: textField('sending', 'Random text: the same inquiry with the same text is one.'),
    }).meta({ required: ['name', 'email', 'message'] }),
    invalid: invalidInquiry,
    answers: { 200: MessageAnswer },
    errors: [tooManyInquiries],
    async handle(app, { viewer, body, address }) {
      await sendInquiry(app, viewer, { ...body, address })
      return jsonReply({ message: sentSentence })
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/api/inquiries',
    readsReplica: true,
    summary: 'Inquiries in a state: open ones with VIPs first and the oldest first, others the newest first.',
    query: z.object({
      state: choiceParameter('state', inquiryStates).default('open').meta({ description: 'open where none is given.' }),
      email: textParameter('email', 254, 'Only those with this address.'),
      after: afterParameter((text) => {
        const { who, id = '' } = /^(?<who>vip|all)\.(?<id>.+)$/.exec(text)?.groups ?? {}
        return who !== undefined && isUuid(id) ? { isVip: who === 'vip', id } : undefined
      }),
    }),
    invalid: badParameter,
    answers: { 200: InquiriesForAdmin },
    handle: async (app, { query }) => jsonReply(await readInquiries(app, query)),
  }),
  adminRoute({
    method: 'POST',
    path: '/api/inquiries/:id/reply',
    maxBodyBytes: 64 * 1024,
    summary: 'Answers an inquiry by email, once.',
    params,
    body: ReplyBody,
    answers: { 200: InquiryForAdmin },
    errors: changeErrors,
    handle: async (app, { viewer, params: { id }, body }) =>
      jsonReply(await replyToInquiry(app, viewer, { id, ...body })),
  }),
  adminRoute({
    method: 'POST',
    path: '/api/inquiries/close',
    maxBodyBytes: 64 * 1024,
    summary: 'Closes several inquiries. Those that somebody else has changed meanwhile stay as they are.',
    body: CloseBody,
    answers: { 200: ClosedInquiries },
    handle: async (app, { viewer, body: { inquiries } }) => jsonReply(await closeInquiries(app, viewer, inquiries)),
  }),
  ...(['close', 'reopen'] as const).map((verb) =>
    adminRoute({
      method: 'POST',
      path: `/api/inquiries/:id/${verb}`,
      maxBodyBytes: 16 * 1024,
      summary: verb === 'close' ? 'Closes an inquiry.' : 'Opens an inquiry again.',
      params,
      body: VersionBody,
      answers: { 200: InquiryForAdmin },
      errors: changeErrors,
      handle: async (app, { viewer, params: { id }, body }) =>
        jsonReply(await (verb === 'close' ? closeInquiry : reopenInquiry)(app, viewer, { id, ...body })),
    }),
  ),
]
