import { readdirSync } from 'node:fs'
import { Visitor } from '@swc/core/Visitor.js'

// The parser knows `await using`, its visitor does not yet: for imports it is a declaration like others.
const { visitStatement } = Visitor.prototype
Visitor.prototype.visitStatement = function visitAny(statement) {
  const isUsing = statement.type === 'UsingDeclaration'
  return visitStatement.call(
    this,
    isUsing ? { ...statement, type: 'VariableDeclaration', declarations: statement.decls } : statement,
  )
}

/**
 * The import law, the one list: a room may import from those on its left and from no room on its right. Rooms inside a
 * room keep a row of their own; a file beside them (its routes, its jobs) puts them together and stands on their right.
 */
const rows = {
  src: ['ui', 'db', 'platform', 'http', 'browser', 'features', 'app', 'commands'],
  'src/db': ['tables', 'migrations', 'postgres', 'embedded', 'dump'],
  'src/platform': ['time', 'csv', 'cli', 'config', 'doctor', 'metrics', 'fair-queue', 'rate-limit', 'jobs', 'email'],
  'src/http': ['cache', 'connections', 'pages', 'docs'],
  'src/features': ['office', 'accounts', 'membership', 'catalogue', 'requests', 'notices', 'site'],
  'src/features/office': ['viewer', 'browser', 'parts', 'audit', 'alarms', 'runs', 'texts', 'answers'],
  'src/features/accounts': [
    'user',
    'sent-emails',
    'passwords',
    'sessions',
    'devices',
    'factors',
    'feed-tokens',
    'sign-in',
    'app-passwords',
    'demo',
    'administrators',
    'account',
    'address',
    'emails',
    'browser',
    'parts',
    'settings',
    'people',
    'pages',
  ],
  'src/features/membership': [
    'plans',
    'access',
    'stripe',
    'sync',
    'checkout',
    'account',
    'emails',
    'vips',
    'demo',
    'transfer',
    'admin',
    'parts',
    'pages',
  ],
  'src/features/catalogue': [
    'item',
    'publishing',
    'prohibited-names',
    'evidence',
    'covers',
    'editing',
    'rights',
    'categories',
    'transfer',
    'bulk',
    'index',
    'shelves',
    'saved',
    'gateway',
    'removal',
    'links',
    'demo',
    'search',
    'details',
    'saved-searches',
    'parts',
    'overviews',
    'reading',
    'pages',
  ],
  'src/features/requests': ['content-requests', 'support', 'demo', 'emails', 'parts', 'pages'],
  'src/features/notices': ['notice', 'journal', 'intake', 'desk', 'demo', 'transparency', 'emails', 'parts', 'pages'],
  'src/features/site': [
    'account',
    'appearance',
    'reference',
    'home',
    'admin-search',
    'invariants',
    'statistics',
    'backup',
    'metrics',
    'jobs',
    'discovery',
    'feeds',
    'opds',
    'demo',
    'parts',
    'pages',
  ],
}

/**
 * The second list: each package of the product and of the sandbox, and the places that may import it, its types too.
 * A package without a line has no place. Tests import what they need.
 */
const packages = {
  '@electric-sql/pglite': ['src/db/embedded/'],
  '@fontsource-variable/brygada-1918': ['src/root.tsx'],
  '@fontsource-variable/figtree': ['src/root.tsx'],
  '@hono/node-server': ['sandbox/'],
  '@node-rs/argon2': ['src/features/accounts/passwords/'],
  '@react-router/dev': ['src/routes.ts'],
  '@simplewebauthn/browser': ['src/features/accounts/parts/factors/'],
  '@simplewebauthn/server': ['src/features/accounts/factors/'],
  '@tanstack/react-query': ['src/browser/queries.ts', 'src/browser/change-pages.ts'],
  '@tanstack/react-virtual': ['src/features/catalogue/editing/'],
  '@zxcvbn-ts/core': ['src/features/accounts/passwords/'],
  '@zxcvbn-ts/language-common': ['src/features/accounts/passwords/'],
  'any-ascii': ['src/features/catalogue/item/', 'src/features/catalogue/covers/drawn/'],
  'age-encryption': ['src/features/site/backup/'],
  aws4fetch: ['src/features/catalogue/evidence/'],
  bowser: ['src/features/accounts/sessions/'],
  'csv-parse': ['src/features/membership/transfer/', 'src/features/catalogue/transfer/'],
  'date-holidays': ['src/features/notices/notice/'],
  fontkit: ['src/features/catalogue/covers/drawn/'],
  hono: ['src/http/match.ts', 'src/features/accounts/devices/', 'sandbox/'],
  ioredis: ['src/platform/rate-limit/'],
  'ipaddr.js': ['src/platform/client-address.ts', 'src/platform/config/'],
  kysely: ['src/db/', 'src/platform/jobs/', 'src/features/', 'src/app/', 'src/commands/'],
  nodemailer: ['src/platform/email/'],
  otpauth: ['src/features/accounts/factors/'],
  pg: ['src/db/postgres/'],
  'pg-boss': ['src/platform/jobs/'],
  pino: ['src/platform/log.ts'],
  'prom-client': ['src/platform/metrics/'],
  'rate-limiter-flexible': ['src/platform/rate-limit/'],
  'punycode.js': ['src/features/catalogue/item/'],
  react: ['src/ui/', 'src/browser/', 'src/features/', 'src/root.tsx', 'src/entry.client.tsx'],
  'react-dom': ['src/ui/', 'src/features/accounts/parts/', 'src/entry.client.tsx', 'src/entry.server.tsx'],
  'react-hook-form': ['src/ui/', 'src/features/office/browser/'],
  'react-router': ['src/ui/', 'src/http/pages/', 'src/browser/', 'src/features/', 'src/[^/]+$'],
  recharts: ['src/features/site/parts/statistics/'],
  sharp: ['src/features/catalogue/covers/'],
  stripe: ['src/features/membership/', 'sandbox/'],
  undici: ['src/platform/public-network.ts', 'src/features/catalogue/covers/', 'src/features/catalogue/links/'],
  uqr: ['src/features/accounts/settings/factors/'],
  uuidv7: ['src/features/'],
  vitest: ['sandbox/try-sandbox.ts'],
  zod: ['src/platform/email/', 'src/platform/time/', 'src/platform/text-schema.ts', 'src/http/', 'src/features/'],
}

for (const [folder, row] of Object.entries(rows)) {
  for (const entry of readdirSync(new URL(folder, import.meta.url), { withFileTypes: true })) {
    if (entry.isDirectory() && !row.includes(entry.name))
      throw new Error(`${folder}/${entry.name} has no place in the rows of .dependency-cruiser.mjs.`)
  }
}

const tests = String.raw`\.test\.tsx?$`
const server = String.raw`\.server\.tsx?$`
const aRouteModule = String.raw`^src/(root\.tsx$|features/.+/pages/)`
const values = { dependencyTypesNot: ['type-only'] }

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(rows).flatMap(([folder, row]) =>
      row.slice(0, -1).map((room, place) => ({
        name: `${folder}/${room}-imports-from-its-left`,
        comment: `The row is ${row.join(' < ')}: let the room on the right do the work and call the left.`,
        severity: 'error',
        from: { path: `^${folder}/${room}/`, pathNot: tests },
        to: { path: `^${folder}/(${row.slice(place + 1).join('|')})/` },
      })),
    ),
    ...Object.entries(packages).map(([name, places]) => ({
      name: `only-its-places-import-${name}`,
      comment: 'The list of packages says where: call the room that stands before the package.',
      severity: 'error',
      from: { path: '^(src|sandbox)/', pathNot: [tests, `^(${places.join('|')})`] },
      to: { path: `^node_modules/${name}/` },
    })),
    {
      name: 'every-package-has-its-places',
      severity: 'error',
      from: { path: '^(src|sandbox)/', pathNot: tests },
      to: { path: '^node_modules/', pathNot: `^node_modules/(${Object.keys(packages).join('|')})/` },
    },
    {
      name: 'one-room-talks-to-stripe',
      comment: 'All of membership may name the types of what Stripe returns.',
      severity: 'error',
      from: { path: '^src/features/membership/', pathNot: [tests, '^src/features/membership/stripe/'] },
      to: { path: '^node_modules/stripe/', ...values },
    },
    {
      name: 'features-import-no-process',
      comment: 'What starts the process imports features, never the other way round.',
      severity: 'error',
      from: { path: '^src/(features|browser|http|platform|db|ui)/', pathNot: tests },
      to: { path: String.raw`^src/[^/]+\.tsx?$` },
    },
    // The type of a database lists what its holder may name: who imports another list could ask for more.
    ...rows['src/features'].slice(0, -1).map((feature, place) => ({
      name: `${feature}-sees-no-table-of-its-right`,
      severity: 'error',
      from: { path: `^src/features/${feature}/`, pathNot: tests },
      to: { path: `^src/db/tables/(${rows['src/features'].slice(place + 1).join('|')})` },
    })),
    {
      name: 'only-the-composition-root-sees-all-tables',
      severity: 'error',
      from: { path: '^src/features/', pathNot: tests },
      to: { path: '^src/db/database' },
    },
    {
      name: 'no-table-below-the-features',
      severity: 'error',
      from: { path: '^src/(ui|platform|http|browser)/', pathNot: tests },
      to: { path: '^src/db/(tables/|database)' },
    },
    {
      name: 'the-index-has-one-way-in',
      comment: 'What stands behind CatalogueIndex may change as a whole: only its types are known elsewhere.',
      severity: 'error',
      from: { path: '^src/', pathNot: [tests, '^src/features/catalogue/index/'] },
      to: {
        path: '^src/features/catalogue/index/',
        pathNot: String.raw`/(catalogue-index|follow-catalogue)\.server\.ts$`,
        ...values,
      },
    },
    {
      name: 'migrations-stand-alone',
      comment: 'A merged migration never changes, so it may not lean on code that does. Its own folder goes with it.',
      severity: 'error',
      from: { path: String.raw`^src/db/migrations/(\d{4}-[^/.]+)` },
      to: { path: '^src/', pathNot: '^src/db/migrations/$1/' },
    },
    {
      name: 'the-browser-gets-no-server-file',
      comment: 'Only a route module may name a .server file: its loader is taken out of what the browser gets.',
      severity: 'error',
      from: {
        path: String.raw`^src/(features|browser|ui)/|^src/(entry\.client\.tsx|routes\.ts)$`,
        pathNot: [server, tests, aRouteModule],
      },
      to: { path: server, ...values },
    },
    {
      name: 'the-browser-gets-no-node',
      severity: 'error',
      from: { path: '^src/(features|browser|ui)/', pathNot: [server, tests, aRouteModule] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the-browser-gets-no-database',
      severity: 'error',
      from: { path: '^src/(features|browser|ui)/', pathNot: [server, tests, aRouteModule] },
      to: { path: '^src/db/', ...values },
    },
    {
      name: 'the-sandbox-stands-alone',
      comment: 'It stands in for Stripe: what it shared with the product, it could not find wrong.',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: '^(src|tests|bench|scripts)/' },
    },
    {
      name: 'the-product-knows-no-sandbox',
      comment: 'The product talks to it over HTTP, as it would to Stripe.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: '^sandbox/' },
    },
    {
      name: 'the-product-knows-no-development',
      comment:
        'What serves npm run dev stands in dev/ and is in no build; Vite builds the pages and never runs with them.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: '^dev/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^(src|tests|bench|sandbox)/' },
      to: { circular: true, viaOnly: values },
    },
    {
      name: 'the-product-stands-without-its-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: `^(tests|bench|scripts)/|${tests}` },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: {},
      // The routes' types are generated, and the built pages exist after a build only.
      to: { couldNotResolve: true, pathNot: [String.raw`\+types/`, 'virtual:react-router', 'build/server'] },
    },
    {
      name: 'folders-say-what-is-in-them',
      comment: 'No utils, helpers, common, lib, service or repository: name the thing.',
      severity: 'error',
      from: { path: '^src/.*/(util|utils|helper|helpers|common|lib|service|services|repository|repositories)/' },
      to: {},
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`^(build|\.react-router)/` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
