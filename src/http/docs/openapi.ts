import { probes } from '../health.ts'
import { type RouteGroup, sortedRoutes } from './documented-route.ts'
import { ErrorAnswer } from './error-answers.ts'
import type { ErrorCode } from './error-code.ts'
import { operationIdOf, Operations, usualSecurity } from './operations.ts'
import { type Json, SchemaComponents } from './schema-components.ts'

/**
 * The interface as the text of an OpenAPI 3.1 document. Facts without a word in OpenAPI stand in members that begin with `x-`.
 * @param modules their schemas have the names of their exports
 * @throws when a route declares an error code that no list explains
 */
export function openApiOf(
  groups: readonly RouteGroup[],
  errorCodes: readonly ErrorCode[],
  modules: readonly object[],
): string {
  const tagOf = new Map(groups.flatMap(({ name, routes }) => routes.map((route) => [route, name])))
  const routes = sortedRoutes([...tagOf.keys()]).filter(({ isDocument }) => isDocument !== true)
  const schemas = new SchemaComponents(routes, [...modules, { Error: ErrorAnswer }])
  const operations = new Operations(schemas, errorCodes)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const operation = operations.ofRoute(route, tagOf.get(route) ?? '')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  for (const { path, summary, answers } of probes) paths[path] = { get: probeOf(path, summary, answers) }
  const requestBodies = operations.bodies.components()
  const responses = operations.responses.components()
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'HTTP interface',
      version: '1',
      description:
        'Written from the routes of the server by the test that holds it. Every answer is JSON in UTF-8, but files and those of the probes, which are plain text. Nobody keeps one where no x-caching stands.',
      license: { name: 'GNU Affero General Public License v3.0 only', identifier: 'AGPL-3.0-only' },
    },
    servers: [{ url: '/' }],
    security: usualSecurity,
    tags: [
      ...groups.map(({ name, description }) => ({ name, description })),
      { name: 'Health', description: 'For probes.' },
    ],
    paths,
    components: {
      securitySchemes,
      parameters: operations.parameters.components(),
      requestBodies,
      responses,
      schemas: schemas.referredFrom({ paths, requestBodies, responses }),
    },
  }
  // A reference stands on one line, too.
  const text = withShortLists(JSON.stringify(document, null, 2))
  return `${text.replaceAll(/\{\s+("\$ref": "[^"\n]*")\s+\}/g, '{ $1 }')}\n`
}

/** A list of few words stands on one line, as formatters write it. */
function withShortLists(json: string): string {
  return json.replaceAll(/\[\s+("[^"\n]*"(?:,\s+"[^"\n]*")*)\s+\]/g, (whole, words: string) => {
    const line = `[${words.replaceAll(/,\s+(?=")/g, ', ')}]`
    return line.length <= 80 ? line : whole
  })
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session, as a sign-in answers it.' },
  'api-key': { type: 'apiKey', in: 'header', name: 'api-key', description: "The site's public client key." },
  'admin-key': { type: 'apiKey', in: 'header', name: 'admin-key', description: "The administrator's own key." },
}

function probeOf(path: string, summary: string, answers: Readonly<Record<number, string>>): Json {
  return {
    operationId: operationIdOf('GET', path),
    tags: ['Health'],
    summary,
    security: [],
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, description]) => [
        status,
        { description, content: { 'text/plain': { schema: { type: 'string' } } } },
      ]),
    ),
    'x-access': 'anyone',
  }
}
