import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../src/app/pages.ts'
import { routes } from '../src/app/server.ts'
import { guards } from '../src/features/site/pages.ts'
import pageRoutes from '../src/routes.ts'
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
    'GET /appearance.css',
    'GET /asiancontent/:item',
    'GET /covers/:file',
    'GET /covers/:hash/:file',
    'GET /favicon.ico',
    'GET /feeds/:file',
    'GET /feeds/private/:file',
    'GET /icons/:file',
    'GET /linkvertise-config',
    'GET /marks/:file',
    'GET /metrics',
    'GET /opds',
    'GET /opds/',
    'GET /opds/:list',
    'GET /opds/covers/:file',
    'GET /opds/entries',
    'GET /opds/search.xml',
    'GET /opds/v2',
    'GET /opds/v2/',
    'GET /opds/v2/:list',
    'GET /opds/v2/entries',
    'GET /opds/v2/entries/:slug',
    'GET /openapi.json',
    'GET /opensearch.xml',
    'GET /robots.txt',
    'GET /site.webmanifest',
    'GET /sitemap.xml',
    'GET /transparency.csv',
    'GET /transparency.json',
    'GET /universal-search/facets',
    'GET /universal-search/search',
    'GET /westerncontent/:item',
    'POST /auth/login',
    'POST /auth/register',
    'POST /confirm-address',
    'POST /forgot-password',
    'POST /links/report',
    'POST /reset-password',
    'POST /support',
    'POST /webhooks/mail/:provider',
    'POST /webhooks/stripe',
  ],
  member: [
    'DELETE /account/app-passwords/:id',
    'DELETE /account/downloads',
    'DELETE /account/downloads/:slug',
    'DELETE /account/email-stop',
    'DELETE /account/feed-token',
    'DELETE /account/saved-entries/:slug',
    'DELETE /account/saved-searches/:id',
    'DELETE /account/saved-searches/:id/feed',
    'DELETE /auth/address',
    'DELETE /auth/delete-account/:email',
    'DELETE /auth/devices',
    'DELETE /auth/devices/:id',
    'DELETE /auth/passkeys/:id',
    'DELETE /auth/sessions',
    'DELETE /auth/sessions/:id',
    'DELETE /auth/totp',
    'DELETE /recommendations/:id/vote',
    'GET /account/app-passwords',
    'GET /account/downloads',
    'GET /account/feed-token',
    'GET /account/saved-entries',
    'GET /account/saved-searches',
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
    'POST /account/app-passwords',
    'POST /account/downloads',
    'POST /account/feed-token',
    'POST /account/saved-searches',
    'POST /account/saved-searches/:id/feed',
    'POST /account/visit',
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
    'PUT /account/downloads',
    'PUT /account/saved-entries/:slug',
    'PUT /account/saved-searches/:id',
    'PUT /auth/passkeys/:id',
    'PUT /recommendations/:id/vote',
  ],
  vip: [
    'GET /vip-asiancontent/:item',
    'GET /vip-asiancontent/:item/neighbours',
    'GET /vip-westerncontent/:item',
    'GET /vip-westerncontent/:item/neighbours',
    'POST /downloads',
  ],
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

test('each page for VIPs or administrators stands within the guard of its kind, and no other page in one', () => {
  for (const [access, file] of Object.entries(guards)) {
    const within = pageRoutes.find((route) => route.file === file)?.children?.map((route) => `/${route.path}`)
    const ofKind = pages.filter((page) => page.kind === 'shell' && page.access === access).map(({ path }) => path)
    expect(ofKind.length, access).toBeGreaterThan(5)
    expect(within?.toSorted(), access).toEqual(ofKind.toSorted())
  }
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
    .flatMap((path) =>
      [...read(path).matchAll(/(?:defineLimit(?:<\w+>)?|limit(?:Key|Address))\(\s*\{\s*name: '([a-z-]+)\./g)].map(
        ([, name]) => name,
      ),
    )
  const named = [...routes, ...pages].flatMap(({ rateLimit }) => rateLimit ?? [])
  expect(new Set(named)).toEqual(new Set(consumed))
})

/** Addresses that no route and no page declares, and where each stands. */
const ownPaths: Record<string, readonly string[]> = {
  'src/http/health.ts': ['/healthz', '/readyz'],
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
  // The kind of build, such as that of the server, is no setting.
  const settings = /process\.env\b|import\.meta\.env\b(?!\.(?:SSR|PROD)\b)/
  const readers = code.filter((path) => settings.test(read(path)))
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
  const bare = /(?:<bdi>|<WorkPage\s+title=)\{(?:\w+\??\.)*(?:person|member|user|author|account)\.(?:name|email)\b/
  expect(code.filter((path) => path.endsWith('.tsx') && bare.test(read(path)))).toEqual([])
  // The address comes from the page's own address.
  expect(read('src/features/requests/pages/admin-support.tsx')).toContain('<UserText>{email}</UserText>')
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
    // Its parts stand in its own folder.
    expect(read(path), name).not.toMatch(new RegExp(`from ['"]\\.(?!/${name}/)`))
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
