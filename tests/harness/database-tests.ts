import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const testFiles = ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts', 'tests/http/**/*.test.ts', 'sandbox/**/*.test.ts']

/** The module that opens the database of a run. */
const opener = 'tests/harness/test-database.ts'

/**
 * HTTP tests that run on both engines: those of locks, races, jobs, outages and imports, and those that send statements which
 * no other test sends there.
 */
export const httpOnBoth = [
  'addresses',
  'audit',
  'billing-outages',
  'bulk',
  'content-admin',
  'devices',
  'disk-full',
  'evidence',
  'factors',
  'notice-floods',
  'notices',
  'people',
  'prohibited-names',
  'removal',
  'requests',
  'rights',
  'stats',
  'support',
  'transfer',
  'vip-users',
].map((name) => `tests/http/${name}.test.ts`)

/**
 * HTTP tests that run on the embedded engine alone: on PostgreSQL other tests send their statements
 * (docs/decisions/2026-11-28-what-the-suite-repeats.md).
 */
export const httpOnEmbedded = [
  'categories',
  'counter-notice-late',
  'gateway',
  'notice-attacks',
  'notice-restore',
  'payments-off',
  'second-person',
  'second-safety-officer',
  'transparency',
].map((name) => `tests/http/${name}.test.ts`)

/** The test files outside of the browser, as paths from the root. */
export function findTestFiles(root: string): string[] {
  return globSync(testFiles, { cwd: root }).map(normalize).sort()
}

/**
 * The test files whose outcome can depend on the engine: those that reach the harness of databases by their imports, and
 * those that ask for the PostgreSQL of the run themselves.
 */
export function findDatabaseTests(root: string): string[] {
  return findTestsThatReach(root, (path) => path === opener, asksForServer)
}

/**
 * The test files that `.ci/run` leaves out of one of its two runs.
 * @param run the engine of the run; undefined for one that has everything
 */
export function findTestsOfOtherRun(root: string, run: string | undefined): string[] {
  if (run === 'postgresql') return httpOnEmbedded
  if (run !== 'embedded') return []
  const onEither = new Set(findDatabaseTests(root))
  const isHere = (file: string): boolean =>
    onEither.has(file) && (!file.startsWith('tests/http/') || [...httpOnBoth, ...httpOnEmbedded].includes(file))
  return findTestFiles(root).filter((file) => !isHere(file))
}

/** The test files that open a database in any way: their imports lead, over the harness, to one of these. */
export function findOpeners(root: string): string[] {
  const opens = /^src\/db\/(open|embedded\/embedded)\.ts$|^src\/app\/open-app\.ts$/
  return findTestsThatReach(
    root,
    (path) => opens.test(path),
    (_root, file) =>
      /^import (?!type\b).* from '(@electric-sql\/pglite|pg)'$/m.test(readFileSync(join(root, file), 'utf8')),
  )
}

function findTestsThatReach(
  root: string,
  isTarget: (path: string) => boolean,
  isOneItself: (root: string, file: string) => boolean,
): string[] {
  const known = new Map<string, boolean>()
  function reaches(file: string): boolean {
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false)
    const found = importsOf(root, file).some(
      (path) => isTarget(path) || (path.startsWith('tests/harness/') && reaches(path)),
    )
    known.set(file, found)
    return found
  }
  return findTestFiles(root).filter((file) => reaches(file) || isOneItself(root, file))
}

/** The modules of this repository that a file names in its imports; not those whose types alone it takes. */
function importsOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^(?:import|export)\b(?! type\b)[^'"]*?['"](\.[^'"]+)['"]/gm)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )
}

function asksForServer(root: string, file: string): boolean {
  return /TEST_DATABASE_URL|inject\('preparedDatabase'\)/.test(readFileSync(join(root, file), 'utf8'))
}
