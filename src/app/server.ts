import { accountRoutes } from '../features/accounts/routes.server.ts'
import { recogniseViewer } from '../features/accounts/sessions/recognise-viewer.server.ts'
import { adminKeyOf } from '../features/accounts/sessions/tokens.server.ts'
import { canAccess } from '../features/office/viewer/can-access.ts'
import { factorRequired } from '../features/accounts/factors/factor-required.ts'
import { anonymous, lacksSecondFactor, type Viewer } from '../features/office/viewer/viewer.ts'
import { answerTemplateRoutes } from '../features/office/answers/routes.server.ts'
import { auditRoutes } from '../features/office/audit/routes.server.ts'
import { catalogueRoutes } from '../features/catalogue/routes.server.ts'
import { membershipRoutes } from '../features/membership/routes.server.ts'
import { noticeRoutes } from '../features/notices/routes.server.ts'
import { requestRoutes } from '../features/requests/routes.server.ts'
import { features } from '../features/site/features.server.ts'
import { siteRoutes } from '../features/site/routes.server.ts'
import type { AccessPolicy } from '../http/authorize.ts'
import type { Route } from '../http/route.ts'
import { openHttpServer, type RunningServer } from '../http/server.ts'
import type { ServerParts } from '../http/server-parts.ts'
import type { App } from './app.ts'
import { pages } from './pages.ts'
import { readinessChecks, readinessRemarks } from './readiness.ts'

export type { RunningServer } from '../http/server.ts'

/** Every route of the HTTP interface, by feature; the pages stand in `pages.ts`. */
export const routeGroups: readonly { name: string; description: string; routes: readonly Route<App, Viewer>[] }[] = [
  {
    name: 'Catalogue',
    description:
      'The list of items, single items and their links; their administration, with imports, bulk edits and categories.',
    routes: catalogueRoutes,
  },
  {
    name: 'Accounts',
    description: 'Signing up and in, the second factor, the own account, and people as administrators see them.',
    routes: accountRoutes,
  },
  { name: 'Audit log', description: 'Who did what, to whom, when.', routes: auditRoutes },
  { name: 'Answers', description: 'Texts that administrators begin answers with.', routes: answerTemplateRoutes },
  { name: 'Membership', description: 'Plans, payments and who is a VIP.', routes: membershipRoutes },
  { name: 'Requests and support', description: 'Wanted works, and messages to the operator.', routes: requestRoutes },
  {
    name: 'Notices',
    description: 'The desk for notices about items, and the report about them.',
    routes: noticeRoutes,
  },
  { name: 'Site', description: 'Calls of all parts together, and this description.', routes: siteRoutes },
]

export const routes: readonly Route<App, Viewer>[] = routeGroups.flatMap(({ routes }) => routes)

const roleSources = features.flatMap(({ roles = [] }) => roles)

const policy: AccessPolicy<Viewer> = {
  rolesOf(viewer) {
    if (viewer.member === undefined) return []
    const guarded = ['vip', 'admin'] as const
    return ['member', ...guarded.filter((access) => canAccess(access, viewer))]
  },
  missingFor: (viewer, access) => (access === 'admin' && lacksSecondFactor(viewer) ? factorRequired : undefined),
  provedAt: ({ member }) => member?.provedAt,
  accountOf: ({ member }) => member?.id,
  adminKeyOf: ({ member }) => member && adminKeyOf(member.token),
}

interface Built extends Pick<ServerParts<App, Viewer>, 'assetsDirectory' | 'tryReadyHeads'> {
  pages: ServerParts<App, Viewer>['renderer']
  /** Whether all of the start is done; a process may listen before that. */
  isStarted?: () => boolean
}

/** Makes the server of an app; the caller starts listening. */
export async function openServer(
  app: App,
  { pages: renderer, isStarted = () => true, ...built }: Built,
): Promise<RunningServer> {
  const { listing: content } = app
  return openHttpServer(app, {
    ...built,
    renderer,
    routes,
    pages,
    content,
    readinessChecks: [...readinessChecks, () => (isStarted() ? undefined : 'the start is not finished')],
    readinessRemarks,
    recogniseViewer: (step, authorization, how) => recogniseViewer(step, authorization, roleSources, how),
    anonymous,
    policy,
    contactEmail: () => app.texts.inForce.contactEmail,
  })
}
