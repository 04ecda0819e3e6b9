import { z } from 'zod'
import { fileReply, jsonReply } from '../../../http/reply.ts'
import { declareRoutes, FileAnswer, type Route } from '../../../http/route.ts'
import { badParameter, choiceParameter, idParams, placeParameter } from '../../../http/parameters.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { MembershipApp } from '../app.ts'
import { exportMembers } from './export-members.server.ts'
import { MemberImport, MemberImportRows, MemberImports, rowOutcomes } from './import-schema.ts'
import { maxMembersFileBytes, membersFileFormats, membersFileTypes } from './members-file.ts'
import { listImports, readImport, readImportRows, unknownImport } from './read-import.server.ts'
import { readRejects } from './read-rejects.server.ts'
import {
  cancelImport,
  discardImport,
  importBeingRead,
  startImport,
  stillRunning,
  stopInvitations,
} from './run-import.server.ts'
import { stageImport } from './stage-import.server.ts'
import { noSuchFile } from './read-members-file.server.ts'
import { headerRefused } from '../../../platform/csv/csv-header.ts'
import { runUnderWay } from '../../office/runs/begin-run.server.ts'

const route = declareRoutes<MembershipApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 16 * 1024 })

const params = idParams('The id of the import.', unknownImport)

/** Files of members for administrators (docs/spec/accounts.md#members-file). */
export const membersFileRoutes: Route<MembershipApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/member-export',
    readsReplica: true,
    needsProofWithin: 15,
    summary: 'All members as a file, in the columns that an import reads.',
    query: z.object({
      format: z.enum(membersFileFormats, { error: 'The parameter format must be csv or jsonl.' }).default('csv'),
    }),
    invalid: badParameter,
    answers: { 200: new FileAnswer(...Object.values(membersFileTypes)) },
    rateLimit: 'members-export',
    handle: async (app, { viewer, query: { format } }) =>
      fileReply(await exportMembers(app, viewer, { format }), {
        mediaType: membersFileTypes[format],
        name: `members-${new Date(app.clock.now()).toISOString().slice(0, 10)}.${format}`,
      }),
  }),

  route({
    method: 'GET',
    path: '/api/member-imports',
    summary: 'The latest imports of members.',
    answers: { 200: MemberImports },
    handle: async (app) => jsonReply(await listImports(app)),
  }),

  route({
    method: 'POST',
    path: '/api/member-imports',
    bodyKind: 'upload',
    maxBodyBytes: maxMembersFileBytes,
    summary: 'Reads a file of members, CSV or JSON lines, and says what an import would do. Nobody is imported yet.',
    answers: { 201: MemberImport },
    errors: [headerRefused, noSuchFile],
    handle: async (app, { viewer, upload }) => jsonReply(await stageImport(app, viewer, upload), { status: 201 }),
  }),

  route({
    method: 'GET',
    path: '/api/member-imports/:id',
    summary: 'How far an import of members is.',
    params,
    answers: { 200: MemberImport },
    errors: [unknownImport],
    handle: async (app, { params: { id } }) => jsonReply(await readImport(app, { id })),
  }),

  route({
    method: 'GET',
    path: '/api/member-imports/:id/rows',
    summary: 'The result, or the expected result, of each row of an import.',
    params,
    query: z.object({
      outcome: choiceParameter('outcome', rowOutcomes).optional().meta({ description: 'Only rows with this outcome.' }),
      after: placeParameter('after', 'The line after which the report goes on.'),
    }),
    invalid: badParameter,
    answers: { 200: MemberImportRows },
    errors: [unknownImport],
    handle: async (app, { params: { id }, query }) =>
      jsonReply(await readImportRows(app, { id, outcome: query.outcome, after: query.after })),
  }),

  route({
    method: 'GET',
    path: '/api/member-imports/:id/rejects',
    summary: 'The rejected rows as a file that can be mended and imported.',
    params,
    answers: { 200: new FileAnswer(...Object.values(membersFileTypes)) },
    errors: [unknownImport],
    async handle(app, { params: { id } }) {
      const { format, uploadedAt, pieces } = await readRejects(app, { id })
      const name = `rejects-${uploadedAt.toISOString().slice(0, 10)}.${format}`
      return fileReply(pieces, { mediaType: membersFileTypes[format], name })
    },
  }),

  route({
    method: 'POST',
    path: '/api/member-imports/:id/start',
    summary: 'Imports the new members of a file that was read, as a job, and invites each by email.',
    params,
    answers: { 202: MemberImport },
    errors: [unknownImport, importBeingRead, runUnderWay],
    handle: async (app, { viewer, params: { id } }) =>
      jsonReply(await startImport(app, viewer, { id }), { status: 202 }),
  }),

  route({
    method: 'POST',
    path: '/api/member-imports/:id/cancel',
    summary: 'Stops an import after the batch under way. Imported members stay, and it may be started again.',
    params,
    answers: { 200: MemberImport },
    errors: [unknownImport],
    handle: async (app, { viewer, params: { id } }) => jsonReply(await cancelImport(app, viewer, { id })),
  }),

  route({
    method: 'POST',
    path: '/api/member-imports/:id/stop-invitations',
    summary: 'Stops an import, if it is under way, and drops the invitations that wait of it. Imported members stay.',
    params,
    answers: { 200: MemberImport },
    errors: [unknownImport],
    handle: async (app, { viewer, params: { id } }) => jsonReply(await stopInvitations(app, viewer, { id })),
  }),

  route({
    method: 'DELETE',
    path: '/api/member-imports/:id',
    summary: 'Drops a file of members that was read, and its report.',
    params,
    answers: { 204: null },
    errors: [unknownImport, stillRunning],
    handle: (app, { viewer, params: { id } }) => discardImport(app, viewer, { id }),
  }),
]
