import { requestInvalid } from './parameters.ts'
import { z } from 'zod'
import { authorize } from './authorize.ts'
import { parseBody } from './body.ts'
import { CachedResponse, jsonType } from './cache/cached-response.ts'
import { plainlySpelled } from './canonical-address.ts'
import type { Rendered } from './cache/response-cache.ts'
import type { FinishedAnswers } from './finished-answers.ts'
import { siteUrlOf } from './origin.ts'
import { type Caching, type JsonReply, type Route, type RouteReply, type RouteRequest, takesNoFields } from './route.ts'
import { emptyReply, redirectReply } from './reply.ts'
import { type StartedFile, startFile } from './send-file.ts'
import type { Exchange, HttpApp, ServerParts } from './server-parts.ts'

export interface RouteCall<App, Viewer> {
  route: Route<App, Viewer>
  params: Record<string, string>
  url: URL
  rawBody: Buffer
  /** In place of the body, in a route that takes one. */
  upload: AsyncIterable<Buffer>
  /** Tells the caller's network address. */
  callerAddress: () => string
}

/**
 * Checks the caller, their access and the input; then runs the route's own code.
 * @throws {AppError} when one of these says no
 */
export async function runRoute<App extends HttpApp, Viewer>(
  app: App,
  call: RouteCall<App, Viewer>,
  { incoming }: Exchange,
  { recogniseViewer, anonymous, policy, content }: ServerParts<App, Viewer>,
  finished: FinishedAnswers<App, Viewer>,
): Promise<CachedResponse | StartedFile> {
  const { route, url, callerAddress } = call
  const { headers } = incoming
  if (route.method !== 'GET') await app.diskSpace.refuseWhenFull()
  const isUnattended = headers['x-unattended'] !== undefined
  const { authorization } = headers
  if (route.page !== undefined && authorization === undefined && headers['sec-fetch-mode'] === 'navigate')
    return renderedOf(route, redirectReply(route.page)).build()
  const caller = { authorization: authorization ?? '', address: callerAddress() }
  const own = authorization === undefined ? undefined : await route.recognise?.(app, caller)
  if (own !== undefined && 'reply' in own) return renderedOf(route, own.reply).build()
  const viewer = own?.viewer ?? (await recogniseViewer(app, authorization, { isUnattended }))
  const keys = { clientKey: single(headers['api-key']), adminKey: single(headers['admin-key']) }
  authorize(route, viewer, keys, { policy, clientApiKey: app.config.clientApiKey, now: app.clock.now() })
  // The caller is known by the primary; so is what all share, such as the catalogue's image, which has a database of its own.
  const asked = (route.readsReplica === true ? app.replicaApp : undefined) ?? app
  const request = requestOf(call, viewer, incoming.headers, () => siteUrlOf(app.config, incoming))
  const reply = async (): Promise<RouteReply> => (await route.handle(asked, request)) ?? nothingOf(route)
  const make = async (): Promise<Rendered> => renderedOf(route, await reply())
  // A route that has its answers at hand keeps them itself.
  if (route.caching !== 'shared' || route.peek !== undefined) {
    const made = await reply()
    return 'file' in made ? startFile(made) : renderedOf(route, made).build()
  }
  content.assertCurrent()
  if (viewer !== anonymous) {
    const caller = { account: policy.accountOf?.(viewer), address: callerAddress() }
    return app.rendering.run(caller, async () => (await make()).build())
  }
  return finished.get(cacheAddress(route, url), { make, callerAddress })
}

/** @throws {Error} where a route returned nothing that does not answer 204 */
export function nothingOf({ path, answers }: Pick<Route<unknown, unknown>, 'path' | 'answers'>): JsonReply {
  if (!(204 in answers)) throw new Error(`${path} returned no answer.`)
  return emptyReply()
}

function renderedOf(
  { caching, path, needsClientKey = false }: { caching: Caching; path: string; needsClientKey?: boolean },
  reply: RouteReply,
): Rendered {
  if ('file' in reply) throw new Error(`${path} answers with a file, which is kept by nobody.`)
  const { status, mediaType = jsonType, contentKey, scope, body, headers, onSend } = reply
  const usual = status === 200 ? cacheHeaders[caching] : cacheHeaders.never
  return {
    ...(contentKey === undefined ? {} : { contentKey }),
    scope,
    build: () => {
      const response = new CachedResponse(status, mediaType, bufferOf(body()), { ...usual, ...headers })
      response.onSend = onSend
      response.needsClientKey = needsClientKey
      return response
    },
  }
}

/**
 * The address under which a shared answer is kept: without the parameters that the route does not declare, and in one
 * spelling where the path has no parameter. Everything else would be kept once for each address that a caller makes up.
 */
export function cacheAddress<App, Viewer>(
  { path, query, described }: Pick<Route<App, Viewer>, 'path' | 'query' | 'described'>,
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
): string {
  const schema = query ?? described?.query
  const declared = search
    .slice(1)
    .split('&')
    .filter(
      (part) => schema !== undefined && [...new URLSearchParams(part).keys()].some((name) => declares(schema, name)),
    )
    .join('&')
  return (path.includes(':') ? plainlySpelled(pathname) : path) + (declared === '' ? '' : `?${declared}`)
}

/** Whether a schema of a query reads a parameter; one that is no object may read any. */
function declares(schema: object, name: string): boolean {
  const { shape } = schema as { shape?: object }
  return shape === undefined || name in shape
}

/** A shared answer says itself that it has to be asked for again. */
const cacheHeaders: Record<Caching, Record<string, string>> = {
  shared: {},
  private: { 'cache-control': 'private, no-cache' },
  never: { 'cache-control': 'no-store' },
}

function requestOf<App, Viewer>(
  { route, params, url, rawBody, upload, callerAddress }: RouteCall<App, Viewer>,
  viewer: Viewer,
  headers: NodeJS.Dict<string | string[]>,
  siteUrl: () => string,
): RouteRequest<Viewer, unknown, unknown, unknown> {
  const readBody = (): Record<string, unknown> => parseBody(rawBody, single(headers['content-type']), route.bodyKind)
  const { searchParams } = url
  // First of all: what is asked of nothing is asked in vain, however it is asked.
  const checkedParams = route.params === undefined ? params : valid(route, route.params, params)
  if (takesNoFields(route)) valid({}, noFields, readBody())
  const parsed = {
    params: checkedParams,
    query:
      route.query === undefined
        ? searchParams
        : valid(route, route.query, onlyValues(route, route.query, searchParams)),
    body: route.body === undefined ? undefined : valid(route, route.body, readBody()),
  }
  return {
    ...parsed,
    viewer,
    // Read when they are asked for: most routes need none of them.
    get body() {
      return route.body === undefined ? readBody() : parsed.body
    },
    get siteUrl() {
      return siteUrl()
    },
    get address() {
      return callerAddress()
    },
    rawBody,
    upload,
    header: (name) => single(headers[name.toLowerCase()]),
    userAgent: single(headers['user-agent']) ?? '',
  }
}

const noFields = z.strictObject({}, { error: 'This call takes no fields. Send an empty body.' })

function valid<Schema extends z.ZodType>(
  { invalid = requestInvalid }: Pick<Route<unknown, unknown>, 'invalid'>,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const { data, error } = schema.safeParse(input)
  const [issue] = error?.issues ?? []
  if (issue === undefined) return data as z.output<Schema>
  const field = issue.path.map(String).join('.')
  throw invalid(issue.message, field === '' ? {} : { field })
}

/** @throws {AppError} where a declared parameter comes more than once (docs/spec/http.md#parameters) */
function onlyValues(
  { invalid = requestInvalid }: Pick<Route<unknown, unknown>, 'invalid'>,
  schema: object,
  searchParams: URLSearchParams,
): Record<string, string> {
  for (const name of new Set(searchParams.keys())) {
    const times = searchParams.getAll(name).length
    if (times > 1 && declares(schema, name)) {
      const message = `The parameter ${name} was given ${times} times. Give it once.`
      throw invalid(message, { field: name })
    }
  }
  return Object.fromEntries(searchParams)
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

function bufferOf(body: Buffer | string): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}
