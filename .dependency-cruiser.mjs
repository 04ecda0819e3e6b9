import { readdirSync } from 'node:fs'

/** The import law: a feature may import from those on its left, and all of them from platform, db and ui. */
const row = ['accounts', 'membership', 'catalogue', 'requests', 'notices', 'site']

for (const folder of readdirSync(new URL('src/features', import.meta.url))) {
  if (!row.includes(folder))
    throw new Error(`src/features/${folder} has no place in the row of .dependency-cruiser.mjs.`)
}

const tests = String.raw`\.test\.tsx?$`
const server = String.raw`\.server\.tsx?$`
const aRouteModule = String.raw`^src/(root\.tsx$|features/[^/]+/pages/)`
const values = { dependencyTypesNot: ['type-only'] }

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...row.slice(0, -1).map((feature, place) => ({
      name: `${feature}-imports-from-its-left`,
      comment: `The row is ${row.join(' < ')}: let the feature on the right do the work and call the left.`,
      severity: 'error',
      from: { path: `^src/features/${feature}/` },
      to: { path: `^src/features/(${row.slice(place + 1).join('|')})/` },
    })),
    {
      name: 'features-import-no-process',
      comment: 'What starts the process imports features, never the other way round.',
      severity: 'error',
      from: { path: '^src/(features|platform|db|ui)/', pathNot: tests },
      to: { path: String.raw`^src/[^/]+\.tsx?$` },
    },
    {
      name: 'platform-knows-no-product',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: tests },
      to: { path: '^src/(features|ui)/' },
    },
    {
      name: 'db-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/db/', pathNot: tests },
      to: { path: '^src/', pathNot: '^src/db/' },
    },
    {
      name: 'migrations-stand-alone',
      comment: 'A merged migration never changes, so it may not lean on code that does.',
      severity: 'error',
      from: { path: String.raw`^src/db/migrations/\d` },
      to: { path: '^src/' },
    },
    {
      name: 'ui-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/ui/', pathNot: tests },
      to: { path: '^src/', pathNot: '^src/ui/' },
    },
    {
      name: 'the-browser-gets-no-server-file',
      comment: 'Only a route module may name a .server file: its loader is taken out of what the browser gets.',
      severity: 'error',
      from: {
        path: String.raw`^src/(features|ui)/|^src/(entry\.client\.tsx|routes\.ts)$`,
        pathNot: [server, tests, aRouteModule],
      },
      to: { path: server, ...values },
    },
    {
      name: 'the-browser-gets-no-node',
      severity: 'error',
      from: { path: '^src/(features|ui)/', pathNot: [server, tests, aRouteModule] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the-browser-gets-no-database',
      severity: 'error',
      from: { path: '^src/(features|ui)/', pathNot: [server, tests, aRouteModule] },
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
