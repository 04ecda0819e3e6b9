import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findDatabaseTests, findOpeners, findTestsOfBothEngines, onceOnly } from './harness/database-tests.ts'

const root = resolve(import.meta.dirname, '..')

/** Test files that open a database by themselves, and why the PostgreSQL of the run has no part in what they prove. */
const embeddedAlone = {
  'src/cli.test.ts': 'whole commands over a data directory',
  'src/db/embedded/embedded.test.ts': 'what a power cut leaves of a data directory',
  'src/db/postgres/start.test.ts': 'servers of its own that play PostgreSQL',
  'tests/http/billing-process.test.ts': 'what a process that was killed leaves in its data directory',
  'tests/http/doctor.test.ts': 'whole commands over a data directory',
}

describe('what runs on PostgreSQL as well', () => {
  test('is every test file that opens a database, but for those of the embedded engine alone and those that repeat', () => {
    const onBoth = new Set(findDatabaseTests(root))
    const others = findOpeners(root).filter((file) => !onBoth.has(file))
    expect(others).toEqual(Object.keys(embeddedAlone))
    // One that is named and opens none, or is gone, does not stand in the list.
    expect([...findTestsOfBothEngines(root), ...onceOnly].sort()).toEqual([...onBoth])
  })

  test('holds the files that it must hold', () => {
    const found = findTestsOfBothEngines(root)
    // Locks, jobs, outages, roles, imports, search, and what alone has statements of its own.
    expect(found).toEqual(
      expect.arrayContaining([
        'src/platform/jobs/jobs.test.ts',
        ...['billing-outages', 'bulk', 'database-away', 'database-roles', 'devices', 'jobs', 'search', 'transfer'].map(
          (name) => `tests/http/${name}.test.ts`,
        ),
      ]),
    )
    // Use cases stand beside their code: none of them is left out.
    expect(onceOnly.filter((file) => !file.startsWith('tests/http/'))).toEqual([])
    expect(found).not.toContain('tests/http/process.test.ts')
    expect(found.length).toBeGreaterThan(40)
  })
})
