// Written from the routes and the definitions of errors, and held to them by a test.
import errors from '../../../../docs/api/errors.json' with { type: 'json' }
import openapi from '../../../../docs/api/openapi.json' with { type: 'json' }
import { codesIn } from '../../../http/docs/error-answers.ts'
import type { ErrorCode } from '../../../http/docs/error-code.ts'
import { errorsEverywhere, isEverywhere } from '../../../http/docs/errors-of-route.ts'
import type { Reference, RouteReference } from './reference.ts'
import { type JsonSchema, shapeOf } from './shape-of.ts'

interface Content {
  content?: Readonly<Record<string, { schema: JsonSchema }>>
}

type Security = readonly [Readonly<Record<string, unknown>>?]

interface Operation {
  operationId?: string
  tags: readonly [string]
  summary: string
  parameters?: readonly { name: string; in: string; required: boolean; description?: string; schema: JsonSchema }[]
  requestBody?: Content
  /** The usual one where it is missing. */
  security?: Security
  responses: Readonly<Record<string, Content & { description: string }>>
  'x-access': string
  'x-proof-within-minutes'?: number
  /** Nobody keeps the answer where it is missing. */
  'x-caching'?: string
  'x-max-body-bytes'?: number
  'x-rate-limit'?: string
}

interface Description {
  security: Security
  tags: readonly { name: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** @param siteUrl origin of the site, for the examples */
export function readReference(siteUrl: string): Reference {
  const { tags, paths, security: usual } = openapi as unknown as Description
  const operations = Object.entries(dereferenced(paths)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Called => {
      const [needed = {}] = operation.security ?? usual
      return { path, method: method.toUpperCase(), operation, schemes: Object.keys(needed) }
    }),
  )
  return {
    groups: tags.map(({ name }) => ({
      name,
      routes: operations.filter(({ operation }) => operation.tags[0] === name).map((each) => routeOf(each, siteUrl)),
    })),
    errorsEverywhere,
    errorCodes: (errors as ErrorCode[]).map(({ code, status, sentences, remedy, isOfCommand = false }) => ({
      code,
      statuses: [status].flat().join(', '),
      sentences,
      remedy,
      isOfCommand,
    })),
  }
}

/** With each component in the place of the references to it. */
function dereferenced<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(dereferenced) as T
  const { $ref: reference, ...own } = value as { $ref?: string }
  const members = Object.fromEntries(Object.entries(own).map(([name, member]) => [name, dereferenced(member)]))
  return { ...(reference === undefined ? {} : dereferenced(componentAt(reference))), ...members } as T
}

/** @param reference `#/components/schemas/Error` */
function componentAt(reference: string): object {
  const [, , kind = '', name = ''] = reference.split('/')
  const components: Record<string, Record<string, object>> = openapi.components
  return components[kind]?.[name] ?? {}
}

interface Called {
  path: string
  method: string
  operation: Operation
  /** The schemes of security that it needs. */
  schemes: readonly string[]
}

function routeOf(called: Called, siteUrl: string): RouteReference {
  const { path, method, operation, schemes } = called
  const bytes = operation['x-max-body-bytes']
  const body = schemaIn(operation.requestBody)
  return {
    id: operation.operationId ?? path.slice(1),
    method,
    path,
    summary: operation.summary,
    access: operation['x-access'],
    keys: schemes.map((scheme) => (scheme === 'bearer' ? 'authorization' : scheme)),
    proofMinutes: operation['x-proof-within-minutes'],
    caching: operation['x-caching'] ?? 'never',
    rateLimit: operation['x-rate-limit'],
    bodyLimit:
      body === undefined || bytes === undefined
        ? undefined
        : bytes < mebibyte
          ? `${bytes / 1024} KiB`
          : `${bytes / mebibyte} MiB`,
    parameters: (operation.parameters ?? []).map(({ name, in: place, required, description = '', schema }) => ({
      name,
      in: place,
      isRequired: required,
      shape: shapeOf(schema),
      description,
    })),
    body: body === undefined ? undefined : shapeOf(body),
    exampleBody: body?.properties === undefined ? undefined : JSON.stringify(exampleOf(body), null, 2),
    takesFile: takesFile(operation),
    answers: Object.entries(operation.responses)
      .filter(([status, answer]) => Number(status) < 400 || answer.content?.['text/plain'] !== undefined)
      .map(([status, answer]) => {
        const schema = schemaIn(answer)
        return { status, shape: schema === undefined ? undefined : shapeOf(schema) }
      }),
    errors: Object.values(operation.responses)
      .flatMap(({ description }) => codesIn(description))
      .filter((code) => !isEverywhere(code))
      .sort(),
    curl: curlOf(called, siteUrl),
  }
}

const mebibyte = 1024 * 1024

function schemaIn(content: Content | undefined): JsonSchema | undefined {
  return Object.values(content?.content ?? {})[0]?.schema
}

const headerOf: Record<string, string> = {
  bearer: '"authorization: Bearer $TOKEN"',
  'api-key': '"api-key: $CLIENT_API_KEY"',
  'admin-key': '"admin-key: $ADMIN_KEY"',
}

function takesFile({ requestBody }: Operation): boolean {
  return requestBody?.content?.['application/octet-stream'] !== undefined
}

/** The required members, each with its name in capitals. */
function exampleOf({ required = [] }: JsonSchema): Record<string, string> {
  return Object.fromEntries(required.map((name) => [name, name.toUpperCase()]))
}

/** A call to copy: keys are variables of the shell, and values that the reader chooses stand in capitals. */
function curlOf({ path, method, operation, schemes }: Called, siteUrl: string): string {
  const body = schemaIn(operation.requestBody)
  const address = `${siteUrl}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}`
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${address}'`,
    ...schemes.map((scheme) => `-H ${headerOf[scheme] ?? scheme}`),
    ...(takesFile(operation) ? ['--data-binary @FILE'] : []),
    ...(body?.properties === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${JSON.stringify(exampleOf(body))}'`]),
  ].join(' \\\n  ')
}
