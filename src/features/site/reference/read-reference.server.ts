// Written from the routes, and held to them by a test.
import openapi from '../../../../docs/api/openapi.json' with { type: 'json' }
import type { ErrorReference, Reference, RouteReference } from './reference.ts'
import { type JsonSchema, shapeOf } from './shape-of.ts'

interface Content {
  content?: Readonly<Record<string, { schema: JsonSchema }>>
}

interface Operation {
  operationId?: string
  tags: readonly [string]
  summary: string
  parameters?: readonly { name: string; in: string; required: boolean; description?: string; schema: JsonSchema }[]
  requestBody?: Content
  security: readonly [Readonly<Record<string, unknown>>]
  responses: Readonly<Record<string, Content>>
  'x-access': string
  'x-proof-within-minutes'?: number
  'x-caching': string
  'x-max-body-bytes'?: number
  'x-rate-limit'?: string
  'x-error-codes': readonly string[]
}

interface Description {
  tags: readonly { name: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  'x-errors-everywhere': readonly string[]
  'x-error-codes': readonly {
    code: string
    status: number | readonly number[]
    sentences: readonly string[]
    remedy: string
    isOfCommand?: boolean
  }[]
}

/** @param siteUrl origin of the site, for the examples */
export function readReference(siteUrl: string): Reference {
  const { tags, paths, ...rest } = openapi as unknown as Description
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  return {
    groups: tags.map(({ name }) => ({
      name,
      routes: operations.filter(({ operation }) => operation.tags[0] === name).map((each) => routeOf(each, siteUrl)),
    })),
    errorsEverywhere: rest['x-errors-everywhere'],
    errorCodes: rest['x-error-codes'].map(
      ({ code, status, sentences, remedy, isOfCommand = false }): ErrorReference => ({
        code,
        statuses: [status].flat().join(', '),
        sentences,
        remedy,
        isOfCommand,
      }),
    ),
  }
}

interface Called {
  path: string
  method: string
  operation: Operation
}

function routeOf(called: Called, siteUrl: string): RouteReference {
  const { path, method, operation } = called
  const bytes = operation['x-max-body-bytes']
  const body = schemaIn(operation.requestBody)
  return {
    id: operation.operationId ?? path.slice(1),
    method,
    path,
    summary: operation.summary,
    access: operation['x-access'],
    keys: Object.keys(operation.security[0]).map((scheme) => (scheme === 'bearer' ? 'authorization' : scheme)),
    proofMinutes: operation['x-proof-within-minutes'],
    caching: operation['x-caching'],
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
    answers: Object.entries(operation.responses)
      .filter(([status, answer]) => Number(status) < 400 || answer.content?.['text/plain'] !== undefined)
      .map(([status, answer]) => {
        const schema = schemaIn(answer)
        return { status, shape: schema === undefined ? undefined : shapeOf(schema) }
      }),
    errors: operation['x-error-codes'],
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

/** A call to copy: keys are variables of the shell, and values that the reader chooses stand in capitals. */
function curlOf({ path, method, operation }: Called, siteUrl: string): string {
  const body = schemaIn(operation.requestBody)
  const example = Object.fromEntries((body?.required ?? []).map((name) => [name, name.toUpperCase()]))
  const address = `${siteUrl}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}`
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${address}'`,
    ...Object.keys(operation.security[0]).map((scheme) => `-H ${headerOf[scheme] ?? scheme}`),
    ...(operation.requestBody?.content?.['application/octet-stream'] === undefined ? [] : ['--data-binary @FILE']),
    ...(body?.properties === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${JSON.stringify(example)}'`]),
  ].join(' \\\n  ')
}
