import { z } from 'zod'
import type { AccountsApp } from '../app.ts'
import { textField } from '../../../http/body-fields.ts'
import { idParams } from '../../../http/parameters.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { askForProof, noPasskey } from './check-factor.server.ts'
import { FactorAdded, FactorsForMember, PasskeyOptions, RecoveryCodes, TotpSetup } from './factor-schema.ts'
import { listFactors } from './list-factors.server.ts'
import {
  addPasskey,
  badPasskey,
  offerPasskey,
  passkeyExists,
  passkeyImpossible,
  passkeyNotFound,
  removePasskey,
  renamePasskey,
  tooManyPasskeys,
} from './passkeys.server.ts'
import { noFactor, renewRecoveryCodes } from './recovery-codes.server.ts'
import { confirmTotp, noTotp, removeTotp, setUpTotp, totpNotFound, wrongTotp } from './totp.server.ts'
import { invalidAccount } from '../user/assert-valid.server.ts'
import { lastFactor } from './second-factor.server.ts'

const route = declareRoutes<AccountsApp, Viewer>({ access: 'member', caching: 'never', maxBodyBytes: 16 * 1024 })

const params = idParams('The id of the passkey, as GET /auth/factors lists it.', passkeyNotFound)

const name = textField('name', 'The name of the passkey: at most 60 characters.')

/** A browser's answer, as JSON; the use case verifies it. */
export function passkeyField(field: string, description: string) {
  return z.record(z.string(), z.unknown(), { error: `The field ${field} must be an object.` }).meta({ description })
}

/** The second factor of members (docs/spec/accounts.md#second-factor). */
export const factorRoutes: Route<AccountsApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/auth/factors',
    summary: "The caller's passkeys, their authenticator app, and how many recovery codes they have left.",
    answers: { 200: FactorsForMember },
    handle: async (app, { viewer, siteUrl }) => jsonReply(await listFactors(app, viewer, { siteUrl })),
  }),

  route({
    method: 'POST',
    path: '/auth/passkeys/options',
    needsProofWithin: 15,
    rateLimit: 'passkey-options',
    summary: 'The options with which the browser makes a passkey: good once, within five minutes, in this session.',
    answers: { 200: PasskeyOptions },
    errors: [passkeyImpossible],
    handle: async (app, { viewer, siteUrl }) => jsonReply(await offerPasskey(app, viewer, { siteUrl })),
  }),

  route({
    method: 'POST',
    path: '/auth/passkeys',
    needsProofWithin: 15,
    summary:
      "Adds a passkey. The first factor of an account ends the caller's other sessions, and its answer holds the recovery codes, once.",
    body: z
      .object({ name, response: passkeyField('response', "The browser's new passkey, as JSON.") })
      .meta({ required: ['name', 'response'] }),
    invalid: invalidAccount,
    answers: { 201: FactorAdded },
    errors: [passkeyExists, passkeyImpossible, badPasskey, tooManyPasskeys],
    handle: async (app, { viewer, body, siteUrl }) =>
      jsonReply(await addPasskey(app, viewer, { ...body, siteUrl }), { status: 201 }),
  }),

  route({
    method: 'PUT',
    path: '/auth/passkeys/:id',
    summary: "Gives one of the caller's passkeys another name.",
    params,
    body: z.object({ name }).meta({ required: ['name'] }),
    invalid: invalidAccount,
    answers: { 200: FactorsForMember },
    errors: [passkeyNotFound],
    handle: async (app, { viewer, params: { id }, body, siteUrl }) => {
      await renamePasskey(app, viewer, { id, name: body.name })
      return jsonReply(await listFactors(app, viewer, { siteUrl }))
    },
  }),

  route({
    method: 'DELETE',
    path: '/auth/passkeys/:id',
    needsProofWithin: 15,
    summary: "Removes one of the caller's passkeys; with the last factor the recovery codes end.",
    params,
    answers: { 204: null },
    errors: [lastFactor, passkeyNotFound],
    handle: (app, { viewer, params: { id } }) => removePasskey(app, viewer, { id }),
  }),

  route({
    method: 'POST',
    path: '/auth/totp',
    needsProofWithin: 15,
    summary: 'The secret for an authenticator app, which is in force once a code of it is confirmed within 15 minutes.',
    answers: { 200: TotpSetup },
    handle: async (app, { viewer }) => jsonReply(await setUpTotp(app, viewer)),
  }),

  route({
    method: 'POST',
    path: '/auth/totp/confirm',
    needsProofWithin: 15,
    summary:
      "Puts the authenticator app into force, in place of another one. The first factor of an account ends the caller's other sessions, and its answer holds the recovery codes, once.",
    body: z.object({ code: textField('code', 'Six digits, as the app shows them.') }).meta({ required: ['code'] }),
    invalid: invalidAccount,
    answers: { 201: FactorAdded },
    errors: [noTotp, wrongTotp],
    handle: async (app, { viewer, body }) => jsonReply(await confirmTotp(app, viewer, body), { status: 201 }),
  }),

  route({
    method: 'DELETE',
    path: '/auth/totp',
    needsProofWithin: 15,
    summary: "Removes the caller's authenticator app; with the last factor the recovery codes end.",
    answers: { 204: null },
    errors: [lastFactor, totpNotFound],
    handle: (app, { viewer }) => removeTotp(app, viewer),
  }),

  route({
    method: 'POST',
    path: '/auth/recovery-codes',
    needsProofWithin: 15,
    summary: 'Makes ten new recovery codes and answers them, once. Those before them end.',
    answers: { 200: RecoveryCodes },
    errors: [noFactor],
    handle: async (app, { viewer }) => jsonReply(await renewRecoveryCodes(app, viewer)),
  }),

  route({
    method: 'POST',
    path: '/auth/proof/options',
    rateLimit: 'passkey-options',
    summary: 'The options with which the browser asks for a passkey, as a proof.',
    answers: { 200: PasskeyOptions },
    errors: [noPasskey],
    handle: async (app, { viewer, siteUrl }) => jsonReply(await askForProof(app, viewer, { siteUrl })),
  }),
]
