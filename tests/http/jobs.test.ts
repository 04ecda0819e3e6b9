import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openApp } from '../../src/app/open-app.ts'
import { openEmbedded } from '../../src/db/embedded/embedded.ts'
import { readConfig } from '../../src/app/config.ts'
import { Jobs } from '../../src/platform/jobs/jobs.ts'
import { openLog } from '../../src/platform/log.ts'
import { prepareDataDir } from '../harness/data-dir.ts'
import { openPostOffice } from '../harness/post-office.ts'
import { kill, type Started, startDaybook } from '../harness/processes.ts'
import { openTestDatabase } from '../harness/test-database.ts'
import { accountMails } from '../../src/features/accounts/account-mails.ts'
import { defineJob } from '../../src/platform/jobs/job.ts'
import { uuidv7 } from 'uuidv7'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

test('an email whose process is killed while it is handed over arrives, once, through the next process', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-jobs-'))
  closers.push(() => rm(dataDir, { recursive: true, force: true }))
  await prepareDataDir(dataDir)

  let offers = 0
  const offered = Promise.withResolvers<undefined>()
  const office = await openPostOffice({
    receive() {
      offers += 1
      if (offers > 1) return undefined
      // The first is never answered: its process dies while it waits.
      offered.resolve(undefined)
      return new Promise(() => {})
    },
  })
  closers.push(office.close)

  const env = {
    DEMO: '0',
    DATA_DIR: dataDir,
    EMBEDDED_SYNC: 'off',
    LOG_LEVEL: 'info',
    SMTP_URL: office.url,
  }
  const config = readConfig(env)
  const before = await openApp(config, openLog('silent'))
  const reader = { email: 'jane@readers.example', name: 'Jane Reader' }
  await before.app.mail.queue(before.app.db, accountMails.welcome, { userId: uuidv7(), ...reader })
  await before.close()

  const first = start(env)
  await Promise.race([offered.promise, first.ended])
  first.child.kill('SIGKILL')
  expect(await first.ended, first.output()).toBe('SIGKILL')

  const second = start(env)
  await expect.poll(() => office.taken.length, { timeout: 60_000 }).toBe(1)
  second.child.kill('SIGTERM')
  expect(await second.ended, second.output()).toBe(0)
  expect(office.taken.map(({ email: { to, subject } }) => ({ to, subject }))).toEqual([
    { to: 'jane@readers.example', subject: 'Welcome to Daybook' },
  ])
  expect(offers).toBe(2)
  expect(second.output()).toContain('Interrupted jobs are resumed.')
  // Nothing is left that could send a second copy.
  const after = await openEmbedded(dataDir, { sync: false })
  closers.push(() => after.close())
  expect(await after.run("select state from pgboss.job where name = 'mail'")).toEqual([{ state: 'completed' }])
})

function start(env: Record<string, string>): Started {
  const one = startDaybook([], { NODE_ENV: 'production', PORT: '0', ...env })
  closers.push(() => kill(one))
  return one
}

test('a job whose process has been silent for 20 seconds is given to another', async () => {
  const database = await openTestDatabase()
  closers.push(() => database.close())
  const attempts: number[] = []
  const print = defineJob('print')
  const jobs = new Jobs(database, openLog('silent'), { lookEverySeconds: 0.5, superviseEverySeconds: 1 })
  jobs.define(print, (_, { number }) => Promise.resolve(void attempts.push(number)))
  await jobs.prepare()
  await jobs.start()
  closers.push(() => jobs.stop())
  await jobs.add(database.db, print, {})
  const state = async (): Promise<unknown> =>
    (await database.run("select state from pgboss.job where name = 'print'")).map(
      (row) => (row as { state: string }).state,
    )
  await expect.poll(state, { timeout: 20_000 }).toEqual(['completed'])
  // As if another process had it, and had not been heard of for the twenty seconds of a heartbeat.
  await database.run(
    "update pgboss.job set state = 'active', completed_on = null, heartbeat_on = now() - interval '20 seconds' where name = 'print'",
  )
  await expect.poll(() => attempts, { timeout: 60_000 }).toEqual([1, 2])
})
