import type { FairQueue } from '../platform/fair-queue/fair-queue.ts'
import type { Platform } from '../platform/platform.ts'
import type { Compressions } from './cache/compressions.ts'
import type { ResponseCache } from './cache/response-cache.ts'
import type { HttpConfig } from './http-config.ts'
import type { Traffic } from './traffic.ts'

/** The step of HTTP: what it keeps in memory for all routes and pages. */
export interface HttpApp extends Platform {
  config: Readonly<HttpConfig>
  answers: ResponseCache
  /** The line in which answers are compressed. */
  compressions: Compressions
  /** Pages and lists that are not kept wait their turn in it. */
  rendering: FairQueue
  traffic: Traffic
}
