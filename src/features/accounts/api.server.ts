import type { App } from '../../platform/app.ts'
import type { Door, Route, RouteReply, RouteRequest } from '../../platform/doors.ts'
import { AppError } from '../../platform/errors.ts'
import { changePassword } from './change-password.server.ts'
import { endOtherSessions, endSession } from './end-session.server.ts'
import { listSessions } from './list-sessions.server.ts'
import { readAccount } from './read-account.server.ts'
import { registerAccount } from './register-account.server.ts'
import { requestPasswordReset } from './request-password-reset.server.ts'
import { resetPassword } from './reset-password.server.ts'
import { signIn } from './sign-in.server.ts'
import { memberOf, type Viewer } from './viewer.ts'

/** PRODUCT.md, section 12, "Headers": sign-in 16 KiB. */
const mostBodyBytes = 16 * 1024

type Handle = (app: App, request: RouteRequest<Viewer>) => Promise<RouteReply>

function route(door: Door, method: Route<App, Viewer>['method'], path: string, handle: Handle): Route<App, Viewer> {
  return { door, needsClientKey: false, method, path, isShared: false, mostBodyBytes, handle }
}

/** The same for a call that PRODUCT.md, section 7, marks "key". */
function routeWithKey(...[door, method, path, handle]: Parameters<typeof route>): Route<App, Viewer> {
  return { ...route(door, method, path, handle), needsClientKey: true }
}

/** The accounts' part of the HTTP interface (PRODUCT.md, section 7, the auth calls; issue "Accounts", 7). */
export const accountRoutes: Route<App, Viewer>[] = [
  route('anyone', 'POST', '/auth/register', async (app, { viewer, body, address }) => {
    await registerAccount(app, viewer, {
      name: text(body, 'name'),
      email: text(body, 'email'),
      password: text(body, 'password'),
      address,
    })
    return reply({ message: 'Account created successfully!' }, 201)
  }),

  route('anyone', 'POST', '/auth/login', async (app, { viewer, body, address, userAgent }) =>
    reply(
      await signIn(app, viewer, {
        email: text(body, 'email'),
        password: text(body, 'password'),
        isRemembered: flag(body, 'remember'),
        address,
        userAgent,
      }),
    ),
  ),

  route('member', 'POST', '/auth/logout', async (app, { viewer }) => {
    await endSession(app, viewer, { id: memberOf(viewer).sessionId })
    return done
  }),

  route('member', 'GET', '/auth/status', (_app, { viewer }) =>
    Promise.resolve(reply({ isAdmin: viewer.isAdmin, isVip: memberOf(viewer).isVip })),
  ),

  route('member', 'GET', '/auth/dashboard', async (app, { viewer }) => reply(await readAccount(app, viewer))),

  route('member', 'GET', '/auth/sessions', async (app, { viewer }) =>
    reply({ sessions: await listSessions(app, viewer) }),
  ),

  route('member', 'DELETE', '/auth/sessions', async (app, { viewer }) => {
    await endOtherSessions(app, viewer)
    return done
  }),

  route('member', 'DELETE', '/auth/sessions/:id', async (app, { viewer, params }) => {
    await endSession(app, viewer, { id: params['id'] ?? '' })
    return done
  }),

  routeWithKey('member', 'POST', '/reset-password/account', async (app, { viewer, body }) => {
    await changePassword(app, viewer, { token: text(body, 'token'), password: text(body, 'password') })
    return reply({ message: 'Password changed successfully!' })
  }),

  route('anyone', 'POST', '/forgot-password', async (app, { viewer, body, address }) => {
    await requestPasswordReset(app, viewer, { email: text(body, 'email'), address })
    return reply({ message: 'Password reset link sent!' })
  }),

  routeWithKey('anyone', 'POST', '/reset-password', async (app, { viewer, body, address }) => {
    await resetPassword(app, viewer, { token: text(body, 'token'), password: text(body, 'password'), address })
    return reply({ message: 'Password reset successfully.' })
  }),
]

/** Nothing about a person is kept on the way. */
const personal = { 'cache-control': 'no-store' }

const done: RouteReply = { status: 204, body: () => '', headers: personal }

function reply(answer: object, status = 200): RouteReply {
  return { status, body: () => JSON.stringify(answer), headers: personal }
}

/**
 * A text of the body; missing, it is empty, and the rules of its field say so. JSON can spell what is no text to the
 * database: halves of characters, and the character zero.
 */
function text(body: Record<string, unknown>, field: string): string {
  const value = body[field] ?? ''
  if (typeof value === 'string' && value.isWellFormed() && !value.includes('\0')) return value
  throw new AppError({ code: 'account.invalid', status: 422, message: `The field ${field} must be a text.`, field })
}

function flag(body: Record<string, unknown>, field: string): boolean {
  const value = body[field] ?? false
  if (typeof value === 'boolean') return value
  throw new AppError({
    code: 'account.invalid',
    status: 422,
    message: `The field ${field} must be true or false.`,
    field,
  })
}
