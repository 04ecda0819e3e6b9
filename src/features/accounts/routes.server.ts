import { z } from 'zod'
import type { AccountsApp } from './app.ts'
import { MessageAnswer } from '../../http/message-schema.ts'
import { emptyReply, jsonReply } from '../../http/reply.ts'
import { declareRoutes, type Route } from '../../http/route.ts'
import { flagField, textField } from '../../http/body-fields.ts'
import { idParams } from '../../http/parameters.ts'
import { AccessForMember, AccountForMember } from './account/account-schema.ts'
import { SessionsForMember } from './sessions/session-schema.ts'
import { auditRoutes } from './audit/routes.server.ts'
import { changePassword } from './sign-in/change-password.server.ts'
import { endOtherSessions, endSession } from './sessions/end-session.server.ts'
import { listSessions } from './sessions/list-sessions.server.ts'
import { readAccount } from './account/read-account.server.ts'
import { peopleRoutes } from './people/routes.server.ts'
import { registerAccount } from './sign-in/register-account.server.ts'
import { requestPasswordReset } from './sign-in/request-password-reset.server.ts'
import { resetPassword } from './sign-in/reset-password.server.ts'
import { signIn } from './sign-in/sign-in.server.ts'
import { hasRole, requireMember, type Viewer } from './user/viewer.ts'

const route = declareRoutes<AccountsApp, Viewer>()

/** Nobody keeps what is said of a person, and none of these calls needs more than 16 KiB. */
const usual = { caching: 'never', maxBodyBytes: 16 * 1024 } as const

/** What the rules of a field refuse has this code, whether its type is wrong or what it says. */
const invalid = { code: 'account.invalid', status: 422 } as const

const email = textField('email', 'The email address.')
const newPassword = textField(
  'password',
  'The new password: at least 8 characters, and not one of the first to be guessed.',
)

/** The token opens a session: send it as `authorization: Bearer …`. It is nowhere else. */
const SignedIn = z.object({ token: z.string(), name: z.string(), email: z.string() })

/** The accounts' part of the HTTP interface (docs/spec/http.md#routes). */
export const accountRoutes: Route<AccountsApp, Viewer>[] = [
  route({
    ...usual,
    access: 'anyone',
    method: 'POST',
    path: '/auth/register',
    rateLimit: 'register',
    summary: 'Opens an account. Sign in afterwards: this opens no session.',
    body: z
      .object({ name: textField('name', 'The name that the site shows.'), email, password: newPassword })
      .meta({ required: ['name', 'email', 'password'] }),
    invalid,
    answers: { 201: MessageAnswer },
    errors: ['account.exists', 'passwords.busy'],
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
    ...usual,
    access: 'anyone',
    method: 'POST',
    path: '/auth/login',
    rateLimit: 'sign-in',
    summary: 'Opens a session for who knows the password, and answers its token.',
    body: z
      .object({
        email,
        password: textField('password', 'The password.'),
        remember: flagField('remember', 'Whether the session outlives the browser window.'),
      })
      .meta({ required: ['email', 'password'] }),
    invalid,
    answers: { 200: SignedIn },
    errors: ['sign_in.failed', 'sign_in.weak_password', 'passwords.busy'],
    handle: async (app, { body, address, userAgent }) =>
      jsonReply(
        await signIn(app, {
          email: body.email,
          password: body.password,
          isRemembered: body.remember,
          address,
          userAgent,
        }),
      ),
  }),

  route({
    ...usual,
    access: 'member',
    method: 'POST',
    path: '/auth/logout',
    summary: 'Ends the session of this request.',
    answers: { 204: null },
    errors: ['session.not_found'],
    handle: async (app, { viewer }) => {
      await endSession(app, viewer, { id: requireMember(viewer).sessionId })
      return emptyReply({ 'clear-site-data': '"cache"' })
    },
  }),

  route({
    ...usual,
    access: 'member',
    method: 'GET',
    path: '/auth/status',
    summary: 'Says what the caller may enter.',
    answers: { 200: AccessForMember },
    handle: (_app, { viewer }) =>
      Promise.resolve(jsonReply({ isAdmin: hasRole(viewer, 'admin'), isVip: hasRole(viewer, 'vip') })),
  }),

  route({
    ...usual,
    access: 'member',
    method: 'GET',
    path: '/auth/dashboard',
    summary: "The caller's own account.",
    answers: { 200: AccountForMember },
    handle: async (app, { viewer }) => jsonReply(await readAccount(app, viewer)),
  }),

  route({
    ...usual,
    access: 'member',
    method: 'GET',
    path: '/auth/sessions',
    summary: "The caller's sessions, the one in use first.",
    answers: { 200: SessionsForMember },
    handle: async (app, { viewer }) => jsonReply({ sessions: await listSessions(app, viewer) }),
  }),

  route({
    ...usual,
    access: 'member',
    method: 'DELETE',
    path: '/auth/sessions',
    summary: "Ends all of the caller's sessions but the one of this request.",
    answers: { 204: null },
    handle: async (app, { viewer }) => {
      await endOtherSessions(app, viewer)
      return emptyReply()
    },
  }),

  route({
    ...usual,
    access: 'member',
    method: 'DELETE',
    path: '/auth/sessions/:id',
    summary: "Ends one of the caller's sessions.",
    params: idParams('The id of the session, as GET /auth/sessions lists it.'),
    answers: { 204: null },
    errors: ['session.not_found'],
    handle: async (app, { viewer, params }) => {
      await endSession(app, viewer, { id: params.id })
      return emptyReply()
    },
  }),

  route({
    ...usual,
    access: 'member',
    method: 'POST',
    path: '/reset-password/account',
    needsClientKey: true,
    rateLimit: 'change-password',
    summary: "Changes the caller's password, and ends their other sessions.",
    body: z
      .object({ token: textField('token', 'The token of the session of this request.'), password: newPassword })
      .meta({ required: ['token', 'password'] }),
    invalid,
    answers: { 200: MessageAnswer },
    errors: ['session.other', 'passwords.busy'],
    handle: async (app, { viewer, body }) => {
      await changePassword(app, viewer, { token: body.token, password: body.password })
      return jsonReply({ message: 'Password changed successfully!' })
    },
  }),

  route({
    ...usual,
    access: 'anyone',
    method: 'POST',
    path: '/forgot-password',
    rateLimit: 'forgot',
    summary: 'Sends a link that sets a new password. The answer is the same for an address that nobody has.',
    body: z.object({ email }).meta({ required: ['email'] }),
    invalid,
    answers: { 200: MessageAnswer },
    handle: async (app, { body, address }) => {
      await requestPasswordReset(app, { email: body.email, address })
      return jsonReply({ message: 'Password reset link sent!' })
    },
  }),

  route({
    ...usual,
    access: 'anyone',
    method: 'POST',
    path: '/reset-password',
    needsClientKey: true,
    rateLimit: 'reset',
    summary: 'Sets a new password with the token of such a link, and ends all sessions of the account.',
    body: z
      .object({ token: textField('token', 'The token of the link.'), password: newPassword })
      .meta({ required: ['token', 'password'] }),
    invalid,
    answers: { 200: MessageAnswer },
    errors: ['reset.invalid', 'passwords.busy'],
    handle: async (app, { body, address }) => {
      await resetPassword(app, { token: body.token, password: body.password, address })
      return jsonReply({ message: 'Password reset successfully.' })
    },
  }),
  ...peopleRoutes,

  ...auditRoutes,
]
