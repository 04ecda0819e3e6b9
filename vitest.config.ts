import { defineConfig } from 'vitest/config'

const shared = {
  globalSetup: ['tests/harness/prepare-database.ts'],
  restoreMocks: true,
  // The page bundle runs as it is in production: beside Node's own copy of the modules that it shares.
  server: { deps: { external: [/\/build\/server\//] } },
}

/** Tests beside their code that take whole processes, other servers, or real waits: nothing for the quick gate. */
const slow = [
  'src/cli.test.ts',
  'src/features/membership/{letters,tell-endings}.test.ts',
  'src/platform/{jobs,mail,rate-limits}.test.ts',
]

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
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          exclude: slow,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'http',
          include: ['tests/http/**/*.test.ts', 'sandbox/**/*.test.ts', ...slow],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})
