import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

// It is plain JavaScript: its types are those of the tool that reads it.
const config: string = new URL('../.dependency-cruiser.mjs', import.meta.url).href
const { default: law } = (await import(config)) as { default: Required<Pick<IConfiguration, 'forbidden' | 'options'>> }

/** Files that each break one rule, with what they import, and the rule. */
const breaches: [file: string, imports: string, rule: string][] = [
  ['src/platform/bad-http.ts', 'src/http/http-app.ts', 'src/platform-imports-from-its-left'],
  ['src/db/bad-platform.ts', 'src/platform/log.ts', 'src/db-imports-from-its-left'],
  ['src/http/bad-feature.ts', 'src/features/accounts/app.ts', 'src/http-imports-from-its-left'],
  ['src/browser/bad-feature.ts', 'src/features/accounts/app.ts', 'src/browser-imports-from-its-left'],
  ['src/features/site/bad-root.ts', 'src/app/app.ts', 'src/features-imports-from-its-left'],
  [
    'src/features/accounts/user/bad-membership.ts',
    'src/features/membership/app.ts',
    'src/features/accounts-imports-from-its-left',
  ],
  [
    'src/features/membership/sync/bad-catalogue.ts',
    'src/features/catalogue/app.ts',
    'src/features/membership-imports-from-its-left',
  ],
  [
    'src/features/catalogue/item/bad-search.ts',
    'src/features/catalogue/search/search.ts',
    'src/features/catalogue/item-imports-from-its-left',
  ],
  ['src/platform/time/bad-jobs.ts', 'src/platform/jobs/jobs.ts', 'src/platform/time-imports-from-its-left'],
  ['src/features/site/bad-process.ts', 'src/main.ts', 'features-import-no-process'],
  ['src/db/migrations/0099-bad.ts', 'src/db/tables/accounts.ts', 'migrations-stand-alone'],
  ['src/db/migrations/0098-bad.ts', 'src/db/migrations/0097-good/part.ts', 'migrations-stand-alone'],
  ['src/db/migrations/0098-bad/part.ts', 'src/db/migrations/0097-good/part.ts', 'migrations-stand-alone'],
  ['src/features/accounts/user/bad-table.ts', 'src/db/tables/membership.ts', 'accounts-sees-no-table-of-its-right'],
  ['src/features/accounts/user/bad-tables.ts', 'src/db/database.ts', 'only-the-composition-root-sees-all-tables'],
  ['src/platform/bad-table.ts', 'src/db/tables/accounts.ts', 'no-table-below-the-features'],
  ['src/features/site/bad-dev.ts', 'dev/main.ts', 'the-product-knows-no-development'],
  ['sandbox/bad.ts', 'src/platform/log.ts', 'the-sandbox-stands-alone'],
  ['src/features/site/bad-sandbox.ts', 'sandbox/main.ts', 'the-product-knows-no-sandbox'],
  ['src/features/site/bad-test.ts', 'tests/harness/members.ts', 'the-product-stands-without-its-tests'],
  ['src/features/accounts/utils/bad.ts', 'src/platform/log.ts', 'folders-say-what-is-in-them'],
]
/** Forbidden for values alone: an imported type is no code. */
const valueBreaches: typeof breaches = [
  [
    'src/features/accounts/parts/bad-server.ts',
    'src/features/accounts/user/a.server.ts',
    'the-browser-gets-no-server-file',
  ],
  ['src/features/accounts/parts/bad-database.ts', 'src/db/queryable.ts', 'the-browser-gets-no-database'],
  [
    'src/features/catalogue/search/bad-index.server.ts',
    'src/features/catalogue/index/listing-columns.ts',
    'the-index-has-one-way-in',
  ],
]
/** Packages where they have no place. `import type` of one is a dependency, too. */
const packageBreaches: [file: string, statement: string, rule: string][] = [
  ['src/features/accounts/user/bad-stripe.server.ts', `import Stripe from 'stripe'`, 'only-its-places-import-stripe'],
  ['src/features/accounts/user/bad-type.ts', `import type Stripe from 'stripe'`, 'only-its-places-import-stripe'],
  [
    'src/features/catalogue/links/bad-stripe.server.ts',
    `const { Stripe } = await import('stripe')`,
    'only-its-places-import-stripe',
  ],
  ['src/features/membership/sync/bad-stripe.server.ts', `import { Stripe } from 'stripe'`, 'one-room-talks-to-stripe'],
  [
    'src/features/membership/sync/bad-hash.server.ts',
    `import { hash as Stripe } from '@node-rs/argon2'`,
    'only-its-places-import-@node-rs/argon2',
  ],
  [
    'src/features/catalogue/gateway/bad-s3.server.ts',
    `import { AwsClient as Stripe } from 'aws4fetch'`,
    'only-its-places-import-aws4fetch',
  ],
  ['src/db/bad-pg.ts', `import Stripe from 'pg'`, 'only-its-places-import-pg'],
  ['src/http/bad-vite.ts', `import * as Stripe from 'vite'`, 'every-package-has-its-places'],
  ['src/http/bad-unknown.ts', `import Stripe from 'left-pad'`, 'every-package-has-its-places'],
]
const allowedPackages: typeof packageBreaches = [
  ['src/features/membership/stripe/good-stripe.server.ts', `import { Stripe } from 'stripe'`, ''],
  ['src/features/membership/sync/good-type.server.ts', `import type { Stripe } from 'stripe'`, ''],
  ['src/db/postgres/good-pg.ts', `import Stripe from 'pg'`, ''],
  ['src/platform/log.test.ts', `import Stripe from 'pg'`, ''],
]
const onlyItsPlaces = 'only-its-places-import-'
const packages = law.forbidden.flatMap(({ name }) =>
  name?.startsWith(onlyItsPlaces) === true ? [name.slice(onlyItsPlaces.length)] : [],
)
const allowed: typeof valueBreaches = [
  ['src/features/catalogue/search/good.ts', 'src/features/catalogue/item/item.ts', ''],
  ['src/features/catalogue/search/good-left.ts', 'src/features/accounts/app.ts', ''],
  ['src/features/membership/sync/good-table.ts', 'src/db/tables/accounts.ts', ''],
  ['src/http/good.ts', 'src/platform/log.ts', ''],
  ['src/db/migrations/0097-good.ts', 'src/db/migrations/0097-good/part.ts', ''],
]

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'daybook-import-law-'))
  const files = new Map<string, string>()
  const add = (from: string, to: string, kind: 'type ' | ''): void => {
    const path = `${'../'.repeat(dirname(from).split('/').length)}${to}`
    files.set(from, `import ${kind}{ thing } from '${path}'\nexport ${kind && 'type '}{ thing }\n`)
    if (!files.has(to)) files.set(to, 'export const thing = 1\n')
  }
  for (const [from, to] of [...breaches, ...allowed]) add(from, to, 'type ')
  for (const [from, to] of valueBreaches) add(from, to, '')
  files.set('src/browser/bad-node.ts', `export { readFile } from 'node:fs'\n`)
  files.set('src/http/bad-cycle.ts', `import { thing } from './bad-circle.ts'\nexport { thing }\n`)
  files.set('src/http/bad-circle.ts', `import { thing } from './bad-cycle.ts'\nexport { thing }\n`)
  files.set('src/http/bad-nothing.ts', `export { thing } from './not-there.ts'\n`)
  for (const [file, statement] of [...packageBreaches, ...allowedPackages])
    files.set(file, `${statement}\nexport { Stripe }\n`)
  for (const name of packages) files.set(`src/nowhere/${name}.ts`, `export { thing } from '${name}'\n`)
  for (const name of [...packages, 'vite', 'left-pad']) {
    files.set(`node_modules/${name}/package.json`, JSON.stringify({ name, exports: './index.js', type: 'module' }))
    files.set(`node_modules/${name}/index.js`, 'export const thing = 1\n')
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
})
afterAll(() => rm(root, { recursive: true, force: true }))

test('the import law finds what breaks it, and nothing else', async () => {
  const { tsConfig: _ofTheRepository, ...options } = law.options
  const { output } = await cruise(['src', 'sandbox', 'tests'], {
    ...options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: law.forbidden },
  })
  const { violations } = (output as ICruiseResult).summary
  const found = violations.map(({ from, rule }) => `${from}: ${rule.name}`)
  const expected = [
    ...[...breaches, ...valueBreaches, ...packageBreaches].map(([file, , rule]) => `${file}: ${rule}`),
    ...packages.map((name) => `src/nowhere/${name}.ts: ${onlyItsPlaces}${name}`),
    'src/browser/bad-node.ts: the-browser-gets-no-node',
    'src/http/bad-circle.ts: no-cycles',
    'src/http/bad-nothing.ts: everything-resolves',
  ]
  expect(found.sort()).toEqual(expected.sort())
  // One of those that every room has stands for the others.
  const single = law.forbidden
    .map(({ name }) => name)
    .filter((name) => !/-from-its-left$|-of-its-right$/.test(name ?? ''))
  expect(single.filter((name) => !expected.some((each) => each.endsWith(`: ${name}`)))).toEqual([])
})
