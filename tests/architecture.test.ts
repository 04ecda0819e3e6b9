import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '../src/server.ts'

const root = resolve(import.meta.dirname, '..')

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const code = filesUnder('src', /\.tsx?$/).filter((path) => !/\.test\.tsx?$/.test(path))

test('every route has a door, and docs/routes.md tells which', async () => {
  const doors = ['anyone', 'member', 'vip', 'admin']
  expect(routes.length).toBeGreaterThan(0)
  for (const route of routes) expect(doors, `${route.method} ${route.path}`).toContain(route.door)
  const lines = [...routes]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1))
    .map((route) => `| ${route.method} | \`${route.path}\` | ${route.door} | ${route.needsClientKey ? 'yes' : 'no'} |`)
  const page = [
    '# Routes of the HTTP interface',
    '',
    'Written by `npx vitest run --project unit tests/architecture.test.ts -u` from the list of routes; the test fails when the two differ.',
    '',
    '| Method | Path | Door | Client key |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n')
  await expect(page).toMatchFileSnapshot(join(root, 'docs', 'routes.md'))
})

test('no two routes claim the same method and path', () => {
  const claims = routes.map((route) => `${route.method} ${route.path}`)
  expect(claims).toEqual([...new Set(claims)])
})

/** Who may read from `items` besides the base query, and why that cannot show a visitor what he may not see. */
const readersOfItems: Record<string, string> = {
  'src/features/catalogue/visible-items.server.ts': 'the base query itself',
  'src/features/catalogue/listing-index.server.ts':
    'published items only; the search masks VIP types and cuts off the future',
  'src/features/catalogue/match-names.server.ts': 'numbers and names of published items, then sifted by the listing',
  'src/features/catalogue/item-fragments.server.ts': 'looks up numbers that the listing gave',
  'src/features/catalogue/fill-demo.server.ts': 'whether there is any item at all',
  'src/features/catalogue/import-items.server.ts': 'for the operator: which rows are in already',
  'src/features/catalogue/restrict-lapsed-items.server.ts': 'a job: takes items off the site',
  'src/features/catalogue/save-items.server.ts': 'the one writer',
  'src/features/catalogue/stored-item.server.ts': 'for the operator: items of every status as they were written',
}

test('nobody reads items for the public but through the base query', () => {
  const reads =
    /selectFrom\(\s*\[?\s*['"`]items\b|(?:innerJoin|leftJoin|rightJoin|fullJoin)\(\s*['"`]items\b|\b(?:from|join)\s+items\b/i
  const readers = code.filter((path) => !path.startsWith('src/db/migrations/') && reads.test(read(path)))
  expect(readers).toContain('src/features/catalogue/visible-items.server.ts')
  expect(readers.filter((path) => readersOfItems[path] === undefined)).toEqual([])
  expect(Object.keys(readersOfItems).filter((path) => !readers.includes(path))).toEqual([])
})

test('only config.ts and what starts a process read the environment', () => {
  const readers = code.filter((path) => /process\.env\b|import\.meta\.env\b/.test(read(path)))
  expect(readers.filter((path) => !['src/main.ts', 'src/cli.ts'].includes(path))).toEqual([])
})

test('no page carries inline styles, handlers or raw markup, which its content security policy would refuse', () => {
  const pages = code.filter((path) => path.endsWith('.tsx'))
  expect(pages.filter((path) => /\sstyle=|\bon[a-z]+="/.test(read(path)))).toEqual([])
  // The list's rows, which entry-html.ts writes as escaped text, and the one script that must run before anything is painted.
  expect(pages.filter((path) => read(path).includes('dangerouslySetInnerHTML'))).toEqual([
    'src/features/catalogue/parts/entry-list.tsx',
    'src/root.tsx',
  ])
})

test('a migration stands alone and in order', () => {
  const files = filesUnder('src/db/migrations', /^\d{4}-[a-z0-9-]+\.ts$/)
  const index = read('src/db/migrations/index.ts')
  expect(files.length).toBeGreaterThan(0)
  files.forEach((path, place) => {
    const name = path.replace(/^.*\/|\.ts$/g, '')
    expect(Number(name.slice(0, 4)), name).toBe(place + 1)
    expect(index).toContain(`'${name}':`)
    expect(read(path), name).not.toMatch(/from ['"]\.\.?\//)
  })
})

test('every file name is in kebab case', () => {
  const odd = filesUnder('src', /./).filter((path) => !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(path.replace(/^.*\//, '')))
  expect(odd.filter((path) => !path.endsWith('README.md'))).toEqual([])
})

test('a use case has the name of the function it exports', () => {
  // An import file is a thing, and items are saved in two ways: inserted and updated.
  const verbs = /^(find|search|read|list|publish|restrict|import(?!-file)|export|fill|match|reckon)-/
  const misnamed = code
    .filter((path) => /^src\/features\/[^/]+\/[^/]+\.server\.ts$/.test(path))
    .filter((path) => verbs.test(path.replace(/^.*\//, '')))
    .filter((path) => {
      const name = path
        .replace(/^.*\/|\.server\.ts$/g, '')
        .replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
      return !new RegExp(`export (async )?(function\\*? |const )${name}\\b`).test(read(path))
    })
  expect(misnamed).toEqual([])
})

test('every feature says in its README what its words mean', () => {
  const features = readdirSync(join(root, 'src/features'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  for (const { name } of features) expect(read(`src/features/${name}/README.md`), name).toMatch(/^# /)
})
