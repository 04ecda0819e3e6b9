import { hash, verify } from '@node-rs/argon2'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openApp } from '../../src/app/open-app.ts'
import { type Hasher, Passwords } from '../../src/features/accounts/passwords/passwords.server.ts'
import type { App } from '../../src/app/app.ts'
import type { OpenDatabase } from '../../src/db/open-database.ts'
import type { CoverSourceOptions } from '../../src/features/catalogue/covers/cover-source.server.ts'
import type { LinkProbeOptions } from '../../src/features/catalogue/links/link-probe.server.ts'
import { readConfig } from '../../src/app/config.ts'
import { type Log, openLog } from '../../src/platform/log.ts'
import { TestClock } from './clock.ts'
import { openDatabase } from '../../src/db/open.ts'
import { openTestDatabase } from './test-database.ts'

export interface TestApp {
  app: App
  clock: TestClock
  database: OpenDatabase
  close(): Promise<void>
  /** `await using` closes at the end of a test, however it ends. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface TestAppOptions {
  /** The time of the clock, which moves only on demand. */
  now?: string
  /** Variables of the environment, as an operator would set them. */
  env?: Record<string, string>
  /** The log; by default standard output. */
  log?: Log
  /** Leads to the test's PostgreSQL another way. */
  through?: (url: string) => string
  /** Whether what is in line is done, as in the server; otherwise it stays there. */
  jobs?: boolean
  /** Hashes passwords; by default Argon2id at its lowest cost, which says nothing of times. */
  hasher?: Hasher
  /** The free bytes of the data directory's disk. */
  freeBytes?: () => Promise<number>
  /** How links are checked. */
  linkProbe?: LinkProbeOptions
  /** How covers are fetched. */
  coverSource?: CoverSourceOptions
}

/** Argon2id is the library's 2. */
const minCost = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Argon2id at its lowest cost. */
export const cheapHasher: Hasher = {
  hash: (password) => hash(password, minCost),
  verify,
}

/** Opens for a test file: before its first test the object is empty, after its last one it is closed. */
export function keepOpen<Opened extends TestApp>(open: () => Promise<Opened>): Opened {
  const opened = {} as Opened
  beforeAll(async () => void Object.assign(opened, await open()))
  afterAll(() => opened.close())
  return opened
}

/** The application of a test file (`keepOpen`). */
export function appOfFile(options: TestAppOptions = {}): TestApp {
  return keepOpen(() => openTestApp(options))
}

/** The application over a fresh, migrated database, as the server opens it, with a clock that stands still. */
export async function openTestApp({
  now = '2024-03-15T12:00:00Z',
  env = {},
  jobs = false,
  log,
  through,
  freeBytes,
  linkProbe,
  coverSource,
  hasher = cheapHasher,
}: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-test-'))
  const config = readConfig({
    DEMO: '0',
    LOG_LEVEL: 'error',
    PORT: '0',
    DATA_DIR: dataDir,
    // A test that is about it says so.
    REQUIRE_ADMIN_SECOND_FACTOR: '0',
    ...env,
  })
  const clock = new TestClock(now)
  const { app, database, close } = await openApp(config, log ?? openLog(config.logLevel), {
    clock,
    // It goes by the real clock: what it does at a full hour would come into the middle of whatever runs then.
    hasClockwork: false,
    passwords: await Passwords.open(hasher),
    limitsAnswerWithinMs: 30_000,
    // A test that is about the address has a database of its own.
    open: env['DATABASE_URL'] === undefined ? (_at, options) => openTestDatabase(options, through) : openDatabase,
    ...(freeBytes === undefined ? {} : { freeBytes }),
    ...(linkProbe === undefined ? {} : { linkProbe }),
    ...(coverSource === undefined ? {} : { coverSource }),
  })
  if (jobs) await app.jobs.start()
  return {
    app,
    clock,
    database,
    async close() {
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
    [Symbol.asyncDispose](this: TestApp) {
      return this.close()
    },
  }
}
