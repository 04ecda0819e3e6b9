import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  findDatabaseTests,
  findOpeners,
  findTestFiles,
  findTestsOfOtherRun,
  httpOnBoth,
  httpOnEmbedded,
} from './harness/database-tests.ts'

const root = resolve(import.meta.dirname, '..')

/** Test files that open a database by themselves, and why the PostgreSQL of the run has no part in what they prove. */
const embeddedAlone = {
  'src/cli.test.ts': 'whole commands over a data directory',
  'src/db/embedded/embedded.test.ts': 'what a power cut leaves of a data directory',
  'src/db/postgres/start.test.ts': 'servers of its own that play PostgreSQL',
  'tests/http/backup-process.test.ts': 'the copy that a running server makes of its data directory',
  'tests/http/billing-process.test.ts': 'what a process that was killed leaves in its data directory',
  'tests/http/digest-process.test.ts': 'what a process that was killed leaves in its data directory',
  'tests/http/doctor.test.ts': 'whole commands over a data directory',
  'tests/http/upgrade.test.ts': 'whole commands over a data directory',
}

describe('the tests whose outcome can depend on the engine', () => {
  test('are those that open a database, but for those of the embedded engine alone', () => {
    const onEither = new Set(findDatabaseTests(root))
    const others = findOpeners(root).filter((file) => !onEither.has(file))
    expect(others).toEqual(Object.keys(embeddedAlone))
    // One that is named and opens none, or is gone, does not stand in the list.
    expect([...httpOnBoth, ...httpOnEmbedded].filter((file) => !onEither.has(file))).toEqual([])
  })

  test('run on both engines where they stand beside their code, or see what one engine alone has; every test runs', () => {
    const left = {
      postgresql: findTestsOfOtherRun(root, 'postgresql'),
      embedded: findTestsOfOtherRun(root, 'embedded'),
    }
    expect(left.postgresql.filter((file) => left.embedded.includes(file))).toEqual([])
    const onBoth = findTestFiles(root).filter((file) => ![...left.postgresql, ...left.embedded].includes(file))
    expect(onBoth).toEqual(expect.arrayContaining(findDatabaseTests(root).filter((file) => file.startsWith('src/'))))
    expect(onBoth).toEqual(expect.arrayContaining(['src/platform/jobs/jobs.test.ts', 'tests/http/disk-full.test.ts']))
    expect(left.embedded).toContain('tests/http/process.test.ts')
    expect(onBoth.length).toBeGreaterThan(40)
    expect(findTestsOfOtherRun(root, undefined)).toEqual([])
  })
})
