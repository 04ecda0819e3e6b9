import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { errorCodes } from '../src/app/error-codes.ts'
import { describeInterface, routes } from '../src/app/server.ts'
import { errorsEverywhere, errorsOfRoute } from '../src/http/docs/errors-of-route.ts'
import { errorsPage, routesPage } from '../src/http/docs/pages-of-routes.ts'

const root = resolve(import.meta.dirname, '..')
const docs = join(root, 'docs')
const writtenBy = 'npx vitest run --project unit tests/interface-docs.test.ts -u'

const sources = readdirSync(join(root, 'src'), { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((path) => !/(^|\/)error-codes\.ts$/.test(path))

/** Why a row of an import is held, or a link is refused: these stand in rejects files and lists of reasons, not in errors. */
const reasons =
  /^(field|slug|link|rights|people|consent|category)\.|^database\.refused$|^(?:item|notice)\.restricted$|^notice\.open$|^custom$/

test('docs/api/openapi.json is what the routes declare', async () => {
  const document = `${JSON.stringify(describeInterface(), null, 2)}\n`
  await expect(document).toMatchFileSnapshot(join(docs, 'api', 'openapi.json'))
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

test('the OpenAPI document names each operation once and describes each parameter of its paths', () => {
  const paths = describeInterface()['paths'] as Record<
    string,
    Record<string, { operationId?: string; parameters?: { name: string; in: string }[] }>
  >
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  )
  const ids = operations.flatMap(({ operationId }) => operationId ?? [])
  expect(ids).toHaveLength(routes.length)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, parameters = [] } of operations) {
    const described = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
    expect(described, path).toEqual(path.match(/\{\w+\}/g) ?? [])
  }
})
