import { z } from 'zod'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { defineError } from '../../../platform/errors.ts'
import { textField, strictBody } from '../../../http/body-fields.ts'
import { afterParameter, choiceParameter, idParams, numberParameter, textParameter } from '../../../http/parameters.ts'
import { isUuid } from '../../../platform/uuid.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { RequestsApp } from '../app.ts'
import {
  alreadyDecided,
  decideRequest,
  decisionSettled,
  findItemChoices,
  fulfilRequest,
  noSuchEntry,
  notApproved,
  rejectRequests,
  removeRequest,
  removeRequests,
  takenDown,
  undoDecision,
} from './decide-request.server.ts'
import { noSuchRequest, readOpenRequests, readOwnRequests, readRequests } from './read-requests.server.ts'
import { limitLooks } from './request-limits.server.ts'
import {
  ItemChoices,
  maxChosen,
  OpenRequests,
  RejectedRequests,
  RemovedRequests,
  RequestForAdmin,
  RequestForMember,
  RequestsForAdmin,
  RequestsForMember,
  requestStatuses,
  SimilarToTitle,
} from './request-schema.ts'
import { findItemsByTitle } from './find-items-by-title.server.ts'
import { findSimilarRequests } from './similar-requests.server.ts'
import {
  dailyLimitReached,
  invalidRequest,
  ownVoteStays,
  requestClosed,
  setVote,
  submitRequest,
} from './submit-request.server.ts'

const adminRoute = declareRoutes<RequestsApp, Viewer>({ access: 'admin', caching: 'never' })
const route = declareRoutes<RequestsApp, Viewer>({ access: 'member', caching: 'never' })
const small = { maxBodyBytes: 16 * 1024 } as const

const params = idParams('The id of the request.', noSuchRequest)
const badParameter = defineError({
  code: 'recommendation.parameter',
  status: 400,
  remedy: 'Correct the parameter that the answer names as its field.',
})

const maxAtOnce = 1_000
const beforeError = 'The parameter before must be the id of a request.'

const AdminQuery = z.object({
  status: choiceParameter('status', requestStatuses)
    .optional()
    .meta({ description: 'Only requests with this status.' }),
  author: choiceParameter('author', ['none'])
    .optional()
    .meta({ description: 'none: only those whose authors have deleted their accounts, and that were not taken down.' }),
  before: z
    .string()
    .refine(isUuid, beforeError)
    .optional()
    .meta({ description: 'The id of the last request of the answer before: what is older follows.' }),
  limit: numberParameter('limit', { max: maxAtOnce, byDefault: maxAtOnce }),
})

const OpenQuery = z.object({
  after: afterParameter((text) => {
    const { votes, id = '' } = /^(?<votes>\d{1,9})\.(?<id>.+)$/.exec(text)?.groups ?? {}
    return votes !== undefined && isUuid(id) ? { votes: Number(votes), id } : undefined
  }),
})

const severalError = `ids must be a list of 1 to ${maxChosen} ids of requests, each once.`
const SeveralBody = strictBody({
  ids: z
    .array(z.string({ error: severalError }).refine(isUuid, severalError).toLowerCase(), { error: severalError })
    .min(1, severalError)
    .max(maxChosen, severalError)
    .refine((ids) => new Set(ids).size === ids.length, severalError),
}).meta({ id: 'RequestsBody' })

/** Requests of members (docs/spec/membership.md#requests). */
export const contentRequestRoutes: Route<RequestsApp, Viewer>[] = [
  adminRoute({
    method: 'GET',
    path: '/recommendations',
    readsReplica: true,
    summary: 'Requests of members, the newest first.',
    query: AdminQuery,
    invalid: badParameter,
    answers: { 200: RequestsForAdmin },
    handle: async (app, { viewer, query: { author, ...rest } }) =>
      jsonReply(await readRequests(app, viewer, { ...rest, isOfNobody: author === 'none' })),
  }),
  ...(['approve', 'reject'] as const).map((verb) =>
    adminRoute({
      ...small,
      method: 'POST',
      path: `/recommendations/:id/${verb}`,
      summary: `${verb === 'approve' ? 'Approves' : 'Rejects'} a pending request; it is decided once.`,
      params,
      answers: { 200: RequestForAdmin },
      errors: [noSuchRequest, alreadyDecided, takenDown],
      handle: async (app, { viewer, params: { id } }) =>
        jsonReply(await decideRequest(app, viewer, { id, status: verb === 'approve' ? 'approved' : 'rejected' })),
    }),
  ),
  adminRoute({
    ...small,
    method: 'POST',
    path: '/recommendations/:id/undo',
    summary: 'Takes a decision back within seconds, while no entry fulfils the request: it is pending again.',
    params,
    answers: { 200: RequestForAdmin },
    errors: [noSuchRequest, decisionSettled, takenDown],
    handle: async (app, { viewer, params: { id } }) => jsonReply(await undoDecision(app, viewer, { id })),
  }),
  adminRoute({
    ...small,
    method: 'POST',
    path: '/recommendations/:id/remove',
    summary: 'Takes a request down, whatever was decided: no member sees it any more.',
    params,
    answers: { 200: RequestForAdmin },
    errors: [noSuchRequest],
    handle: async (app, { viewer, params: { id } }) => jsonReply(await removeRequest(app, viewer, { id })),
  }),
  adminRoute({
    ...small,
    method: 'POST',
    path: '/recommendations/remove',
    summary: 'Takes several requests down, whatever was decided.',
    body: SeveralBody,
    answers: { 200: RemovedRequests },
    handle: async (app, { viewer, body: { ids } }) => jsonReply(await removeRequests(app, viewer, ids)),
  }),
  adminRoute({
    ...small,
    method: 'POST',
    path: '/recommendations/reject',
    summary: 'Rejects several pending requests.',
    body: SeveralBody,
    answers: { 200: RejectedRequests },
    handle: async (app, { viewer, body: { ids } }) => jsonReply(await rejectRequests(app, viewer, ids)),
  }),
  adminRoute({
    ...small,
    method: 'PUT',
    path: '/recommendations/:id/item',
    summary:
      'Links an approved request to the item that fulfils it; those who voted are notified by email, once, when they can open it.',
    params,
    body: strictBody({ itemId: z.string({ error: 'itemId must be the id of an item.' }) }),
    answers: { 200: RequestForAdmin },
    errors: [noSuchRequest, notApproved, takenDown, noSuchEntry],
    handle: async (app, { viewer, params: { id }, body: { itemId } }) =>
      jsonReply(await fulfilRequest(app, viewer, { id, itemId })),
  }),
  adminRoute({
    method: 'GET',
    path: '/recommendations/items',
    summary: 'Items that may fulfil a request, by their names; where none matches, the nearest.',
    query: z.object({ search: textParameter('search', 200, 'A text similar to the name.') }),
    invalid: badParameter,
    answers: { 200: ItemChoices },
    handle: async (app, { viewer, query }) => jsonReply(await findItemChoices(app, viewer, query)),
  }),
  route({
    ...small,
    method: 'POST',
    path: '/recommendations',
    rateLimit: 'request',
    summary: 'Makes a request; 200 where an open one has the same title: then it is a vote for that one.',
    body: strictBody({
      title: textField('title', 'The wanted work: at most 120 characters.'),
      description: textField('description', 'More about it: at most 2,000 characters.'),
    }).meta({ required: ['title'] }),
    invalid: invalidRequest,
    answers: { 200: RequestForMember, 201: RequestForMember },
    errors: [dailyLimitReached],
    async handle(app, { viewer, body, address }) {
      const { request, isNew } = await submitRequest(app, viewer, { ...body, address })
      return jsonReply(request, { status: isNew ? 201 : 200 })
    },
  }),
  route({
    method: 'GET',
    path: '/recommendations/open',
    summary: 'The open requests of others, those that most members want first.',
    query: OpenQuery,
    invalid: badParameter,
    answers: { 200: OpenRequests },
    handle: async (app, { viewer, query }) => jsonReply(await readOpenRequests(app, viewer, query)),
  }),
  route({
    method: 'GET',
    path: '/recommendations/mine',
    summary: "The caller's own requests, the newest first.",
    answers: { 200: RequestsForMember },
    handle: async (app, { viewer }) => jsonReply(await readOwnRequests(app, viewer)),
  }),
  route({
    method: 'GET',
    path: '/recommendations/similar',
    rateLimit: 'request',
    summary: 'Open requests whose titles are like this one, at most five, and items that answer it, at most three.',
    query: z.object({ title: textParameter('title', 200, 'The text typed so far.') }),
    invalid: badParameter,
    answers: { 200: SimilarToTitle },
    async handle(app, { viewer, query }) {
      await limitLooks(app, requireMember(viewer).id)
      const [requests, items] = await Promise.all([
        findSimilarRequests(app, viewer, query),
        findItemsByTitle(app, viewer, query),
      ])
      return jsonReply({ requests, items })
    },
  }),
  ...(['PUT', 'DELETE'] as const).map((method) =>
    route({
      ...small,
      method,
      path: '/recommendations/:id/vote',
      rateLimit: 'request',
      summary: method === 'PUT' ? 'Votes for an open request.' : "Takes the caller's vote back.",
      params,
      answers: { 200: RequestForMember },
      errors: [noSuchRequest, requestClosed, ...(method === 'PUT' ? [] : [ownVoteStays])],
      handle: async (app, { viewer, params: { id } }) =>
        jsonReply(await setVote(app, viewer, { id, isFor: method === 'PUT' })),
    }),
  ),
]
