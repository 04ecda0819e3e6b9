import { accountRoutes } from '../features/accounts/routes.server.ts'
import { recogniseViewer } from '../features/accounts/sessions/recognise-viewer.server.ts'
import { adminKeyOf } from '../features/accounts/sessions/tokens.server.ts'
import { canAccess } from '../features/accounts/user/can-access.ts'
import { factorRequired } from '../features/accounts/factors/factor-required.ts'
import { anonymous, lacksSecondFactor, type Viewer } from '../features/accounts/user/viewer.ts'
import { catalogueRoutes } from '../features/catalogue/routes.server.ts'
import { membershipRoutes } from '../features/membership/routes.server.ts'
import { noticeRoutes } from '../features/notices/routes.server.ts'
import { requestRoutes } from '../features/requests/routes.server.ts'
import { features } from '../features/site/features.server.ts'
import { siteRoutes } from '../features/site/routes.server.ts'
import type { AccessPolicy } from '../http/authorize.ts'
import { openApiOf } from '../http/docs/openapi.ts'
import type { Route } from '../http/route.ts'
import { openHttpServer, type RunningServer } from '../http/server.ts'
import type { ServerParts } from '../http/server-parts.ts'
import type { App } from './app.ts'
import { errorCodes } from './error-codes.ts'
import { pages } from './pages.ts'
import { readinessChecks, readinessRemarks } from './readiness.ts'

export type { RunningServer } from '../http/server.ts'

const ownRoutes = siteRoutes(describeInterface)

/** Every route of the HTTP interface; the pages stand in `pages.ts`. */
export const routes: readonly Route<App, Viewer>[] = [
  ...accountRoutes,
  ...membershipRoutes,
  ...catalogueRoutes,
  ...requestRoutes,
  ...noticeRoutes,
  ...ownRoutes,
]

/** The whole interface as an OpenAPI document. */
export function describeInterface(): Record<string, unknown> {
  const groups = [
    { name: 'Catalogue', routes: catalogueRoutes },
    { name: 'Accounts', routes: accountRoutes },
    { name: 'Membership', routes: membershipRoutes },
    { name: 'Requests and support', routes: requestRoutes },
    { name: 'Notices', routes: noticeRoutes },
    { name: 'Site', routes: ownRoutes },
  ]
  return openApiOf(groups, errorCodes)
}

/** The roles of a member, beside those of the account itself. */
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
  /** The page bundle. */
  pages: ServerParts<App, Viewer>['renderer']
  /** Whether all of the start is done; a process may listen before that. */
  isStarted?: () => boolean
}

/** Makes the server of an app; whoever calls it listens. */
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
    recogniseViewer: (given, authorization, how) => recogniseViewer(given, authorization, roleSources, how),
    anonymous,
    policy,
  })
}
