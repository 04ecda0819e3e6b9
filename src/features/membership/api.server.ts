import type { Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import type { Route, RouteReply } from '../../platform/doors.ts'
import { AppError } from '../../platform/errors.ts'
import { billingAdminRoutes } from './admin-api.server.ts'
import { deleteAccount } from './delete-account.server.ts'
import { exportMemberData } from './export-member-data.server.ts'
import { openPortal } from './open-portal.server.ts'
import { readCheckout } from './read-checkout.server.ts'
import { readMembership } from './read-membership.server.ts'
import { receiveEvent } from './receive-event.server.ts'
import { startCheckout } from './start-checkout.server.ts'

type MembershipRoute = Route<App, Viewer>

const usual = { needsClientKey: false, isShared: false } as const
/** As much as these calls ever need. */
const mostBodyBytes = 16 * 1024

/** The membership's part of the HTTP interface (PRODUCT.md, section 7 and section 12, "Billing"). */
export const membershipRoutes: MembershipRoute[] = [
  {
    ...usual,
    door: 'member',
    method: 'POST',
    path: '/pay/vip-payment',
    mostBodyBytes,
    handle: async (app, { viewer, body, address, siteUrl }) =>
      reply(
        await startCheckout(app, viewer, {
          email: textOf(body, 'email'),
          planType: textOf(body, 'planType'),
          address,
          siteUrl,
        }),
      ),
  },
  {
    ...usual,
    door: 'member',
    method: 'GET',
    path: '/pay/session/:id',
    handle: async (app, { viewer, params }) =>
      reply(await readCheckout(app, viewer, { sessionId: params['id'] ?? '' })),
  },
  {
    ...usual,
    door: 'member',
    method: 'GET',
    path: '/pay/membership',
    handle: async (app, { viewer }) => reply(await readMembership(app, viewer)),
  },
  {
    ...usual,
    door: 'member',
    method: 'POST',
    path: '/stripe-portal/create-portal-session',
    mostBodyBytes,
    handle: async (app, { viewer, siteUrl }) => reply(await openPortal(app, viewer, { siteUrl })),
  },
  {
    ...usual,
    door: 'anyone',
    method: 'POST',
    path: '/webhooks/stripe',
    handle: async (app, { rawBody, header }) => {
      await receiveEvent(app, { payload: rawBody, signature: header('stripe-signature') })
      return reply({ received: true })
    },
  },
  {
    ...usual,
    door: 'member',
    method: 'GET',
    path: '/auth/export',
    handle: async (app, { viewer }) => ({
      ...reply(await exportMemberData(app, viewer)),
      headers: { ...personal, 'content-disposition': 'attachment; filename="my-data.json"' },
    }),
  },
  {
    ...usual,
    door: 'member',
    needsClientKey: true,
    method: 'DELETE',
    path: '/auth/delete-account/:email',
    handle: async (app, { viewer, params }) => {
      await deleteAccount(app, viewer, { email: params['email'] ?? '' })
      return reply({ message: 'Account successfully deleted.' })
    },
  },
  ...billingAdminRoutes,
]

/** Nothing about a person is kept on the way. */
const personal = { 'cache-control': 'no-store' }

function reply(answer: object): RouteReply {
  return { status: 200, body: () => JSON.stringify(answer), headers: personal }
}

function textOf(body: Record<string, unknown>, field: string): string {
  const value = body[field] ?? ''
  if (typeof value === 'string' && value.isWellFormed() && !value.includes('\0')) return value
  throw new AppError({ code: 'checkout.invalid', status: 422, message: `The field ${field} must be a text.`, field })
}
