import { hash, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { accountRoutes } from './features/accounts/api.server.ts'
import { anonymous, type Viewer } from './features/accounts/viewer.ts'
import { catalogueRoutes } from './features/catalogue/api.server.ts'
import { membershipRoutes } from './features/membership/api.server.ts'
import { recogniseViewer } from './features/membership/recognise-viewer.server.ts'
import { Answer, type Freshness, type Made } from './platform/answers.ts'
import type { App } from './platform/app.ts'
import { openAssets } from './platform/assets.ts'
import { answerConnectionFaults } from './platform/connection-faults.ts'
import type { Route } from './platform/doors.ts'
import { clientAddressOf, readTrustedProxies } from './platform/client-address.ts'
import { AppError, isAppError, presentError } from './platform/errors.ts'
import { scriptNonceHeader } from './platform/page-headers.ts'
import { rawBodyOf, readJson, refuse, respond, takeBody, usualBodyBytes } from './platform/respond.ts'
import { sealScripts, securityHeaders } from './platform/security-headers.ts'
import { addDays, dayOf, startOfDay } from './platform/site-time.ts'

/** Every route of the HTTP interface; the pages' routes stand in routes.ts. */
export const routes: readonly Route<App, Viewer>[] = [...accountRoutes, ...membershipRoutes, ...catalogueRoutes]

export interface RunningServer {
  server: Server
  /** Takes no new connections, lets the requests under way finish, and resolves when the last one has. */
  stop(): Promise<void>
}

/** PRODUCT.md, section 12, "Headers". */
const headersTimeoutMs = 15_000
const bodyTimeoutMs = 30_000
const idleTimeoutMs = 60_000
const slowMs = 500
/** How long a stop waits for requests under way. */
const stopTimeoutMs = 10_000
const jsonType = 'application/json; charset=utf-8'

/** Makes the server; whoever calls it listens. `pages` renders a page, `assetsDirectory` holds the browser's files. */
export async function openServer(
  app: App,
  { pages, assetsDirectory }: { pages: (request: Request) => Promise<Response>; assetsDirectory: string },
): Promise<RunningServer> {
  const assets = await openAssets(assetsDirectory)
  const http = new Hono<{ Bindings: { incoming: IncomingMessage; outgoing: ServerResponse } }>()
  const trustedProxies = readTrustedProxies(app.config.trustedProxies)
  const freshness = freshnessOf(app)
  let isStopping = false

  for (const route of routes) {
    http.on(route.method, route.path, async (context) => {
      const { req, env } = context
      const viewer = await recogniseViewer(app, req.header('authorization'))
      admit(app, route, viewer, req.header('api-key'))
      const url = new URL(req.url)
      const request = {
        viewer,
        params: req.param(),
        query: url.searchParams,
        url: req.url,
        // Read when they are asked for: most routes need neither.
        get body() {
          return readJson(env.incoming)
        },
        get rawBody() {
          return rawBodyOf(env.incoming)
        },
        header: (name: string) => req.header(name),
        get siteUrl() {
          return siteUrlOf(app, env.incoming)
        },
        get address() {
          const { socket, headers } = env.incoming
          return clientAddressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString(), trustedProxies)
        },
        userAgent: req.header('user-agent') ?? '',
      }
      const ask = async (): Promise<Made> => {
        const reply = await route.handle(app, request)
        const headers = reply.status === 200 ? reply.headers : { 'cache-control': 'no-store', ...reply.headers }
        return {
          ...(reply.stamp === undefined ? {} : { stamp: reply.stamp }),
          build: () => new Answer(reply.status, jsonType, bufferOf(reply.body()), headers),
        }
      }
      const answer =
        route.isShared && viewer === anonymous
          ? await app.answers.get(keyOf('api', url.pathname + url.search), app.clock.now(), freshness, ask)
          : (await ask()).build()
      return send(context.env, answer)
    })
  }

  http.all('*', async (context) => {
    const { method } = context.req
    const url = new URL(context.req.url)
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead || !isPage(url.pathname))
      throw new AppError({ code: 'not_found', status: 404, message: 'There is nothing at this address.' })
    const spelling = usualSpelling(url.pathname)
    if (spelling !== url.pathname) {
      context.header('cache-control', 'no-cache')
      return context.redirect(spelling + url.search, 301)
    }
    // The secrets in such an address are for the browser: neither the page nor the keys of what is kept may hold them.
    if (isShell(decoded(url.pathname))) url.search = ''
    const answer = await app.answers.get(keyOf('page', url.pathname + url.search), app.clock.now(), freshness, () =>
      renderPage(app, pages, url),
    )
    return send(context.env, answer)
  })

  http.onError((error, context) => {
    // What is refused on purpose is no defect, also where the server is too busy: a flood of it must not flood the log.
    if (!isAppError(error))
      app.log.error({ err: error, path: addressForLog(context.env.incoming) }, 'A request failed.')
    return failure(error)
  })

  // Names and values in turn: a finished answer is sent with one list of headers, without a call for each.
  const security = securityHeaders(app.config)
  const everywhere = security.flat()
  const besidePolicy = security.filter(([name]) => name !== 'content-security-policy').flat()
  const listener = getRequestListener(http.fetch, { overrideGlobalObjects: false })

  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: bodyTimeoutMs,
      keepAliveTimeout: 10_000,
      // How often the two timeouts above are looked after: they are kept to the second.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
    },
    (request, response) => {
      const requestId = randomUUID()
      const own = ['x-request-id', requestId]
      if (isStopping) own.push('connection', 'close')
      const kept = answerFromMemory(app, assets, request)
      // What goes out of memory goes out at once and well: it is worth a line only where every request is.
      if (kept === undefined || app.log.isLevelEnabled('debug')) logAtEnd(app, requestId, request, response)
      if (kept !== undefined) {
        const hasPolicy = kept.headers['content-security-policy'] !== undefined
        respond(request, response, kept, hasPolicy ? besidePolicy : everywhere, own)
        return
      }
      const headers = [...own, ...everywhere]
      for (let i = 0; i < headers.length; i += 2) response.setHeader(headers[i] as string, headers[i + 1] as string)
      if (answerHealth(app, request, response, isStopping)) return
      try {
        refuseForeignOrigin(app, request)
      } catch (error) {
        refuse(response, error)
        return
      }
      // Nothing in the framework depends on what a client calls this host; an unusable name must not keep a request out.
      keepHostAsked(request)
      request.headers.host = 'localhost'
      takeBody(request, mostBodyBytesFor(request)).then(
        () => listener(request, response),
        (error: unknown) => refuse(response, error),
      )
    },
  )
  // A client that takes nothing of its answer for so long has gone.
  server.setTimeout(idleTimeoutMs)
  answerConnectionFaults(server, everywhere)

  return {
    server,
    async stop() {
      isStopping = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const impatience = setTimeout(() => server.closeAllConnections(), stopTimeoutMs)
      await closed
      clearTimeout(impatience)
    },
  }
}

/** One line for each request: by itself what failed and what was slow, at level debug all of them. */
function logAtEnd(app: App, requestId: string, request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now()
  response.on('close', () => {
    const { statusCode: status } = response
    const ms = Math.round(performance.now() - startedAt)
    const level = status >= 500 ? 'error' : status >= 400 || ms > slowMs ? 'info' : 'debug'
    if (app.log.isLevelEnabled(level)) {
      app.log[level]({ requestId, method: request.method, path: addressForLog(request), status, ms })
    }
  })
}

/**
 * `/healthz` while the process lives, `/readyz` while it can serve; without the framework, whatever a probe's request
 * looks like.
 * @returns whether it was one of them
 */
function answerHealth(app: App, request: IncomingMessage, response: ServerResponse, isStopping: boolean): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const say = (status: number, word: string): void => {
    response.writeHead(status, ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-store']).end(word)
  }
  if (request.url === '/healthz') {
    say(200, 'ok')
    return true
  }
  if (request.url !== '/readyz') return false
  if (isStopping) {
    say(503, 'stopping')
    return true
  }
  const asked = app.db.selectFrom('catalogue_state').select('version').executeTakeFirstOrThrow()
  asked.then(
    () => say(200, 'ready'),
    (error: unknown) => {
      app.log.error({ err: error }, 'The database does not answer.')
      say(503, 'the database does not answer')
    },
  )
  return true
}

/** First parts of addresses that belong to the HTTP interface: what is not there is told in JSON, not by a page. */
const interfaceRoots: ReadonlySet<string> = new Set(['api', ...routes.map((route) => rootOf(route.path))])

/** Pages whose address a call of the HTTP interface has as well. */
const sharedAddresses: ReadonlySet<string> = new Set(['/forgot-password', '/reset-password'])

function isPage(pathname: string): boolean {
  return !interfaceRoots.has(rootOf(pathname)) || sharedAddresses.has(pathname.replace(/\/+$/, ''))
}

/**
 * The address that a page is rendered under: its name plainly written, in small letters. The router of the browser takes
 * every spelling of a name, the server's only this one: what was rendered for another would not be what the browser expects.
 */
function usualSpelling(pathname: string): string {
  const parts = pathname.split('/')
  // What follows is the name of an entry, except in the administrators' part.
  const names = /^admin$/i.test(decoded(rootOf(pathname))) ? parts.length : 2
  return parts.map((part, place) => (place < names ? (usualName(decoded(part)) ?? part) : part)).join('/')
}

function usualName(name: string): string | undefined {
  return /^[a-z-]+$/i.test(name) ? name.toLowerCase() : undefined
}

const shellRoots = /^(login|register|forgot-password|reset-password|account|success|vip|vip-.*|admin|admin-.*)$/i

/** Pages that are the same for everybody and every question: what stands in them comes from guarded calls. */
function isShell(pathname: string): boolean {
  return shellRoots.test(rootOf(pathname))
}

/** What comes after these is somebody's own: his mail address, his checkout. */
const personalAddresses = /^\/(auth\/delete-account|pay\/session)\//i
/** Their questions hold names and mail addresses. */
const personalQuestions = /^\/api\/billing\//i

/**
 * The address of a request without what nobody who reads the log may know: the token of a reset link, a checkout, the
 * mail address of who deletes his account, whom an administrator looks for.
 */
function addressForLog(request: IncomingMessage): string {
  const path = pathOf(request)
  const [personal] = personalAddresses.exec(path) ?? []
  if (personal !== undefined) return `${personal}…`
  return isShell(path) || personalQuestions.test(path) ? path : (request.url ?? '')
}

/** How large the body of a request may be: its route says it, as far as the path alone tells which it is. */
function mostBodyBytesFor(request: IncomingMessage): number {
  const path = pathOf(request)
  return routes.find((route) => route.path === path)?.mostBodyBytes ?? usualBodyBytes
}

/**
 * A page of another site may not write here: what a browser sends names where it comes from.
 * @throws {AppError} `origin.foreign`, 403
 */
function refuseForeignOrigin(app: App, { method, headers }: IncomingMessage): void {
  const { origin, host } = headers
  if (origin === undefined || method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return
  const { publicUrl, publicUrlIsSet } = app.config
  // While the site's address is not set, it is whatever the browser has opened.
  const isOwn = origin === publicUrl || (!publicUrlIsSet && URL.parse(origin)?.host === host)
  if (isOwn) return
  throw new AppError({
    code: 'origin.foreign',
    status: 403,
    message: 'This request comes from a page of another site. Open this site itself, and try again.',
  })
}

type WithHostAsked = IncomingMessage & { hostAsked?: string | undefined }

function keepHostAsked(request: WithHostAsked): void {
  request.hostAsked = request.headers.host
}

function siteUrlOf(app: App, { hostAsked = '' }: WithHostAsked): string {
  const { publicUrl, publicUrlIsSet } = app.config
  const asked = URL.parse(`http://${hostAsked}`)
  return publicUrlIsSet || asked === null ? publicUrl : asked.origin
}

/** The path as the router reads it, in however many ways a client can spell it. */
function pathOf({ url = '' }: IncomingMessage): string {
  return decoded(URL.parse(url.startsWith('/') ? `http://localhost${url}` : url)?.pathname ?? '')
}

function decoded(pathname: string): string {
  return isReadable(pathname) ? decodeURI(pathname) : pathname
}

function rootOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** The short way to what is finished already: files and kept answers, without building a Request and a Response. */
function answerFromMemory(app: App, assets: ReadonlyMap<string, Answer>, request: IncomingMessage): Answer | undefined {
  const { method, url = '/' } = request
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const asset = assets.get(url)
  if (asset !== undefined) return asset
  if (request.headers.authorization !== undefined) return undefined
  const { version } = app.listing
  const now = app.clock.now()
  const answer =
    request.headers['api-key'] === app.config.clientApiKey
      ? app.answers.peek(keyOf('api', url), version, now)
      : undefined
  return answer ?? app.answers.peek(keyOf('page', url), version, now)
}

/** The same from within a route. What it returns tells the framework that the answer is on its way. */
function send(
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  answer: Answer,
): Response {
  // What has no content has neither a type nor a length.
  if (answer.status === 204) outgoing.writeHead(204, answer.headers).end()
  else respond(incoming, outgoing, answer)
  return RESPONSE_ALREADY_SENT
}

/** A path that is no UTF-8 is nobody's; the router would complain of it on standard error. */
function isReadable(pathname: string): boolean {
  try {
    decodeURI(pathname)
    return true
  } catch {
    return false
  }
}

async function renderPage(app: App, pages: (request: Request) => Promise<Response>, url: URL): Promise<Made> {
  const nonce = randomBytes(16).toString('base64url')
  // Set part by part: a path that begins with two slashes would name another host.
  const address = new URL(app.config.publicUrl)
  address.pathname = isReadable(url.pathname) ? url.pathname : '/not-readable'
  address.search = url.search
  const response = await pages(new Request(address, { headers: { [scriptNonceHeader]: nonce } }))
  const contentType = response.headers.get('content-type') ?? 'text/html; charset=utf-8'
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) {
    if (name !== 'content-type' && name !== 'set-cookie') headers[name] = value
  }
  const body = Buffer.from(await response.arrayBuffer())
  if (!contentType.startsWith('text/html'))
    return { build: () => new Answer(response.status, contentType, body, headers) }
  const { html, policy } = sealScripts(body.toString(), nonce)
  const ofPage = { ...headers, 'content-security-policy': policy }
  return {
    stamp: hash('sha1', html, 'base64'),
    build: () => new Answer(response.status, contentType, Buffer.from(html), ofPage),
  }
}

/** Until when an answer computed now is the right one: the next write, the next post date or lapse, the next midnight. */
function freshnessOf(app: App): () => Freshness {
  const { timeZone } = app.config
  // Reckoning a day in a time zone takes longer than all the rest: once for each day is enough.
  let today = { from: Infinity, to: -Infinity }
  return () => {
    const now = app.clock.now()
    if (now < today.from || now >= today.to) {
      const day = dayOf(now, timeZone)
      today = { from: startOfDay(day, timeZone), to: startOfDay(addDays(day, 1), timeZone) }
    }
    return { version: app.listing.version, until: Math.min(app.listing.unchangedUntil(), today.to) }
  }
}

function bufferOf(body: Buffer | string): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}

function keyOf(kind: 'api' | 'page', url: string): string {
  return `${kind} ${url}`
}

/** @throws {AppError} 401 or 403 when the caller may not pass the route's door */
function admit(app: App, route: Route<App, Viewer>, viewer: Viewer, clientKey: string | undefined): void {
  if (route.needsClientKey && clientKey !== app.config.clientApiKey) {
    throw new AppError({
      code: 'client.key',
      status: 401,
      message: "The header api-key must hold the site's public client key.",
      field: 'api-key',
    })
  }
  if (route.door !== 'anyone' && viewer === anonymous) {
    throw new AppError({ code: 'session.missing', status: 401, message: 'Please sign in first.' })
  }
  if (route.door === 'vip' && !viewer.isVip) {
    throw new AppError({ code: 'vip.only', status: 403, message: 'You are not a VIP to access this page.' })
  }
  if (route.door === 'admin' && !viewer.isAdmin) {
    throw new AppError({
      code: 'admin.only',
      status: 403,
      message: 'You are not an administrator to access this page.',
    })
  }
}

function failure(error: unknown): Response {
  const { status, headers, body } = presentError(error)
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, 'content-type': jsonType, 'cache-control': 'no-store' },
  })
}
