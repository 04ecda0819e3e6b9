import type { Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import type { Route, RouteReply, RouteRequest } from '../../platform/doors.ts'
import { AppError } from '../../platform/errors.ts'
import { findBillingMembers } from './find-billing-members.server.ts'
import { orderReconciliation } from './order-reconciliation.server.ts'
import { readDriftReport } from './read-drift-report.server.ts'
import { readMemberBilling } from './read-member-billing.server.ts'
import { resyncMember } from './resync-member.server.ts'
import { reviewDisputes } from './review-disputes.server.ts'

/** None of these calls needs a body. */
const mostBodyBytes = 16 * 1024

function route(
  method: 'GET' | 'POST',
  path: string,
  handle: (app: App, request: RouteRequest<Viewer>) => Promise<RouteReply>,
): Route<App, Viewer> {
  return { door: 'admin', needsClientKey: false, method, path, isShared: false, mostBodyBytes, handle }
}

/** Billing for administrators (PRODUCT.md, section 10, "Billing truth"; BILLING.md, "Staying equal"). */
export const billingAdminRoutes: Route<App, Viewer>[] = [
  route('GET', '/api/billing/members', async (app, { viewer, query }) =>
    reply(await findBillingMembers(app, viewer, { search: searchOf(query) })),
  ),

  route('GET', '/api/billing/members/:id', async (app, { viewer, params }) =>
    reply(await readMemberBilling(app, viewer, { id: params['id'] ?? '' })),
  ),

  route('POST', '/api/billing/members/:id/sync', async (app, { viewer, params }) =>
    reply(await resyncMember(app, viewer, { id: params['id'] ?? '' })),
  ),

  route('POST', '/api/billing/members/:id/review', async (app, { viewer, params }) =>
    reply(await reviewDisputes(app, viewer, { id: params['id'] ?? '' })),
  ),

  route('GET', '/api/billing/drift', async (app, { viewer }) => reply(await readDriftReport(app, viewer))),

  route('POST', '/api/billing/reconcile', async (app, { viewer }) => {
    await orderReconciliation(app, viewer)
    return reply({ message: 'The reconciliation is in line.' }, 202)
  }),
]

function reply(answer: object, status = 200): RouteReply {
  return { status, body: () => JSON.stringify(answer), headers: { 'cache-control': 'no-store' } }
}

/** The address can spell what is no text to the database: the character zero. */
function searchOf(query: URLSearchParams): string {
  const search = query.get('search') ?? ''
  if (search.length <= 200 && !search.includes('\0')) return search
  throw new AppError({
    code: 'search.parameter',
    status: 400,
    message: 'search must be a text of at most 200 characters.',
    field: 'search',
  })
}
