import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApp } from '../../src/app.ts'
import type { App } from '../../src/platform/app.ts'
import { readConfig } from '../../src/platform/config.ts'
import { openLog } from '../../src/platform/log.ts'
import { TestClock } from './clock.ts'
import { openTestDatabase } from './test-database.ts'

export interface TestApp {
  app: App
  clock: TestClock
  close(): Promise<void>
}

export interface TestAppWish {
  /** Where the clock stands; it moves only when told to. */
  now?: string
  /** Variables of the environment, as an operator would set them. */
  env?: Record<string, string>
  /** Whether what is in line is done, as in the server; otherwise it stays there. */
  jobs?: boolean
}

/** The application over a fresh, migrated database, as the server opens it, with a clock that stands still. */
export async function openTestApp({
  now = '2024-03-15T12:00:00Z',
  env = {},
  jobs = false,
}: TestAppWish = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-test-'))
  const config = readConfig({ DEMO: '0', LOG_LEVEL: 'error', PORT: '0', DATA_DIR: dataDir, ...env })
  const clock = new TestClock(now)
  const { app, close } = await openApp(config, openLog(config.logLevel), { clock, open: openTestDatabase })
  if (jobs) await app.jobs.start()
  return {
    app,
    clock,
    async close() {
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
