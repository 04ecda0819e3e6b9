import { z } from 'zod'
import { textField, strictBody } from '../../../http/body-fields.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { AdminHome, longestNote, WaitingList } from './admin-home-schema.ts'
import { readAdminHome, readWaiting } from './read-admin-home.server.ts'
import { noSuchStep, resumeStep, skipStep } from './skip-step.server.ts'

const route = declareRoutes<SiteApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 16 * 1024 })
const params = z.object({ name: z.string().meta({ description: 'The name of the first step.' }) })

/** The home of the administration (docs/spec/pages.md#admin-home). */
export const homeRoutes: Route<SiteApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/admin/home',
    summary: 'The home of the administration: what waits or went wrong, yesterday in figures, first steps.',
    answers: { 200: AdminHome },
    handle: async (app, { viewer }) => jsonReply(await readAdminHome(app, viewer)),
  }),
  route({
    method: 'GET',
    path: '/api/admin/waiting',
    summary: 'Work that waits for an administrator.',
    answers: { 200: WaitingList },
    handle: async (app, { viewer }) => jsonReply(await readWaiting(app, viewer)),
  }),
  route({
    method: 'PUT',
    path: '/api/admin/first-steps/:name/skipped',
    summary: 'Skips a first step, with a note that says why.',
    params,
    body: strictBody({
      note: textField('note', `The reason, of 1 to ${longestNote} characters.`).refine(
        (note) => note.trim() !== '' && note.trim().length <= longestNote,
        { error: `Please say why in 1 to ${longestNote} characters.` },
      ),
    }),
    answers: { 204: null },
    errors: [noSuchStep],
    handle: (app, { viewer, params: { name }, body: { note } }) => skipStep(app, viewer, { name, note: note.trim() }),
  }),
  route({
    method: 'DELETE',
    path: '/api/admin/first-steps/:name/skipped',
    summary: 'Takes a skipped first step back.',
    params,
    answers: { 204: null },
    handle: (app, { viewer, params: { name } }) => resumeStep(app, viewer, name),
  }),
]
