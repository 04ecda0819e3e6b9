import { z } from 'zod'
import { textField } from '../../../http/body-fields.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { AccountsApp } from '../app.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { dropAddressChange, requestAddressChange } from './change-address.server.ts'
import { addressTaken, confirmAddress, invalidLink } from './confirm-address.server.ts'
import { confirmedSentence } from './confirmed-sentence.ts'
import { sendConfirmation } from './send-confirmation.server.ts'
import { invalidAccount } from '../user/assert-valid.server.ts'
import { tooManyAttempts } from '../../../platform/rate-limit/rate-limits.ts'

const route = declareRoutes<AccountsApp, Viewer>({ access: 'member', caching: 'never', maxBodyBytes: 16 * 1024 })

/** Confirming and changing the address of an account (docs/spec/accounts.md#address-confirmation). */
export const addressRoutes: Route<AccountsApp, Viewer>[] = [
  route({
    method: 'POST',
    path: '/auth/address',
    needsProofWithin: 15,
    rateLimit: 'change-address',
    summary:
      'Asks for another address: a link that confirms it goes there, and nothing changes before it is used. The answer is the same for an address that somebody has.',
    body: z.object({ email: textField('email', 'The new address.') }).meta({ required: ['email'] }),
    invalid: invalidAccount,
    answers: { 202: MessageAnswer },
    handle: async (app, { viewer, body }) => {
      await requestAddressChange(app, viewer, { email: body.email })
      return jsonReply(
        { message: `We sent a link to ${body.email.trim()}. Use it, and the address changes.` },
        { status: 202 },
      )
    },
  }),

  route({
    method: 'DELETE',
    path: '/auth/address',
    summary: 'Drops the address that the caller has asked for.',
    answers: { 204: null },
    handle: (app, { viewer }) => dropAddressChange(app, viewer),
  }),

  route({
    method: 'POST',
    path: '/auth/address/confirmation',
    summary: "Sends another link that confirms the caller's address, at most every 10 minutes.",
    answers: { 200: MessageAnswer, 202: MessageAnswer },
    // Kept with the account: no counter of its own.
    errors: [tooManyAttempts],
    handle: async (app, { viewer }) =>
      (await sendConfirmation(app, viewer)) === 'sent'
        ? jsonReply({ message: 'The link was sent. It works for 7 days.' }, { status: 202 })
        : jsonReply({ message: 'Your address is confirmed already.' }),
  }),

  route({
    access: 'anyone',
    method: 'POST',
    path: '/confirm-address',
    rateLimit: 'confirm-address',
    summary: 'Confirms the address that a link was sent to, or changes to it. The same link says the same again.',
    body: z.object({ token: textField('token', 'The token of the link.') }).meta({ required: ['token'] }),
    invalid: invalidAccount,
    answers: { 200: MessageAnswer },
    errors: [invalidLink, addressTaken],
    handle: async (app, { body, address }) =>
      jsonReply({ message: confirmedSentence(await confirmAddress(app, { token: body.token, address })) }),
  }),
]
