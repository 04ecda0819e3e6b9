import { defineConfig } from 'vitest/config'

const shared = {
  globalSetup: ['tests/harness/prepare-database.ts'],
  restoreMocks: true,
  // The page bundle runs as it is in production: beside Node's own copy of the modules that it shares.
  server: { deps: { external: [/\/build\/server\//] } },
}

export default defineConfig({
  test: {
    // The machines this runs on have two cores.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          testTimeout: 15_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'http',
          include: ['tests/http/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 90_000,
          fileParallelism: false,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
})
