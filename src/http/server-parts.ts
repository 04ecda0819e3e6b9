import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../platform/config/config.ts'
import type { DiskSpace } from '../platform/disk-space.ts'
import type { Log } from '../platform/log.ts'
import type { Clock } from '../platform/time/clock.ts'
import type { AccessPolicy } from './authorize.ts'
import type { Compressions } from './cache/compressions.ts'
import type { Content } from './cache/freshness.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { ReadinessCheck } from './health.ts'
import type { Page } from './pages/page.ts'
import type { Pages } from './pages/pages.ts'
import type { openReadyHeads } from './ready-heads.ts'
import type { Route } from './route.ts'
import type { UploadTimes } from './upload.ts'

/** What the server needs of the app that it hands to the routes. */
export interface HttpApp {
  config: Config
  log: Log
  clock: Clock
  diskSpace: DiskSpace
  /** Finished answers and pages. */
  answers: ResponseCache
  compressions: Compressions
}

/** What the server serves, and whom it asks. The composition root puts it together. */
export interface ServerParts<App, Viewer> {
  routes: readonly Route<App, Viewer>[]
  pages: readonly Page[]
  /** Renders them. */
  renderer: Pages
  /** Where the browser's files are. */
  assetsDirectory: string
  /** What finished answers are made from. */
  content: Content
  readinessChecks: readonly ReadinessCheck<App>[]
  /**
   * Who sends a request with this `Authorization` header.
   * @throws {AppError} 401 for a bearer that no living session knows
   */
  recogniseViewer(app: App, authorization: string | undefined): Promise<Viewer>
  /** Whoever has sent none. */
  anonymous: Viewer
  policy: AccessPolicy<Viewer>
  tryReadyHeads?: typeof openReadyHeads
  uploadTimes?: UploadTimes
}

/** A request and where its answer goes. */
export interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
}
