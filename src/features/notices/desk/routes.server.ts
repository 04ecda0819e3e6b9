import { z } from 'zod'
import {
  afterParameter,
  choiceParameter,
  idParameter,
  numberParameter,
  textParameter,
} from '../../../http/parameters.ts'
import { emptyReply, jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import {
  badNoticeParameter,
  invalidNotice,
  noSuchCounterNotice,
  noSuchNotice,
  noticeConflict,
  refusedTransition,
} from '../notice/notice-errors.ts'
import { noticeKinds } from '../notice/notice-kinds.ts'
import { readReference } from '../notice/reference.ts'
import { acceptCounterNotice, refuseCounterNotice, recordCourtAction } from './counter-notice.server.ts'
import {
  ActionBody,
  AppealBody,
  AssigneeBody,
  AskBody,
  DecisionBody,
  DecisionsBody,
  DuplicateBody,
  EntriesBody,
  KindBody,
  RefuseBody,
  VersionBody,
} from './desk-bodies.ts'
import { answerAppeal, decideNotice, otherPerson, previewDecision } from './decide-notice.server.ts'
import { decideNotices } from './decide-notices.server.ts'
import { assignNotice } from './assign-notice.server.ts'
import {
  assignedFilters,
  DecidedNotices,
  DecisionPreview,
  NoticeForDesk,
  NoticesForDesk,
  queueStates,
} from './desk-schema.ts'
import { listNotices, readPlace } from './list-notices.server.ts'
import { findNotice, readNoticeForDesk } from './notice-for-desk.server.ts'
import { markDuplicate } from './mark-duplicate.server.ts'
import {
  askSender,
  changeEntries,
  closeNotice,
  hideEntries,
  reclassifyNotice,
  reviewNotice,
} from './work-on-notice.server.ts'

const route = declareRoutes<NoticesApp, Viewer>({ access: 'admin', caching: 'never' })
/** Four texts of at most 5,000 characters, each of up to four bytes, escaped. */
const large = { maxBodyBytes: 256 * 1024 } as const

const params = z.object({
  reference: z
    .string()
    .transform((typed) => {
      const reference = readReference(typed)
      if (reference === undefined) throw noSuchNotice()
      return reference
    })
    .meta({ description: 'The reference of the notice, `N-XXXX-XXXX`.' }),
})

const counterParams = params.extend({ id: idParameter('The id of the counter-notice.', noSuchCounterNotice) })

const changeErrors = [noSuchNotice, noticeConflict, refusedTransition]

const changeRoute = declareRoutes<NoticesApp, Viewer, 'method' | 'answers'>({
  access: 'admin',
  method: 'POST',
  caching: 'never',
  maxBodyBytes: 16 * 1024,
  invalid: invalidNotice,
  answers: { 200: NoticeForDesk },
  errors: changeErrors,
})

function change<Body extends object>(
  act: string,
  summary: string,
  body: z.ZodType<Body>,
  work: (app: NoticesApp, viewer: Viewer, input: { reference: string } & Body) => Promise<NoticeForDesk>,
  limit: { maxBodyBytes?: number } = {},
): Route<NoticesApp, Viewer> {
  return changeRoute({
    ...limit,
    path: `/api/notices/:reference/${act}`,
    summary,
    params,
    body,
    handle: async (app, { viewer, params: { reference }, body: input }) =>
      jsonReply(await work(app, viewer, { reference, ...input })),
  })
}

/** 202 where it waits for a second safety officer: nothing else has changed. */
function noticeReply(notice: NoticeForDesk) {
  return jsonReply(notice, { status: notice.waitsForSecond ? 202 : 200 })
}

/** The desk (docs/spec/notices.md#desk). Notices about a child at risk are there for the safety officers alone. */
export const deskRoutes: Route<NoticesApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/notices',
    readsReplica: true,
    summary: 'Notices: those that wait by the time that is left, others the newest first.',
    query: z.object({
      state: choiceParameter('state', queueStates).default('open').meta({ description: 'open where none is given.' }),
      kind: choiceParameter('kind', noticeKinds).optional().meta({ description: 'Only notices of this kind.' }),
      search: textParameter(
        'search',
        200,
        'Only those with this in their reference, their sender, an address that was reported, or the name of its entry.',
      ),
      network: z
        .string()
        .optional()
        .meta({ description: 'The reference of a notice: only those that came from the network of its sender.' }),
      assigned: choiceParameter('assigned', assignedFilters)
        .default('all')
        .meta({ description: 'mine: those that the caller works on; nobody: those that nobody does.' }),
      after: afterParameter(readPlace),
      limit: numberParameter('limit', { max: 200, byDefault: 50 }),
    }),
    invalid: badNoticeParameter,
    answers: { 200: NoticesForDesk },
    errors: [noSuchNotice],
    async handle(app, { viewer, query: { network: reference, ...wanted } }) {
      const network = reference === undefined ? undefined : (await findNotice(app, viewer, reference)).id
      return jsonReply(await listNotices(app, viewer, { ...wanted, network }))
    },
  }),
  route({
    ...large,
    method: 'POST',
    path: '/api/notices/decisions',
    summary:
      'One decision about several notices, each with its own statement; in place of the decision in force where there is one. Each has a result of its own.',
    body: DecisionsBody,
    invalid: invalidNotice,
    answers: { 200: DecidedNotices },
    handle: async (app, { viewer, body: { notices, ...decision } }) =>
      jsonReply(await decideNotices(app, viewer, { notices, decision })),
  }),
  route({
    method: 'GET',
    path: '/api/notices/:reference',
    summary: 'A notice with everything that belongs to it.',
    params,
    answers: { 200: NoticeForDesk },
    errors: [noSuchNotice],
    handle: async (app, { viewer, params: { reference } }) =>
      jsonReply(await readNoticeForDesk(app, viewer, reference)),
  }),
  change(
    'assign',
    'Gives a notice to an administrator to work on, or to nobody. Its version and its clocks stay.',
    AssigneeBody,
    assignNotice,
  ),
  change('review', 'Begins the review of a notice.', VersionBody, reviewNotice),
  change(
    'hide',
    'Hides the entries of a notice that came when too many were hidden at once.',
    VersionBody,
    hideEntries,
  ),
  change('ask', 'Asks the sender for what is missing.', AskBody, askSender, large),
  changeRoute({
    path: '/api/notices/:reference/kind',
    summary: 'Gives a notice another kind; 204 where it is a matter of the safety officers then.',
    params,
    body: KindBody,
    answers: { 200: NoticeForDesk, 202: NoticeForDesk, 204: null },
    async handle(app, { viewer, params: { reference }, body }) {
      const notice = await reclassifyNotice(app, viewer, { reference, ...body })
      return notice === undefined ? emptyReply() : noticeReply(notice)
    },
  }),
  changeRoute({
    path: '/api/notices/:reference/entries',
    summary: 'Adds an address to a notice, or takes one off.',
    params,
    body: EntriesBody,
    answers: { 200: NoticeForDesk, 202: NoticeForDesk },
    handle: async (app, { viewer, params: { reference }, body }) =>
      noticeReply(await changeEntries(app, viewer, { reference, ...body })),
  }),
  change('duplicate', 'Marks a notice as one that repeats another.', DuplicateBody, markDuplicate),
  changeRoute({
    ...large,
    path: '/api/notices/:reference/decision/preview',
    summary: 'The emails of a decision, and its effect on each entry. Nothing is written.',
    params,
    body: DecisionBody,
    answers: { 200: DecisionPreview },
    handle: async (app, { viewer, params: { reference }, body: { version: read, ...decision } }) =>
      jsonReply(await previewDecision(app, viewer, { reference, version: read, decision })),
  }),
  changeRoute({
    ...large,
    path: '/api/notices/:reference/decision',
    summary:
      'Decides a notice; a second decision takes the place of the first. 202: to keep an entry that a notice about a child names waits for a second safety officer.',
    params,
    body: DecisionBody,
    answers: { 200: NoticeForDesk, 202: NoticeForDesk },
    handle: async (app, { viewer, params: { reference }, body: { version: read, ...decision } }) =>
      noticeReply(await decideNotice(app, viewer, { reference, version: read, decision })),
  }),
  changeRoute({
    ...large,
    path: '/api/notices/:reference/appeal',
    summary: 'Answers an appeal; somebody else than who decided, where there is somebody else.',
    params,
    body: AppealBody,
    answers: { 200: NoticeForDesk, 202: NoticeForDesk },
    errors: [...changeErrors, otherPerson],
    handle: async (app, { viewer, params: { reference }, body: { version: read, outcome, ...answer } }) =>
      noticeReply(await answerAppeal(app, viewer, { reference, version: read, outcome, answer })),
  }),
  changeRoute({
    path: '/api/notices/:reference/counter-notices/:id/accept',
    summary: 'Accepts a counter-notice and forwards it to the sender of the notice.',
    params: counterParams,
    body: VersionBody,
    errors: [...changeErrors, noSuchCounterNotice],
    handle: async (app, { viewer, params: { reference, id }, body }) =>
      jsonReply(await acceptCounterNotice(app, viewer, { reference, counterNoticeId: id, ...body })),
  }),
  changeRoute({
    ...large,
    path: '/api/notices/:reference/counter-notices/:id/refuse',
    summary: 'Refuses a counter-notice, with reasons for whoever sent it.',
    params: counterParams,
    body: RefuseBody,
    errors: [...changeErrors, noSuchCounterNotice],
    handle: async (app, { viewer, params: { reference, id }, body }) =>
      jsonReply(await refuseCounterNotice(app, viewer, { reference, counterNoticeId: id, ...body })),
  }),
  changeRoute({
    path: '/api/notices/:reference/counter-notices/:id/action',
    summary: 'Notes that a court action was reported: what the counter-notice names is not restored automatically.',
    params: counterParams,
    body: ActionBody,
    errors: [...changeErrors, noSuchCounterNotice],
    handle: async (app, { viewer, params: { reference, id }, body }) =>
      jsonReply(await recordCourtAction(app, viewer, { reference, counterNoticeId: id, ...body })),
  }),
  change('close', 'Closes a notice that is decided.', VersionBody, closeNotice),
]
