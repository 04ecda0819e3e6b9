/**
 * Who may pass. The first word of every route (ARCHITECTURE.md, "Habits"): a route cannot be written without one, and
 * the server checks it before the route's own code runs.
 */
export type Door = 'anyone' | 'member' | 'vip' | 'admin'

export interface RouteRequest<Viewer> {
  viewer: Viewer
  /** Path parameters, decoded. */
  params: Record<string, string>
  query: URLSearchParams
  /** Path and query as they came. */
  url: string
  /** The members of the JSON object that was sent; empty where nothing was. */
  body: Record<string, unknown>
  /** The body as it came, for what is signed. */
  rawBody: Buffer
  header(name: string): string | undefined
  /** Origin of the site as this caller knows it: the configured one, or while none is, what his browser has opened. */
  siteUrl: string
  /** The caller's network address, behind the proxies that are trusted. */
  address: string
  /** As the caller's program names itself; empty where it does not. */
  userAgent: string
}

/** JSON for the caller; `answers` of the platform may hold it ready made. Without a body: 204. */
export interface RouteReply {
  status: number
  /** Tells the content: while it stays the same, the finished answer to this question is given on. */
  stamp?: string
  /** Builds the JSON; put off, because an answer with the same stamp may be at hand. */
  body: () => Buffer | string
  headers?: Record<string, string>
}

export interface Route<App, Viewer> {
  door: Door
  /** Whether the site's public client key must come with the request (PRODUCT.md, section 7, "key"). */
  needsClientKey: boolean
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/asiancontent/:slug` */
  path: string
  /** The same for every anonymous caller until the catalogue changes: the finished answer may be kept. */
  isShared: boolean
  /** Where less than the usual 1 MiB is enough. */
  mostBodyBytes?: number
  handle(app: App, request: RouteRequest<Viewer>): Promise<RouteReply>
}
