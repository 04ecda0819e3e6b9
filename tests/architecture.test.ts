import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../src/app/pages.ts'
import { routes } from '../src/app/server.ts'
import { deviceCalls } from '../src/browser/device-calls.ts'
import { parametersOf } from '../src/http/pages/page.ts'

const root = resolve(import.meta.dirname, '..')

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const code = filesUnder('src', /\.tsx?$/).filter((path) => !/\.test\.tsx?$/.test(path))

const accessKinds = ['anyone', 'member', 'vip', 'admin']

test('every route says its access', () => {
  expect(routes.length).toBeGreaterThan(0)
  for (const route of routes) expect(accessKinds, `${route.method} ${route.path}`).toContain(route.access)
})

/** The routes for others than administrators. All other routes belong to the administration. */
const openRoutes: Record<'anyone' | 'member' | 'vip', readonly string[]> = {
  anyone: [
    'GET /.well-known/change-password',
    'GET /.well-known/security.txt',
    'GET /asiancontent/:slug',
    'GET /linkvertise-config',
    'GET /openapi.json',
    'GET /transparency.csv',
    'GET /transparency.json',
    'GET /universal-search/search',
    'GET /westerncontent/:slug',
    'POST /auth/login',
    'POST /auth/register',
    'POST /confirm-address',
    'POST /csp-reports',
    'POST /forgot-password',
    'POST /links/report',
    'POST /reset-password',
    'POST /support',
    'POST /webhooks/stripe',
  ],
  member: [
    'DELETE /auth/address',
    'DELETE /auth/delete-account/:email',
    'DELETE /auth/devices',
    'DELETE /auth/devices/:id',
    'DELETE /auth/passkeys/:id',
    'DELETE /auth/sessions',
    'DELETE /auth/sessions/:id',
    'DELETE /auth/totp',
    'DELETE /recommendations/:id/vote',
    'GET /auth/dashboard',
    'GET /auth/devices',
    'GET /auth/export',
    'GET /auth/factors',
    'GET /auth/proof',
    'GET /auth/sessions',
    'GET /auth/status',
    'GET /pay/membership',
    'GET /pay/session/:id',
    'GET /recommendations/mine',
    'GET /recommendations/open',
    'GET /recommendations/similar',
    'POST /auth/address',
    'POST /auth/address/confirmation',
    'POST /auth/logout',
    'POST /auth/passkeys',
    'POST /auth/passkeys/options',
    'POST /auth/proof',
    'POST /auth/proof/options',
    'POST /auth/recovery-codes',
    'POST /auth/totp',
    'POST /auth/totp/confirm',
    'POST /pay/vip-payment',
    'POST /recommendations',
    'POST /reset-password/account',
    'POST /stripe-portal/create-portal-session',
    'PUT /auth/passkeys/:id',
    'PUT /recommendations/:id/vote',
  ],
  vip: ['GET /vip-asiancontent/:slug', 'GET /vip-westerncontent/:slug', 'POST /downloads'],
}

test('a route is for administrators, unless it is named here as open to others', () => {
  for (const access of ['anyone', 'member', 'vip'] as const) {
    const declared = routes.filter((route) => route.access === access).map(({ method, path }) => `${method} ${path}`)
    expect(declared.toSorted(), access).toEqual(openRoutes[access])
  }
})

test('a page of the administration is a shell for administrators: the same for everybody, without content', () => {
  const ofAdministration = pages.filter(({ path }) => /^\/admin\b/.test(path))
  expect(ofAdministration.length).toBeGreaterThan(15)
  expect(ofAdministration.filter((page) => page.kind !== 'shell' || page.access !== 'admin')).toEqual([])
})

test('no two routes claim the same method and path', () => {
  const claims = routes.map((route) => `${route.method} ${route.path}`)
  expect(claims).toEqual([...new Set(claims)])
})

test('no two pages claim the same path, and each module that a page names is there', () => {
  const paths = pages.map(({ path }) => path.toLowerCase())
  expect(paths).toEqual([...new Set(paths)])
  for (const { file } of pages) expect(code).toContain(`src/${file}`)
})

test('a route or page that names a rate limit names one that its use cases consume, and every such limit is named', () => {
  const consumed = code
    .filter((path) => path.startsWith('src/features/'))
    .flatMap((path) => [...read(path).matchAll(/LimitRule = \{\s*name: '([a-z-]+)\./g)].map(([, name]) => name))
  const named = [...routes, ...pages].flatMap(({ rateLimit }) => rateLimit ?? [])
  expect(new Set(named)).toEqual(new Set(consumed))
})

/** Addresses that no route and no page declares, and where each stands. */
const ownPaths: Record<string, readonly string[]> = {
  'src/http/health.ts': ['/healthz', '/readyz'],
  // A policy names it; the site has the route.
  'src/http/security-headers.ts': ['/csp-reports'],
}

/** The paths in a text of the code, as they are or in a pattern. */
function pathsIn(text: string, firstParts: readonly string[]): string[] {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/ from '[^']*'$/gm, '')
  // Texts, and the patterns that stand where a value begins.
  const literals = [
    ...code.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1|(?<=[=(:,!&|?\s]\s?)\/(?![*/\s])(?:[^\\\n/]|\\.)+\//g),
  ]
  return literals
    .map(([literal, , inside]) => inside ?? literal)
    .filter((literal) =>
      firstParts.some((part) => new RegExp(String.raw`^${part}($|/)|[/^(|]${part}($|[/?)|$.*:\\-])`).test(literal)),
    )
    .filter((literal) => !accessKinds.includes(literal))
}

test('no path of a route or a page stands in src/http, src/app or vite.config.ts, as a text or in a pattern', () => {
  const firstParts = [...new Set([...routes, ...pages].map(({ path }) => path.split('/')[1] ?? ''))].filter(
    (part) => part !== '',
  )
  const probes = ['healthz', 'readyz']
  expect(
    pathsIn("const a = '/asian/x'; const b = /^\\/pay\\/session\\//; if (first === 'chooser') {}", firstParts),
  ).toHaveLength(3)
  expect(pathsIn('const roots = /^(login|register)$/i', firstParts)).toHaveLength(1)
  const files = [...code.filter((path) => /^src\/(http|app)\//.test(path)), 'vite.config.ts']
  const found = files.flatMap((file) =>
    pathsIn(read(file), [...firstParts, ...probes])
      .filter((literal) => ownPaths[file]?.includes(literal) !== true)
      .map((literal) => `${file}: ${literal}`),
  )
  expect(found).toEqual([])
})

/**
 * The readers of `items` besides the base query, each with the reason why it shows visitors nothing that they may not
 * see.
 */
const readersOfItems: Record<string, string> = {
  'src/features/catalogue/index/visible-items.server.ts': 'the base query itself',
  'src/features/catalogue/index/listing-index.server.ts':
    'published items only; the search masks VIP types and cuts off the future',
  'src/features/catalogue/index/match-names.server.ts':
    'numbers and names of published items, then sifted by the listing',
  'src/features/catalogue/demo/fill-demo-catalogue.server.ts': 'whether there is any item at all',
  'src/features/catalogue/demo/fill-demo-activity.server.ts': 'the demo: what was downloaded in its invented past',
  'src/features/requests/demo/fill-demo-inbox.server.ts': 'the demo: the entry that fulfils a request',
  'src/features/catalogue/transfer/known-items.server.ts': 'for the operator: which rows are in already',
  'src/features/catalogue/transfer/export-items.server.ts': 'for the operator: the last number',
  'src/features/catalogue/categories/merge-categories.server.ts': 'for administrators: whether an item is in the way',
  'src/features/catalogue/categories/merge-steps.server.ts': 'a job: whether an item is left',
  'src/features/catalogue/categories/save-category.server.ts': 'for administrators: how many items there are',
  'src/features/catalogue/admin/bulk/read-bulk-edits.server.ts': 'for administrators: the last number',
  'src/features/catalogue/links/gather-links.server.ts': 'a job: which links there are to check',
  'src/features/catalogue/links/note-link-changes.server.ts': 'numbers and names, for the change feed',
  'src/features/catalogue/links/due-links.server.ts': 'for the operator: the links of the item that they name',
  'src/features/catalogue/admin/read-links.server.ts': 'for administrators',
  'src/features/catalogue/admin/read-rights.server.ts': 'for administrators',
  'src/features/catalogue/admin/content/admin-home.server.ts':
    'for administrators: whether there is any of their own, and what waits for them',
  'src/features/catalogue/admin/content/list-items.server.ts': 'for administrators: numbers in the order of their list',
  'src/features/catalogue/admin/content/free-slug.server.ts': 'for administrators: whether a slug is free',
  'src/features/catalogue/admin/content/save-item.server.ts': 'for administrators: how a file had the item',
  'src/features/catalogue/evidence/store-evidence.server.ts': 'for administrators: whether there is such an item',
  'src/features/notices/desk/notice-invariants.server.ts': 'for the operator: ids of what breaks a rule',
  'src/features/notices/notice/read-decided-entries.server.ts':
    'whether an entry of a decision is on the site, for those whom it concerns',
  'src/features/notices/desk/readers.server.ts': 'who has attested the rights of items',
  'src/features/notices/transparency/read-report.server.ts':
    'how many are published on each basis of rights, and no more',
  'src/features/site/statistics/read-statistics-report.server.ts':
    'for administrators: how often an entry was downloaded',
  'src/features/catalogue/publishing/count-published.server.ts': 'for the operator: how many are published',
  'src/features/catalogue/publishing/publishing-invariants.server.ts': 'for the operator: ids of what breaks a rule',
  'src/features/catalogue/publishing/restrict-lapsed-items.server.ts': 'a job: takes items off the site',
  'src/features/catalogue/removal/block-links.server.ts': 'a decision on a notice: which items have a blocked link',
  'src/features/catalogue/removal/match-reported.server.ts': 'a notice: the ids of the items that it names',
  'src/features/catalogue/removal/reported-standing.server.ts':
    'a notice: which of the items that it names are published, and how many of the catalogue are held',
  'src/features/catalogue/removal/remove-items.server.ts': 'a decision on a notice: what it gives back',
  'src/features/catalogue/removal/standing-removals.server.ts':
    'the journal of removals: whether an entry that is off the site is there, and its slug',
  'src/features/catalogue/removal/removed-item.server.ts': 'the tombstones of removed items: nothing that they held',
  'src/features/catalogue/publishing/tell-lapses.server.ts': 'for administrators: what was taken off the site',
  'src/features/catalogue/publishing/save-items.server.ts': 'the one writer',
  'src/features/catalogue/publishing/stored-item.server.ts':
    'for the operator: items of every status as they were written',
}

test('nobody reads items for the public but through the base query', () => {
  const reads =
    /selectFrom\(\s*\[?\s*['"`]items\b|(?:innerJoin|leftJoin|rightJoin|fullJoin)\(\s*['"`]items\b|\b(?:from|join)\s+items\b/i
  const readers = code.filter((path) => !path.startsWith('src/db/migrations/') && reads.test(read(path)))
  expect(readers).toContain('src/features/catalogue/index/visible-items.server.ts')
  expect(readers.filter((path) => readersOfItems[path] === undefined)).toEqual([])
  expect(Object.keys(readersOfItems).filter((path) => !readers.includes(path))).toEqual([])
})

/**
 * The readers of the ready rows beside the items. They hold published items only, VIP and scheduled ones among them.
 */
const readersOfRows: Record<string, string> = {
  'src/features/catalogue/index/serialized-items.server.ts':
    'looks up numbers that the listing gave, and leaves out what the viewer may not see now',
  'src/features/catalogue/publishing/count-published.server.ts': 'for the operator: how many there are',
  'src/features/catalogue/publishing/publishing-invariants.server.ts': 'whether they agree with their items',
}

test('nobody reads the ready rows of items for the public but the lists', () => {
  const named = code.filter((path) => !path.startsWith('src/db/') && /\bitem_rows\b/.test(read(path)))
  // A large write vacuums the table; the sentence around the name tells that from a reading.
  const readers = named.filter((path) =>
    /(?:from|join)\s+item_rows\b|(?:selectFrom|Join)\(\s*\[?\s*['"`]item_rows\b/i.test(read(path)),
  )
  expect(readers).toEqual(Object.keys(readersOfRows))
  expect(named.filter((path) => !readers.includes(path))).toEqual([
    'src/features/catalogue/publishing/tidy-after.server.ts',
  ])
})

/** The files that may name the columns of links, each with its audience. */
const readersOfLinks: Record<string, string> = {
  'src/features/catalogue/item/direct-links.server.ts': 'for visitors: the one place, which hides them in DirectLinks',
  'src/features/catalogue/links/gather-links.server.ts': 'the checks of links: addresses, which nobody is given',
  'src/features/catalogue/publishing/publishing-invariants.server.ts': 'whether a published item has one',
  'src/features/catalogue/publishing/save-items.server.ts': 'the one writer',
  'src/features/catalogue/publishing/stored-item.server.ts': 'for the operator: items as they were written',
  'src/features/catalogue/transfer/known-items.server.ts': 'for the operator: which rows are in already',
}

/** The files that may take them out, each with its audience. */
const openersOfLinks: Record<string, string> = {
  'src/features/catalogue/gateway/gateway.server.ts': 'while no gateway is in force, the link itself stands there',
  'src/features/catalogue/gateway/redeem-ticket.server.ts': 'a visitor who has waited',
  'src/features/catalogue/gateway/start-passage.server.ts': 'a visitor whom no wait or only a provider stands before',
  'src/features/catalogue/index/single-items.server.ts': 'VIPs and administrators',
}

test('direct links leave the database by one file, and the server by those that say for whom', () => {
  const columns = /\blink_(?:g|p|mv[1-4])\b|\b(?:items|i)\.link2?\b/
  const named = code.filter((path) => path.startsWith('src/features/') && columns.test(read(path)))
  expect(named).toEqual(Object.keys(readersOfLinks))
  const opened = code.filter((path) => /\.(?:reveal|rewrite)\(|\b(?:reveal|rewrite)\b[^(\n]*=/.test(read(path)))
  expect(opened).toEqual(Object.keys(openersOfLinks))
  // A whole row would have them without naming them.
  const others = code.filter((path) => readersOfLinks[path] === undefined)
  const readers = others.filter((path) => /selectFrom\(\s*['"`]items['"`]|\bfrom\s+items\b/i.test(read(path)))
  const ofAll = /\bselectAll\(|\bselect\s+(?:\w+\.)?\*\s*from\s+items\b|(?:to_jsonb?|row_to_json)\(\s*(?:items|i)\b/i
  expect(readers.filter((path) => ofAll.test(read(path)))).toEqual([])
})

test('the browser sends the cookie of its device with the calls that read or set it, and with no others', () => {
  const reading = code
    .filter((path) => path.endsWith('routes.server.ts'))
    .flatMap((path) =>
      read(path)
        .split(/^ +route\(\{$/m)
        .slice(1),
    )
    .filter((route) => /\b(?:read|write)DeviceSecrets\(/.test(route))
    .map((route) => `${/\bmethod: '(\w+)'/.exec(route)?.[1]} ${/\bpath: '([^']+)'/.exec(route)?.[1]}`)
  expect(reading.length).toBeGreaterThan(5)
  expect(deviceCalls.toSorted()).toEqual(reading.toSorted())
  expect(code.filter((path) => /\bcredentials: /.test(read(path)) && path.startsWith('src/features/'))).toEqual([])
})

test('the role of an administrator is taken away in one place, which records it and tells of it', () => {
  const takers = code.filter((path) => /\.set\(\{ is_admin: false \}\)/.test(read(path)))
  expect(takers).toEqual(['src/features/accounts/administrators/withdraw-role.server.ts'])
})

/** The makers of accounts, which nothing opens yet. */
const makersOfAccounts = [
  'src/features/accounts/demo/fill-demo-accounts.server.ts',
  'src/features/accounts/sign-in/register-account.server.ts',
]

test('whoever gives an account another password ends whatever else opens it', () => {
  const setters = code.filter((path) => path.endsWith('.server.ts') && /\bpassword_changed_at: /.test(read(path)))
  expect(setters).toEqual(expect.arrayContaining(makersOfAccounts))
  const others = setters.filter((path) => !makersOfAccounts.includes(path))
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter((path) => !/\bendAccess\(trx,/.test(read(path)))).toEqual([])
})

test('only config.ts, the list that the build reads, and the files that start a process read the environment', () => {
  const readers = code.filter((path) => /process\.env\b|import\.meta\.env\b/.test(read(path)))
  expect(readers.filter((path) => !['src/main.ts', 'src/cli.ts', 'src/routes.ts'].includes(path))).toEqual([])
})

test('no page carries inline styles, handlers or raw markup, which its content security policy would refuse', () => {
  const pages = code.filter((path) => path.endsWith('.tsx'))
  expect(pages.filter((path) => /\sstyle=|\bon[a-z]+="/.test(read(path)))).toEqual([])
  // The list's rows, which entry-html.ts writes as escaped text, and the one script that must run before anything is painted.
  expect(pages.filter((path) => read(path).includes('dangerouslySetInnerHTML'))).toEqual([
    'src/features/catalogue/parts/list/entry-list.tsx',
    'src/root.tsx',
  ])
})

test('administrators read the name and the address of a person with the mark of mixed scripts', () => {
  const bare = /<bdi>\{(?:\w+\.)*(?:person|member|user|author|account)\.(?:name|email)\}/
  expect(code.filter((path) => path.endsWith('.tsx') && bare.test(read(path)))).toEqual([])
  // The address comes from the page's own address.
  expect(read('src/features/requests/pages/admin-support.tsx')).toContain('<GivenText>{email}</GivenText>')
})

test('a page that looks at the query of its address on the server says which parameters it reads', () => {
  const modules = code.filter((path) => /^src\/features\/.+\/pages\//.test(path) || path === 'src/root.tsx')
  const readers = modules.filter((path) => /\b(url\.search|searchParams|request\.url)\b/.test(read(path)))
  expect(readers).toContain('src/features/catalogue/pages/listing.tsx')
  const declared = new Set(pages.filter((page) => parametersOf(page).length > 0).map(({ file }) => `src/${file}`))
  expect(readers.filter((path) => !declared.has(path))).toEqual([])
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
  const verbs = /^(find|search|read|list|publish|restrict|import(?!-file)|export|fill|match|recompute)-/
  const useCases = code
    .filter((path) => /^src\/features\/.+\.server\.ts$/.test(path))
    .filter((path) => verbs.test(path.replace(/^.*\//, '')))
  expect(useCases.length).toBeGreaterThan(0)
  const misnamed = useCases.filter((path) => {
    const name = path
      .replace(/^.*\/|\.server\.ts$/g, '')
      .replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    return !new RegExp(`export (async )?(function\\*? |const )${name}\\b`).test(read(path))
  })
  expect(misnamed).toEqual([])
})

test('a use case takes a viewer only where it uses one', () => {
  expect(code.filter((path) => /\b_viewer\b/.test(read(path)))).toEqual([])
})

test('every feature says in its README what its words mean', () => {
  const features = readdirSync(join(root, 'src/features'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  for (const { name } of features) expect(read(`src/features/${name}/README.md`), name).toMatch(/^# /)
})
