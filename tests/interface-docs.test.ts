import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { routeGroups, routes } from '../src/app/server.ts'
import { errorsEverywhere, errorsOfRoute } from '../src/http/docs/errors-of-route.ts'
import { probes } from '../src/http/health.ts'
import { errorCodesOf } from '../src/http/docs/error-code.ts'
import { openApiOf } from '../src/http/docs/openapi.ts'
import { errorsPage, routesPage } from '../src/http/docs/pages-of-routes.ts'
import { definedErrors } from '../src/platform/errors.ts'

const root = resolve(import.meta.dirname, '..')
const docs = join(root, 'docs')
const writtenBy = 'npx vitest run --project unit tests/interface-docs.test.ts -u'

const sources = readdirSync(join(root, 'src'), { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const modulesAt = async (paths: readonly string[]): Promise<object[]> =>
  Promise.all(paths.map((path) => import(join(root, path)) as Promise<object>))

/** Their exports are the schemas with names. */
const schemaModules = await modulesAt(sources.filter((path) => path.endsWith('-schema.ts')))
await modulesAt(sources.filter((path) => readFileSync(join(root, path), 'utf8').includes('defineError(')))
const errorCodes = errorCodesOf(definedErrors)
const openApi = openApiOf(routeGroups, errorCodes, schemaModules)

/** Why a row of an import is held, or a link is refused: these stand in rejects files and lists of reasons, not in errors. */
const reasons =
  /^(field|slug|link|rights|people|consent|category)\.|^database\.refused$|^(?:item|notice)\.restricted$|^notice\.open$|^custom$/

test('docs/api/openapi.json is what the routes declare', async () => {
  await expect(openApi).toMatchFileSnapshot(join(docs, 'api', 'openapi.json'))
})

test('docs/api/errors.json, of which the page of the reference is built, has each code', async () => {
  await expect(`${JSON.stringify(errorCodes, null, 2)}\n`).toMatchFileSnapshot(join(docs, 'api', 'errors.json'))
})

test('docs/routes.md tells access, keys, limits, caching and the summary of each route', async () => {
  await expect(routesPage(routes, { writtenBy, openApi: 'api/openapi.json' })).toMatchFileSnapshot(
    join(docs, 'routes.md'),
  )
})

test('docs/errors.md explains each code', async () => {
  await expect(errorsPage(errorCodes, routes, writtenBy)).toMatchFileSnapshot(join(docs, 'errors.md'))
})

test('each error code of the source is explained once, and each that is explained is used', () => {
  const used = sources
    .flatMap((path) => [
      ...readFileSync(join(root, path), 'utf8').matchAll(
        /\b(?:code:|\w+Code =) '([a-z_.]+)'|\breturn '(payments\.[a-z_]+)'/g,
      ),
    ])
    .map(([, code, returned]) => (code ?? returned) as string)
    .filter((code) => !reasons.test(code))
  expect(used).toContain('database.unavailable')
  expect(used).toContain('checkout.paying')
  expect(errorCodes.map(({ code }) => code).sort()).toEqual([...new Set(used)].sort())
  for (const { code, remedy } of errorCodes) expect(remedy, code).toMatch(/^[A-Z].+\.$/s)
})

test('each code that a route declares is explained, and no route declares those of commands', () => {
  const ofCallers = new Set(errorCodes.filter(({ isOfCommand }) => isOfCommand !== true).map(({ code }) => code))
  const unknown = routes.flatMap((route) =>
    [...errorsOfRoute(route), ...errorsEverywhere].filter((code) => !ofCallers.has(code)),
  )
  expect(unknown).toEqual([])
})

test('each route says what it is for, what it answers, and what its parameters are', () => {
  for (const { method, path, summary, answers, params } of routes) {
    const name = `${method} ${path}`
    expect(summary, name).toMatch(/^[A-Z].+\.$/)
    expect(Object.keys(answers).length, name).toBeGreaterThan(0)
    expect(params !== undefined, name).toBe(path.includes('/:'))
  }
})

const document = JSON.parse(openApi) as {
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

interface Operation {
  operationId: string
  tags: string[]
  parameters?: (Parameter | { $ref: string })[]
  responses: Record<string, unknown>
}

interface Parameter {
  name: string
  in: string
}

test('a client can be generated from the OpenAPI document: every reference leads to a component, and every component is used', () => {
  const used = new Set([...openApi.matchAll(/"\$ref": "#\/components\/([^"]+)"/g)].map(([, place = '']) => place))
  const { securitySchemes: _, ...components } = document.components
  const named = Object.entries(components).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `${kind}/${name}`),
  )
  expect(used).toEqual(new Set(named))
  for (const place of named) expect(place).toMatch(/^\w+\/[\w.-]+$/)
})

test('the OpenAPI document names each operation once and describes each parameter of its paths', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  )
  expect(operations).toHaveLength(routes.filter(({ isDocument }) => isDocument !== true).length + probes.length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  const tagNames = document.tags.map(({ name }) => name)
  for (const { path, tags, parameters = [], responses } of operations) {
    const described = parameters
      .map((each) =>
        '$ref' in each ? (document.components['parameters']?.[each.$ref.split('/')[3] ?? ''] as Parameter) : each,
      )
      .flatMap((parameter) => (parameter.in === 'path' ? `{${parameter.name}}` : []))
    expect(described, path).toEqual(path.match(/\{\w+\}/g) ?? [])
    expect(tagNames, path).toContain(tags[0])
    expect(Object.keys(responses), path).toContainEqual(expect.stringMatching(/^[23]/))
  }
})

test('the OpenAPI document has at most 20,000 lines', () => {
  expect(openApi.split('\n').length).toBeLessThanOrEqual(20_000)
})
