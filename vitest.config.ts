import { defineConfig } from 'vitest/config'
import { findTestsOfOtherRun } from './tests/harness/database-tests.ts'

const shared = {
  globalSetup: ['tests/harness/prepare-database.ts'],
  restoreMocks: true,
  // The page bundle runs as it is in production: beside Node's own copy of the modules that it shares.
  server: { deps: { external: [/\/build\/server\//] } },
}

/** Tests beside their code that take whole processes, other servers, or real waits: nothing for the quick gate. */
const slow = [
  'src/cli.test.ts',
  'src/db/{migrations,embedded/embedded,postgres/start}.test.ts',
  'src/features/accounts/sign-in/sign-in.test.ts',
  'src/features/membership/emails/*.test.ts',
  'src/platform/{jobs/jobs,email/mail,rate-limit/rate-limits}.test.ts',
]

/** `.ci/run` has two runs, one on each engine, and says here which this is. */
const elsewhere = findTestsOfOtherRun(import.meta.dirname, process.env['TEST_RUN'])

export default defineConfig({
  test: {
    // The machines this runs on have two cores, and others work on them: limits are for what hangs, not for what is slow.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'unit',
          // No module of ours keeps state: a worker loads the code once, and the compiled engine with it.
          isolate: false,
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          exclude: [...slow, ...elsewhere],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'http',
          isolate: false,
          include: ['tests/http/**/*.test.ts', 'sandbox/**/*.test.ts', ...slow],
          exclude: elsewhere,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'journeys',
          isolate: false,
          include: ['tests/journeys/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
})
