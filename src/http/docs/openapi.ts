import { z } from 'zod'
import type { $ZodType } from 'zod/v4/core'
import { probes } from '../health.ts'
import { FileAnswer, proofOf } from '../route.ts'
import { type DocumentedRoute, keysOf, type RouteGroup, sortedRoutes } from './documented-route.ts'
import type { ErrorCode } from './error-code.ts'
import { errorsEverywhere, errorsOfRoute } from './errors-of-route.ts'

type Json = Record<string, unknown>

/**
 * The interface as an OpenAPI 3.1 document. Facts without a word in OpenAPI stand in members that begin with `x-`.
 * @throws when a route declares an error code that no list explains
 */
export function openApiOf(groups: readonly RouteGroup[], errorCodes: readonly ErrorCode[]): Json {
  const statuses = new Map(errorCodes.map((each) => [each.code, each]))
  const paths: Record<string, Json> = {}
  const tagOf = new Map(groups.flatMap(({ name, routes }) => routes.map((route) => [route, name])))
  for (const route of sortedRoutes([...tagOf.keys()])) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, tagOf.get(route) ?? '', statuses) }
  }
  for (const { path, summary, answers } of probes) paths[path] = { get: probeOf(summary, answers) }
  return {
    openapi: '3.1.1',
    info: {
      title: 'HTTP interface',
      version: '1',
      description:
        'Written from the routes of the server by the test that holds it. Every answer is JSON in UTF-8, but files and those of the probes, which are plain text.',
    },
    tags: [...groups.map(({ name }) => ({ name })), { name: 'Health' }],
    paths,
    components: { securitySchemes, schemas: { Error: schemaOf(ErrorAnswer) } },
    'x-errors-everywhere': errorsEverywhere,
    'x-error-codes': [...errorCodes].sort((a, b) => (a.code < b.code ? -1 : 1)),
  }
}

/** The body of every error. Some codes add members (`ErrorCode`). */
export const ErrorAnswer = z.looseObject({
  error: z.string().meta({ description: 'The same as message.' }),
  message: z.string().meta({ description: 'One sentence for people: what is wrong and what to do.' }),
  code: z.string().meta({ description: 'For programs; it stays the same.' }),
  field: z.string().optional().meta({ description: 'The parameter, header or field that is at fault.' }),
  outcome: z.string().optional().meta({ description: 'unknown: the database went away, and it may have been done.' }),
})

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session, as a sign-in answers it.' },
  'api-key': { type: 'apiKey', in: 'header', name: 'api-key', description: "The site's public client key." },
  'admin-key': { type: 'apiKey', in: 'header', name: 'admin-key', description: "The administrator's own key." },
}

function operationOf(route: DocumentedRoute, tag: string, explained: ReadonlyMap<string, ErrorCode>): Json {
  const { method, path, access, summary, body, described, bodyKind = 'json', caching, rateLimit } = route
  const bodySchema = body ?? described?.body
  const codes = errorsOfRoute(route)
  const proofMinutes = proofOf(route)
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^a-z0-9]+(.|$)/gi, (_, next: string) => next.toUpperCase())}`,
    tags: [tag],
    summary,
    ...nonEmpty('parameters', [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query ?? described?.query),
    ]),
    ...(bodySchema === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(bodySchema) } } } }),
    ...(bodyKind === 'upload'
      ? { requestBody: { required: true, content: { 'application/octet-stream': { schema: aFile } } } }
      : {}),
    security: securityOf(route),
    responses: { ...answersOf(route), ...errorAnswersOf(codes, explained) },
    'x-access': access,
    ...(proofMinutes === undefined ? {} : { 'x-proof-within-minutes': proofMinutes }),
    'x-caching': caching,
    ...(method === 'GET' ? {} : { 'x-max-body-bytes': route.maxBodyBytes ?? 1024 * 1024 }),
    ...(rateLimit === undefined ? {} : { 'x-rate-limit': rateLimit }),
    'x-error-codes': codes,
  }
}

function nonEmpty(name: string, list: readonly unknown[]): Json {
  return list.length === 0 ? {} : { [name]: list }
}

function securityOf(route: DocumentedRoute): Json[] {
  const keys = keysOf(route).map((header) => (header === 'authorization' ? 'bearer' : header))
  const needed = Object.fromEntries(keys.map((scheme) => [scheme, []]))
  // A public route knows who asks where they say it.
  return route.access === 'anyone' ? [needed, { ...needed, bearer: [] }] : [needed]
}

function parametersOf(place: 'path' | 'query', schema: $ZodType | undefined): Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }))
}

function answersOf({ answers, caching }: DocumentedRoute): Record<string, Json> {
  const unchanged = { description: 'Unchanged since the answer that has the ETag of if-none-match. There is no body.' }
  const description =
    caching === 'never' ? 'Done. Nobody keeps this answer.' : 'Done. It may be kept and asked for again.'
  const done = Object.entries(answers).map(([status, answer]) => [status, { description, ...contentOf(answer) }])
  return Object.fromEntries([...done, ...(caching === 'never' ? [] : [['304', unchanged]])])
}

const aFile = { type: 'string', format: 'binary' }

function contentOf(answer: DocumentedRoute['answers'][number]): Json {
  if (answer === null) return { description: 'Done. There is no body.' }
  const content =
    answer instanceof FileAnswer
      ? answer.mediaTypes.map((type) => [type.split(';')[0], { schema: aFile }])
      : [['application/json', { schema: schemaOf(answer) }]]
  return { content: Object.fromEntries(content) }
}

function errorAnswersOf(codes: readonly string[], explained: ReadonlyMap<string, ErrorCode>): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of [...codes, ...errorsEverywhere]) {
    const found = explained.get(code)
    if (found === undefined) throw new Error(`No list explains the error code ${code}.`)
    for (const status of [found.status].flat()) byStatus.set(status, [...(byStatus.get(status) ?? []), found])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: [...new Set(ofStatus.map(({ code }) => code))].sort().join(', '),
        content: { 'application/json': { schema: errorSchemaOf(ofStatus) } },
      },
    ]),
  )
}

/** The body of every error, and the members that some of these codes add. */
function errorSchemaOf(codes: readonly ErrorCode[]): Json {
  const every = { $ref: '#/components/schemas/Error' }
  const members = codes.flatMap(({ code, members = {} }) =>
    Object.entries(members).map(([name, what]) => [name, { description: `Of ${code}: ${what}` }] as const),
  )
  return members.length === 0 ? every : { allOf: [every, { type: 'object', properties: Object.fromEntries(members) }] }
}

function probeOf(summary: string, answers: Readonly<Record<number, string>>): Json {
  return {
    tags: ['Health'],
    summary,
    security: [{}],
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, description]) => [
        status,
        { description, content: { 'text/plain': { schema: { type: 'string' } } } },
      ]),
    ),
    'x-access': 'anyone',
    'x-caching': 'never',
    'x-error-codes': [],
  }
}

function schemaOf(schema: $ZodType): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: 'input' }) as Json
  return withoutDialect(json) as Json
}

/** A schema inside of a schema says its dialect again, which is that of the document. */
function withoutDialect(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDialect)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (name === '$schema' ? [] : [[name, withoutDialect(each)]])),
  )
}
