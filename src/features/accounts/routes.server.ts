import { z } from 'zod'
import type { AccountsApp } from './app.ts'
import { MessageAnswer } from '../../http/message-schema.ts'
import { emptyReply, jsonReply } from '../../http/reply.ts'
import { declareRoutes, type Route } from '../../http/route.ts'
import { flagField, textField } from '../../http/body-fields.ts'
import { idParams } from '../../http/parameters.ts'
import { AccessForMember, AccountForMember } from '../office/viewer/viewer-schema.ts'
import { SessionsForMember } from './sessions/session-schema.ts'
import { factorRoutes, passkeyField } from './factors/routes.server.ts'
import { feedTokenRoutes } from './feed-tokens/routes.server.ts'
import type { FactorInput } from './factors/check-factor.server.ts'
import { sentEmailRoutes } from './sent-emails/routes.server.ts'
import { appPasswordRoutes } from './app-passwords/routes.server.ts'
import { addressRoutes } from './address/routes.server.ts'
import { DevicesForMember } from './devices/device-schema.ts'
import { readDeviceSecrets, writeDeviceSecrets } from './devices/device-cookie.server.ts'
import { deviceNotFound, forgetDevice, forgetOtherDevices, listDevices } from './devices/list-devices.server.ts'
import { changePassword, otherSession } from './sign-in/change-password.server.ts'
import { proofWrong, prove, readProof } from './sign-in/prove.server.ts'
import { ProofAndFactors } from './factors/factor-schema.ts'
import { ProofForMember } from './sessions/proof-schema.ts'
import { PasswordChanged } from './sign-in/password-changed-schema.ts'
import { endOtherSessions, endSession, sessionNotFound } from './sessions/end-session.server.ts'
import { listSessions } from './sessions/list-sessions.server.ts'
import { readAccount } from './account/read-account.server.ts'
import { peopleRoutes } from './people/routes.server.ts'
import { emailInUse, registerAccount } from './sign-in/register-account.server.ts'
import { requestPasswordReset } from './sign-in/request-password-reset.server.ts'
import { invalidLink, resetPassword } from './sign-in/reset-password.server.ts'
import { signIn, signInFailed, weakPassword } from './sign-in/sign-in.server.ts'
import { hasRole, lacksSecondFactor, requireMember, type Viewer } from '../office/viewer/viewer.ts'
import { invalidAccount } from './user/assert-valid.server.ts'
import { factorNeeded, factorWrong } from './sign-in/require-factor.server.ts'
import { passwordsBusy } from './passwords/passwords.server.ts'

const route = declareRoutes<AccountsApp, Viewer>({ access: 'member', caching: 'never', maxBodyBytes: 16 * 1024 })

/** Nobody keeps what is said of a person, and none of these calls needs more than 16 KiB. */
const email = textField('email', 'The email address.')
const newPassword = textField(
  'password',
  'The new password: at least 8 characters, and not one of the first to be guessed.',
)

/** The token opens a session: send it as `authorization: Bearer …`. It is nowhere else. */
const SignedIn = z.object({ token: z.string(), name: z.string(), email: z.string() })

const oneProof = 'Send one of password, code and passkey.'

const factorFields = {
  code: textField('code', 'A code of the authenticator app, or a recovery code.'),
  passkey: passkeyField('passkey', "The browser's answer to a passkey's options, as JSON.").nullish(),
}

function factorOf({
  code,
  passkey,
}: {
  code: string
  passkey?: Record<string, unknown> | null | undefined
}): FactorInput | undefined {
  if (passkey !== undefined && passkey !== null) return { kind: 'passkey', response: passkey }
  return code === '' ? undefined : { kind: 'code', code }
}

/** The accounts' part of the HTTP interface (docs/spec/http.md#routes). */
export const accountRoutes: Route<AccountsApp, Viewer>[] = [
  route({
    access: 'anyone',
    method: 'POST',
    path: '/auth/register',
    rateLimit: 'register',
    summary: 'Opens an account. Sign in afterwards: this opens no session.',
    body: z
      .object({
        name: textField('name', 'The name that the site shows.'),
        email,
        password: textField('password', 'The password: at least 6 characters, and not one of the first to be guessed.'),
      })
      .meta({ required: ['name', 'email', 'password'] }),
    invalid: invalidAccount,
    answers: { 201: MessageAnswer },
    errors: [emailInUse, passwordsBusy],
    handle: async (app, { body, address }) => {
      await registerAccount(app, {
        name: body.name,
        email: body.email,
        password: body.password,
        address,
      })
      return jsonReply({ message: 'Account created successfully!' }, { status: 201 })
    },
  }),

  route({
    access: 'anyone',
    method: 'POST',
    path: '/auth/login',
    rateLimit: 'sign-in',
    summary:
      'Opens a session for who knows the password and has the second factor, where the account has one, and answers its token. The cookie that it sets makes the device known; it opens nothing.',
    body: z
      .object({
        email,
        password: textField('password', 'The password.'),
        remember: flagField('remember', 'Whether the session outlives the browser window.'),
        ...factorFields,
      })
      .meta({ required: ['email', 'password'] }),
    invalid: invalidAccount,
    answers: { 200: SignedIn },
    errors: [factorNeeded, factorWrong, signInFailed, weakPassword, passwordsBusy],
    handle: async (app, { body, address, userAgent, header, siteUrl }) => {
      const { deviceSecrets, ...signedIn } = await signIn(app, {
        email: body.email,
        password: body.password,
        isRemembered: body.remember,
        address,
        userAgent,
        factor: factorOf(body),
        siteUrl,
        deviceSecrets: readDeviceSecrets(app, header('cookie')),
      })
      return jsonReply(signedIn, { headers: { 'set-cookie': writeDeviceSecrets(app, deviceSecrets) } })
    },
  }),

  route({
    method: 'POST',
    path: '/auth/logout',
    summary: 'Ends the session of this request.',
    answers: { 204: null },
    errors: [sessionNotFound],
    handle: async (app, { viewer }) => {
      await endSession(app, viewer, { id: requireMember(viewer).sessionId })
      return emptyReply({ 'clear-site-data': '"cache"' })
    },
  }),

  route({
    method: 'GET',
    path: '/auth/status',
    summary: 'Says what the caller may enter.',
    answers: { 200: AccessForMember },
    handle: (_app, { viewer }) =>
      Promise.resolve(
        jsonReply({
          isAdmin: hasRole(viewer, 'admin'),
          isVip: hasRole(viewer, 'vip'),
          needsSecondFactor: lacksSecondFactor(viewer),
        }),
      ),
  }),

  route({
    method: 'GET',
    path: '/auth/dashboard',
    summary: "The caller's own account.",
    answers: { 200: AccountForMember },
    handle: async (app, { viewer }) => jsonReply(await readAccount(app, viewer)),
  }),

  route({
    method: 'GET',
    path: '/auth/proof',
    summary: 'When the caller has last proved who they are, in this session, and with which factors they can.',
    answers: { 200: ProofAndFactors },
    handle: async (app, { viewer, siteUrl }) => jsonReply(await readProof(app, viewer, { siteUrl })),
  }),

  route({
    method: 'POST',
    path: '/auth/proof',
    rateLimit: 'sign-in',
    summary:
      'Proves who the caller is, for the calls that need a fresh proof, by one of password, code and passkey. The token stays.',
    body: z
      .object({ password: textField('password', "The caller's current password."), ...factorFields })
      .refine((body) => body.password === '' || factorOf(body) === undefined, { error: oneProof, path: ['password'] })
      .refine(({ code, passkey }) => code === '' || (passkey ?? undefined) === undefined, {
        error: oneProof,
        path: ['code'],
      }),
    invalid: invalidAccount,
    answers: { 200: ProofForMember },
    errors: [proofWrong, passwordsBusy],
    handle: async (app, { viewer, body, address, header, siteUrl }) =>
      jsonReply(
        await prove(app, viewer, {
          proof: factorOf(body) ?? { kind: 'password', password: body.password },
          address,
          siteUrl,
          deviceSecrets: readDeviceSecrets(app, header('cookie')),
        }),
      ),
  }),

  route({
    method: 'GET',
    path: '/auth/sessions',
    summary: "The caller's sessions, the one in use first.",
    answers: { 200: SessionsForMember },
    handle: async (app, { viewer }) => jsonReply({ sessions: await listSessions(app, viewer) }),
  }),

  route({
    method: 'DELETE',
    path: '/auth/sessions',
    needsProofWithin: 15,
    summary: "Ends all of the caller's sessions but the one of this request.",
    answers: { 204: null },
    handle: (app, { viewer }) => endOtherSessions(app, viewer),
  }),

  route({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    needsProofWithin: 15,
    summary: "Ends one of the caller's sessions.",
    params: idParams('The id of the session, as GET /auth/sessions lists it.', sessionNotFound),
    answers: { 204: null },
    errors: [sessionNotFound],
    handle: (app, { viewer, params }) => endSession(app, viewer, { id: params.id }),
  }),

  route({
    method: 'GET',
    path: '/auth/devices',
    summary: "The browsers that are known for the caller's account, the one in use first.",
    answers: { 200: DevicesForMember },
    handle: async (app, { viewer, header }) =>
      jsonReply({ devices: await listDevices(app, viewer, readDeviceSecrets(app, header('cookie'))) }),
  }),

  route({
    method: 'DELETE',
    path: '/auth/devices',
    needsProofWithin: 15,
    summary: "Forgets all of the caller's devices but the one of this request. Their sessions stay.",
    answers: { 204: null },
    handle: (app, { viewer, header }) => forgetOtherDevices(app, viewer, readDeviceSecrets(app, header('cookie'))),
  }),

  route({
    method: 'DELETE',
    path: '/auth/devices/:id',
    needsProofWithin: 15,
    summary: "Forgets one of the caller's devices. Its sessions stay.",
    params: idParams('The id of the device, as GET /auth/devices lists it.', deviceNotFound),
    answers: { 204: null },
    errors: [deviceNotFound],
    handle: (app, { viewer, params }) => forgetDevice(app, viewer, { id: params.id }),
  }),

  route({
    method: 'POST',
    path: '/reset-password/account',
    needsClientKey: true,
    needsProofWithin: 15,
    rateLimit: 'change-password',
    summary:
      "Changes the caller's password, ends their other sessions and forgets their other devices. This session goes on under the token of the answer.",
    body: z
      .object({ token: textField('token', 'The token of the session of this request.'), password: newPassword })
      .meta({ required: ['token', 'password'] }),
    invalid: invalidAccount,
    answers: { 200: PasswordChanged },
    errors: [otherSession, passwordsBusy],
    handle: async (app, { viewer, body, header }) => {
      const { token } = await changePassword(app, viewer, {
        token: body.token,
        password: body.password,
        deviceSecrets: readDeviceSecrets(app, header('cookie')),
      })
      return jsonReply({ message: 'Password changed successfully!', token })
    },
  }),

  route({
    access: 'anyone',
    method: 'POST',
    path: '/forgot-password',
    rateLimit: 'forgot',
    summary: 'Sends a link that sets a new password. The answer is the same for an address that nobody has.',
    body: z.object({ email }).meta({ required: ['email'] }),
    invalid: invalidAccount,
    answers: { 200: MessageAnswer },
    handle: async (app, { body, address, header }) => {
      const deviceSecrets = readDeviceSecrets(app, header('cookie'))
      await requestPasswordReset(app, { email: body.email, address, deviceSecrets })
      return jsonReply({ message: 'Password reset link sent!' })
    },
  }),

  route({
    access: 'anyone',
    method: 'POST',
    path: '/reset-password',
    needsClientKey: true,
    rateLimit: 'reset',
    summary:
      'Sets a new password with the token of such a link, ends all sessions of the account and forgets its other devices.',
    body: z
      .object({ token: textField('token', 'The token of the link.'), password: newPassword })
      .meta({ required: ['token', 'password'] }),
    invalid: invalidAccount,
    answers: { 200: MessageAnswer },
    errors: [invalidLink, passwordsBusy],
    handle: async (app, { body, address, header }) => {
      const deviceSecrets = readDeviceSecrets(app, header('cookie'))
      await resetPassword(app, { token: body.token, password: body.password, address, deviceSecrets })
      return jsonReply({ message: 'Password reset successfully.' })
    },
  }),
  ...factorRoutes,

  ...feedTokenRoutes,
  ...appPasswordRoutes,

  ...sentEmailRoutes,

  ...addressRoutes,

  ...peopleRoutes,
]
