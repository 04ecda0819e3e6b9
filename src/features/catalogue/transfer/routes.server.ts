import { z } from 'zod'
import { strictBody } from '../../../http/body-fields.ts'
import { fileReply, jsonReply } from '../../../http/reply.ts'
import { declareRoutes, FileAnswer, type Route } from '../../../http/route.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import {
  badParameter,
  choiceParameter,
  idParams,
  lineParameter,
  pageParameter,
  optionalTextParameter,
  requestInvalid,
} from '../../../http/parameters.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { itemStatuses } from '../editing/content-sections.ts'
import { contentTypes } from '../item/content-type.ts'
import { exportFormats, exportPieces } from './export-items.server.ts'
import { createMissingCategories } from './missing-categories.server.ts'
import { noSuchImport, startImport, cancelImport } from './start-import.server.ts'
import { storeImport } from './store-import.server.ts'
import { ImportForAdmin, ImportProblemGroups, ImportProblems, ImportsForAdmin } from './import-schema.ts'
import { readImport, readImports, readProblemGroups, readProblems, rejectsOf } from './read-imports.server.ts'
import { fileIsEmpty, otherSeparator, rowTooLong } from './import-file.server.ts'
import { headerRefused } from '../../../platform/csv/csv-header.ts'
import { fileIsGone } from './pieces-of-import.server.ts'
import { runUnderWay } from '../../office/runs/begin-run.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 16 * 1024 })
const maxFileBytes = 200 * 1024 * 1024

const importParams = idParams('The id of the import.', noSuchImport)

const mediaTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const

const uploadQuery = z.object({
  name: lineParameter('name', 255, 'The name of the file. Its ending tells the format: .csv, .jsonl or .ndjson.'),
})

const optionsBody = strictBody({
  publish: z.boolean({ error: 'publish must be true or false.' }),
  createCategories: z.boolean({ error: 'createCategories must be true or false.' }),
}).meta({ id: 'ImportOptionsBody' })

const publishBody = strictBody({ publish: z.boolean({ error: 'publish must be true or false.' }) })

const problemsQuery = z.object({
  page: pageParameter,
  group: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'The parameter group is no key of a group.')
    .optional()
    .meta({ description: 'The key of a group: only the rows with that problem.' }),
})

const exportQuery = z.object({
  format: choiceParameter('format', exportFormats).default('csv'),
  status: choiceParameter('status', itemStatuses)
    .optional()
    .meta({ description: 'Without one: all but the removed items.' }),
  contentType: choiceParameter('contentType', contentTypes).optional(),
  category: optionalTextParameter('category', 60, 'The name of a category, in any case.'),
})

/** Import and export in the browser (docs/spec/catalogue.md#import-in-the-browser). */
export const importRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/imports',
    summary: 'The imports of the catalogue, the last 50, the newest first.',
    answers: { 200: ImportsForAdmin },
    handle: async (app) => jsonReply({ imports: await readImports(app) }),
  }),

  route({
    method: 'POST',
    path: '/api/imports',
    bodyKind: 'upload',
    maxBodyBytes: maxFileBytes,
    summary: 'Uploads a file of the import format. Nothing is imported yet.',
    query: uploadQuery,
    answers: { 201: ImportForAdmin },
    errors: [otherSeparator, rowTooLong, fileIsEmpty, headerRefused],
    async handle(app, { viewer, query, upload }) {
      const id = await storeImport(app, viewer, { name: query.name, upload })
      return jsonReply(await readImport(app, id), { status: 201 })
    },
  }),

  route({
    method: 'GET',
    path: '/api/imports/:id',
    summary: 'An import: how far it is, and what came of it.',
    params: importParams,
    answers: { 200: ImportForAdmin },
    errors: [noSuchImport],
    handle: async (app, { params }) => jsonReply(await readImport(app, params.id)),
  }),

  ...(['check', 'import'] as const).map((kind) =>
    route({
      method: 'POST',
      path: `/api/imports/:id/${kind === 'check' ? 'check' : 'start'}`,
      summary:
        kind === 'check'
          ? 'Begins to look at every row of an uploaded file. Nothing is written to the catalogue.'
          : 'Begins to import an uploaded file.',
      params: importParams,
      body: optionsBody,
      answers: { 202: ImportForAdmin },
      errors: [noSuchImport, fileIsGone, runUnderWay],
      async handle(app, { viewer, params: { id }, body }) {
        await startImport(app, viewer, id, { kind, ...body })
        return jsonReply(await readImport(app, id), { status: 202 })
      },
    }),
  ),

  route({
    method: 'POST',
    path: '/api/imports/:id/cancel',
    summary: 'Stops a check or an import after the rows under way, or gives an uploaded file up.',
    params: importParams,
    answers: { 200: ImportForAdmin },
    errors: [noSuchImport],
    async handle(app, { viewer, params: { id } }) {
      await cancelImport(app, viewer, id)
      return jsonReply(await readImport(app, id))
    },
  }),

  route({
    method: 'GET',
    path: '/api/imports/:id/problems',
    summary: 'The rows that were rejected, or not published, with their reasons.',
    params: importParams,
    query: problemsQuery,
    invalid: badParameter,
    answers: { 200: ImportProblems },
    errors: [noSuchImport],
    handle: async (app, { params, query }) => jsonReply(await readProblems(app, params.id, query)),
  }),

  route({
    method: 'GET',
    path: '/api/imports/:id/problem-groups',
    summary: 'The problems of those rows, each sentence once, and the categories that they lack.',
    params: importParams,
    answers: { 200: ImportProblemGroups },
    errors: [noSuchImport, requestInvalid],
    handle: async (app, { params }) => jsonReply(await readProblemGroups(app, params.id)),
  }),

  route({
    method: 'POST',
    path: '/api/imports/:id/categories',
    summary:
      'Creates the categories that the rows lack, as far as the gate allows, and begins to check the file again.',
    params: importParams,
    body: publishBody,
    answers: { 202: ImportForAdmin },
    errors: [noSuchImport, fileIsGone, runUnderWay],
    async handle(app, { viewer, params: { id }, body }) {
      await createMissingCategories(app, viewer, id, body)
      return jsonReply(await readImport(app, id), { status: 202 })
    },
  }),

  route({
    method: 'GET',
    path: '/api/imports/:id/rejects',
    summary: 'The same rows as a file that can be mended and imported.',
    params: importParams,
    answers: { 200: new FileAnswer(...Object.values(mediaTypes)) },
    errors: [noSuchImport],
    async handle(app, { params }) {
      const imported = await readImport(app, params.id)
      const name = `rejects-${imported.uploadedAt.slice(0, 10)}.${imported.format}`
      return fileReply(rejectsOf(app, imported), { mediaType: mediaTypes[imported.format], name })
    },
  }),

  route({
    method: 'GET',
    path: '/api/export',
    readsReplica: true,
    needsProofWithin: 60,
    summary: 'The catalogue in the import format, as a file.',
    query: exportQuery,
    invalid: badParameter,
    answers: { 200: new FileAnswer(...Object.values(mediaTypes)) },
    async handle(app, { viewer, query }) {
      const { format, ...filter } = query
      const by = { memberId: requireMember(viewer).id }
      await app.db
        .transaction()
        .execute((trx) => recordAuditEvent(trx, { action: 'items.exported', by, details: { format, ...filter } }))
      const name = `catalogue-${dayOf(app.clock.now(), app.config.timeZone)}.${format}`
      return fileReply(textsOf(exportPieces(app, query)), { mediaType: mediaTypes[format], name })
    },
  }),
]

async function* textsOf(pieces: AsyncIterable<{ text: string }>): AsyncGenerator<string> {
  for await (const { text } of pieces) if (text !== '') yield text
}
