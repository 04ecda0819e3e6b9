import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpConfig } from './http-config.ts'
import type { DiskSpace } from '../platform/disk-space.ts'
import type { FairQueue } from '../platform/fair-queue/fair-queue.ts'
import type { Log } from '../platform/log.ts'
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts'
import type { Clock } from '../platform/time/clock.ts'
import type { AccessPolicy } from './authorize.ts'
import type { Compressions } from './cache/compressions.ts'
import type { Content } from './cache/freshness.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { ReadinessCheck, ReadinessRemark } from './health.ts'
import type { Page } from './pages/page.ts'
import type { Pages } from './pages/pages.ts'
import type { openReadyHeads } from './ready-heads.ts'
import type { Route } from './route.ts'
import type { Traffic } from './traffic.ts'
import type { UploadTimes } from './upload.ts'

/** The server's part of the app that the routes receive. */
export interface HttpApp {
  config: HttpConfig
  log: Log
  clock: Clock
  diskSpace: DiskSpace
  limits: RateLimits
  answers: ResponseCache
  compressions: Compressions
  /** Pages and lists that are not kept wait their turn in it. */
  rendering: FairQueue
  traffic: Traffic
  /** The same, but what is read through its own `db` may come from a replica; undefined without one. */
  replicaApp?: this
}

/** The server's routes, pages and access policy. The composition root puts them together. */
export interface ServerParts<App, Viewer> {
  routes: readonly Route<App, Viewer>[]
  pages: readonly Page[]
  renderer: Pages
  /** The directory of the browser's files. */
  assetsDirectory: string
  content: Content
  readinessChecks: readonly ReadinessCheck<App>[]
  readinessRemarks: readonly ReadinessRemark<App>[]
  /**
   * Recognises the sender of a request with this `Authorization` header.
   * @param how.isUnattended whether a page has sent it by itself while nobody was there (`x-unattended`)
   * @throws {AppError} 401 for a bearer that no living session knows
   */
  recogniseViewer(app: App, authorization: string | undefined, how: { isUnattended: boolean }): Promise<Viewer>
  /** The viewer without one. */
  anonymous: Viewer
  policy: AccessPolicy<Viewer>
  /** The operator's address for visitors. */
  contactEmail: () => string
  tryReadyHeads?: typeof openReadyHeads
  uploadTimes?: UploadTimes
}

/** A request and where its answer goes. */
export interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
}
