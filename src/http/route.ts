import type { z } from 'zod'
import type { $ZodType } from 'zod/v4/core'
import type { DefinedError, ErrorKind } from '../platform/errors.ts'
import type { CachedResponse } from './cache/cached-response.ts'
import type { Scope } from './cache/response-cache.ts'

/** The callers of a route. The server checks it before the route's own code runs. */
export type Access = 'anyone' | 'member' | 'vip' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * `shared`: the same for every anonymous caller until the content changes, so the finished answer may be kept. `private`:
 * the caller's browser may keep it and has to ask again before it uses it. `never`: nobody keeps it.
 */
export type Caching = 'shared' | 'private' | 'never'

/** The maximal age of a caller's proof, in minutes (docs/spec/accounts.md#proof). */
export type ProofMinutes = 15 | 60

/**
 * How the body is read: a JSON object, its bytes as they came, for what is signed, or as an upload: the route reads it while it
 * arrives, so that a file of any size takes no more memory than a small one.
 */
export type BodyKind = 'json' | 'raw' | 'upload'

/** The largest body of a route that does not say another one: 1 MiB. */
export const defaultMaxBodyBytes = 1024 * 1024

/**
 * The caller and what they ask for. `params`, `query` and `body` have the type of their schema, where the route declares
 * one. They are then valid before the route's own code runs.
 */
export interface RouteRequest<
  Viewer,
  Params = Record<string, string>,
  Query = URLSearchParams,
  Body = Record<string, unknown>,
> {
  readonly viewer: Viewer
  readonly params: Params
  readonly query: Query
  /** Without a schema: the members of the JSON object; empty where nothing was sent. */
  readonly body: Body
  /** The body as it came; empty in a route that takes an upload. */
  readonly rawBody: Buffer
  /**
   * The body of a route that takes an upload, piece by piece; to be read once. It throws where the body is larger than the
   * route allows, comes too slowly or breaks off: what the route has kept of it is then no whole file.
   */
  readonly upload: AsyncIterable<Buffer>
  header(name: string): string | undefined
  /** Origin of the site as this caller knows it: the configured one or, while none is, the one their browser opened. */
  readonly siteUrl: string
  /** The caller's network address, behind the proxies that are trusted. */
  readonly address: string
  /** As the caller's program names itself; empty where it does not. */
  readonly userAgent: string
}

/** The answer of a route; `reply.ts` makes the usual ones. A route that returns none answers 204. */
export type RouteReply = JsonReply | FileReply

/** JSON for the caller, or a short text. Status 204 has no body. */
export interface JsonReply {
  status: number
  /** JSON where it is not said. */
  mediaType?: string
  /** A key of the content: while it stays the same, the finished answer is sent again. */
  contentKey?: string
  /** Its dependencies; without them, every change makes a cached answer doubtful. */
  scope?: Scope
  /** Builds the JSON; put off, because a response with the same content key may be cached. */
  body: () => Buffer | string
  headers?: Record<string, string>
  /**
   * Called each time the answer is sent to somebody who asked with GET, a kept one too, with the address that they ask
   * from. It must not throw or wait.
   */
  onSend?: (callerAddress: string) => void
}

/**
 * A file for the caller, sent with status 200 piece by piece while it is made. No piece is asked for before the one before it
 * has been taken, so a caller who reads slowly holds whatever the source holds: no transaction.
 */
export interface FileReply {
  file: AsyncIterable<string | Uint8Array>
  mediaType: string
  /** The browser's name for it: well-formed Unicode. */
  name: string
}

export class FileAnswer {
  readonly mediaTypes: readonly string[]

  constructor(...mediaTypes: readonly string[]) {
    this.mediaTypes = mediaTypes
  }
}

/** The facts of a route that the server reads before it runs it. Its documentation is generated from them. */
interface RouteFacts {
  method: Method
  /** `/things/:id`. The log writes this pattern, never the address of a request. */
  path: string
  access: Access
  /**
   * The oldest proof that the route accepts. By default an administrator's change needs one of the last 60 minutes, and
   * no other call needs any (`proofOf`).
   */
  needsProofWithin?: ProofMinutes
  /** Whether the site's public client key must come with the request, in the header `api-key`. */
  needsClientKey?: boolean
  /** Whether the administrator's own key must come with the request, in the header `admin-key`. */
  needsAdminKey?: boolean
  /** The page that shows its answer. A browser that was led here by its address bar brings no bearer, and is led on to it. */
  page?: string
  /** Whether a replica may answer its reads; writes and transactions go to the primary all the same. */
  readsReplica?: true
  /** `json` where it is not said. */
  bodyKind?: BodyKind
  /** `defaultMaxBodyBytes` where it is not said. */
  maxBodyBytes?: number
  caching: Caching
  /** The limit that its use case consumes: the first part of its rules' names. Beyond it the answer is 429. */
  rateLimit?: string
  /** One sentence for the documentation. */
  summary: string
  /** A document of a format of its own, for other programs than callers of the interface, whose description leaves it out. */
  isDocument?: boolean
  /** The errors that are this route's own, beside those of its access, its body and its schemas. */
  errors?: readonly ErrorKind[]
  /**
   * The error of a request that does not fit the schemas: `request.invalid` where it is not said. The message and the field
   * are those of the schema's first issue.
   */
  invalid?: DefinedError<[sentence: string]>
  /** The answers' schemas by status; null for an answer without a body. */
  answers: Readonly<Record<number, $ZodType | FileAnswer | null>>
  /** The shape, for the documentation, of what the route judges itself: nothing is refused by it. */
  described?: { query?: $ZodType; body?: $ZodType }
}

/** A route of any types, as the server keeps it. `declareRoutes` makes it. */
export interface Route<App, Viewer> extends RouteFacts {
  params?: z.ZodType | undefined
  query?: z.ZodType | undefined
  body?: z.ZodType | undefined
  /**
   * A finished answer that is in memory already, for anybody with the keys that the route needs. It is asked before anything
   * else and must ask no database. For routes whose path ends with its only parameter.
   * @param last that parameter, as it stands in the address
   */
  peek?(app: App, last: string): CachedResponse | undefined
  /**
   * Recognises callers in a way of the route's own, which is open nowhere else. A reply is the answer to one whom it does not know;
   * undefined: they are recognised as everywhere.
   */
  recognise?(
    app: App,
    caller: { authorization: string; address: string },
  ): Promise<{ viewer: Viewer } | { reply: JsonReply } | undefined>
  handle(app: App, request: RouteRequest<Viewer, unknown, unknown, unknown>): Promise<RouteReply | void>
}

/**
 * Whether a route takes no body: an administrator's call that changes something and declares none. It refuses what somebody
 * sends all the same, who would else believe that it was heard.
 */
export function takesNoFields({
  access,
  method,
  body,
  bodyKind = 'json',
  described,
}: Pick<Route<unknown, unknown>, 'access' | 'method' | 'body' | 'bodyKind' | 'described'>): boolean {
  const isDeclared = body !== undefined || described?.body !== undefined
  return access === 'admin' && method !== 'GET' && bodyKind === 'json' && !isDeclared
}

/**
 * How old the caller's last proof may be; undefined where a route needs none. Here alone stands that every write of an
 * administrator needs one: a new route of theirs need not think of it, and none can go without.
 */
export function proofOf({
  access,
  method,
  needsProofWithin,
}: Pick<Route<unknown, unknown>, 'access' | 'method' | 'needsProofWithin'>): ProofMinutes | undefined {
  return needsProofWithin ?? (access === 'admin' && method !== 'GET' ? 60 : undefined)
}

/** The part of a declaration from which the types of its request follow. */
interface TypedRoute<
  App,
  Viewer,
  Path extends string,
  Params extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
> {
  path: Path
  /** Gets the decoded path parameters. */
  params?: Params
  /** Gets the value of each query parameter; a declared one that comes twice is refused. */
  query?: Query
  /** Gets the members of the JSON object or the fields of the form. */
  body?: Body
  handle(
    app: App,
    request: RouteRequest<
      Viewer,
      OutputOf<Params, PathParams<Path>>,
      OutputOf<Query, URLSearchParams>,
      OutputOf<Body, Record<string, unknown>>
    >,
  ): Promise<RouteReply | void>
}

/** A declaration as a feature writes it: the types of its request follow from its path and its schemas. */
export type RouteDeclaration<
  App,
  Viewer,
  Path extends string,
  Params extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Body extends z.ZodType | undefined,
  Shared extends keyof RouteFacts = never,
> = TypedRoute<App, Viewer, Path, Params, Query, Body> &
  Omit<Route<App, Viewer>, 'path' | 'params' | 'query' | 'body' | 'handle' | Shared> &
  Partial<Pick<RouteFacts, Shared>>

type GroupFacts = Pick<RouteFacts, 'access' | 'caching'> & Partial<Omit<RouteFacts, 'path' | 'summary'>>

type OutputOf<Schema extends z.ZodType | undefined, Otherwise> = Schema extends z.ZodType ? z.output<Schema> : Otherwise

type ParamNames<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer After}`
    ? Name | ParamNames<`/${After}`>
    : Rest
  : never

/** `/things/:id/parts/:part` has the parameters `id` and `part`. */
export type PathParams<Path extends string> = Record<ParamNames<Path>, string>

/** Declares a route; `Shared` are the facts that its group gives. */
type DeclareRoute<App, Viewer, Shared extends keyof RouteFacts = never> = <
  const Path extends string,
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  declaration: RouteDeclaration<App, Viewer, Path, Params, Query, Body, Shared>,
) => Route<App, Viewer>

/**
 * Gives a feature the function with which it declares its routes, for its step of the app and its viewer.
 * @param group facts of each of them that does not say otherwise; `Shared` are those that none has to say, beside its
 *   access and caching
 */
export function declareRoutes<App, Viewer>(): DeclareRoute<App, Viewer>
export function declareRoutes<App, Viewer, Shared extends 'method' | 'answers' = never>(
  group: GroupFacts & Pick<RouteFacts, Shared>,
): DeclareRoute<App, Viewer, 'access' | 'caching' | Shared>
export function declareRoutes<App, Viewer>(group?: GroupFacts): DeclareRoute<App, Viewer, keyof RouteFacts> {
  return (declaration) => ({ ...group, ...declaration }) as Route<App, Viewer>
}
