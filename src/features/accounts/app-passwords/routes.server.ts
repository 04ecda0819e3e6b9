import { z } from 'zod'
import { textField } from '../../../http/body-fields.ts'
import { idParams } from '../../../http/parameters.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { AccountsApp } from '../app.ts'
import { invalidAccount } from '../user/assert-valid.server.ts'
import { AppPasswords, NewAppPassword } from './app-password-schema.ts'
import {
  appPasswordNotFound,
  endAppPassword,
  listAppPasswords,
  makeAppPassword,
  tooManyAppPasswords,
} from './app-passwords.server.ts'

const route = declareRoutes<AccountsApp, Viewer>({ access: 'member', caching: 'never', maxBodyBytes: 16 * 1024 })

/** Passwords for reading programs (docs/spec/accounts.md#app-passwords). */
export const appPasswordRoutes: Route<AccountsApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/account/app-passwords',
    summary: "The caller's app passwords by name, the newest first.",
    answers: { 200: AppPasswords },
    handle: async (app, { viewer }) => jsonReply(await listAppPasswords(app, viewer)),
  }),

  route({
    method: 'POST',
    path: '/account/app-passwords',
    needsProofWithin: 15,
    summary: 'Makes an app password, which opens the OPDS catalogues alone. The answer has it, once.',
    body: z.object({ name: textField('name', 'Its name: at most 60 characters.') }).meta({ required: ['name'] }),
    invalid: invalidAccount,
    answers: { 201: NewAppPassword },
    errors: [tooManyAppPasswords],
    handle: async (app, { viewer, body }) => jsonReply(await makeAppPassword(app, viewer, body), { status: 201 }),
  }),

  route({
    method: 'DELETE',
    path: '/account/app-passwords/:id',
    needsProofWithin: 15,
    summary: "Ends one of the caller's app passwords.",
    params: idParams('The id of the app password, as GET /account/app-passwords lists it.', appPasswordNotFound),
    answers: { 204: null },
    errors: [appPasswordNotFound],
    handle: (app, { viewer, params }) => endAppPassword(app, viewer, params),
  }),
]
