import { z } from 'zod'
import { strictBody } from '../../../http/body-fields.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { badParameter, choiceParameter, idParams, placeParameter } from '../../../http/parameters.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import {
  applyBulkEdit,
  badChanges,
  beginBulkEdit,
  cancelBulkEdit,
  editIdTaken,
  editNotPossible,
  editOvertaken,
  noSuchEdit,
  undoBulkEdit,
  noSuchItem,
  switchItems,
} from './begin-bulk-edit.server.ts'
import { BulkChanges, BulkFilter } from './bulk-edit.ts'
import { BulkEditForAdmin, BulkEditsForAdmin, BulkItems, bulkOutcomes } from './bulk-schema.ts'
import { readBulkEdit, readBulkEdits, readBulkItems } from './read-bulk-edits.server.ts'
import { maxChosen } from '../editing/max-chosen.ts'
import { runUnderWay } from '../../office/runs/begin-run.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 64 * 1024 })
const editParams = idParams('The id of the edit.', noSuchEdit)

const editBody = z.strictObject(
  {
    id: z.uuid({ error: 'id must be a UUID.' }).optional().meta({
      description: 'Chosen by the caller: the same request sent twice makes one edit.',
    }),
    filter: BulkFilter,
    changes: BulkChanges,
  },
  { error: 'Send filter, changes and, if you like, an id, and nothing else.' },
)

const applyBody = z.strictObject(
  {
    version: z.int({ error: 'version must be the number that the edit was read with.' }).optional().meta({
      description: 'The version that the edit was read with: it is refused where entries were switched since.',
    }),
  },
  { error: 'Send version, if you like, and nothing else.' },
)

const idsError = 'items must be the ids of 1 to 1,000 items of the preview.'
const switchBody = strictBody({
  items: z
    .array(z.uuid({ error: idsError }), { error: idsError })
    .min(1, idsError)
    .max(maxChosen, idsError),
  isOn: z.boolean({ error: 'isOn must be true or false.' }),
})

const itemsQuery = z.object({
  outcome: choiceParameter('outcome', bulkOutcomes),
  after: placeParameter('after', 'The next of the page before.'),
})

/** Edits of many items at once (docs/spec/catalogue.md#bulk-edit). */
export const bulkRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/bulk-edits',
    summary: 'The last 20 edits of many items, the newest first.',
    answers: { 200: BulkEditsForAdmin },
    handle: async (app) => jsonReply({ edits: await readBulkEdits(app) }),
  }),

  route({
    method: 'POST',
    path: '/api/bulk-edits',
    summary: 'Begins the preview of an edit of many items. Nothing is changed yet.',
    body: editBody,
    answers: { 202: BulkEditForAdmin },
    errors: [badChanges, editIdTaken],
    async handle(app, { viewer, body }) {
      const id = await beginBulkEdit(app, viewer, body)
      return jsonReply(await readBulkEdit(app, id), { status: 202 })
    },
  }),

  route({
    method: 'GET',
    path: '/api/bulk-edits/:id',
    summary: 'An edit: how far it is, and what it changes.',
    params: editParams,
    answers: { 200: BulkEditForAdmin },
    errors: [noSuchEdit],
    handle: async (app, { params }) => jsonReply(await readBulkEdit(app, params.id)),
  }),

  route({
    method: 'GET',
    path: '/api/bulk-edits/:id/items',
    summary: 'Items of an edit with one outcome: what differs, and why some were refused or left.',
    params: editParams,
    query: itemsQuery,
    invalid: badParameter,
    answers: { 200: BulkItems },
    errors: [noSuchEdit],
    handle: async (app, { params, query }) => jsonReply(await readBulkItems(app, params.id, query)),
  }),

  route({
    method: 'POST',
    path: '/api/bulk-edits/:id/switch',
    summary: 'Switches items of a preview on or off. Those that are off are not changed.',
    params: editParams,
    body: switchBody,
    answers: { 200: BulkEditForAdmin },
    errors: [noSuchEdit, editNotPossible, noSuchItem],
    async handle(app, { params: { id }, body }) {
      await switchItems(app, id, body)
      return jsonReply(await readBulkEdit(app, id))
    },
  }),

  route({
    method: 'POST',
    path: '/api/bulk-edits/:id/apply',
    summary: 'Begins to change the items of the preview that are switched on and still as it saw them.',
    params: editParams,
    body: applyBody,
    answers: { 202: BulkEditForAdmin },
    errors: [noSuchEdit, editNotPossible, editOvertaken, runUnderWay],
    async handle(app, { viewer, params: { id }, body }) {
      await applyBulkEdit(app, viewer, { id, ...body })
      return jsonReply(await readBulkEdit(app, id), { status: 202 })
    },
  }),

  ...(
    [
      ['undo', undoBulkEdit, 'Begins to give the changed items what they were before, within 24 hours.'],
      ['cancel', cancelBulkEdit, 'Discards a preview, or stops the work after the step under way.'],
    ] as const
  ).map(([verb, act, summary]) =>
    route({
      method: 'POST',
      path: `/api/bulk-edits/:id/${verb}`,
      summary,
      params: editParams,
      answers: { [verb === 'cancel' ? 200 : 202]: BulkEditForAdmin },
      errors: [noSuchEdit, ...(verb === 'cancel' ? [] : [editNotPossible, runUnderWay])],
      async handle(app, { viewer, params: { id } }) {
        await act(app, viewer, id)
        return jsonReply(await readBulkEdit(app, id), { status: verb === 'cancel' ? 200 : 202 })
      },
    }),
  ),
]
