import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { databaseUrl } from '../../../tests/harness/prepare-database.ts'
import { openTestDatabase } from '../../../tests/harness/test-database.ts'
import { openDatabase } from '../../db/open.ts'
import type { OpenDatabase } from '../../db/open-database.ts'
import { openLog } from '../log.ts'
import { type Attempt, type JobData, defineJob } from './job.ts'
import { Jobs } from './jobs.ts'
import { MinuteClock } from './minute-clock.ts'

const print = defineJob<Record<string, unknown>>('print')

const log = openLog('silent')
let database: OpenDatabase
const opened: Jobs[] = []

beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((jobs) => jobs.stop()))
  await database.close()
})

/** Jobs of one process that has a job `print`. */
async function press(
  work: (data: JobData, attempt: Attempt) => Promise<void> = () => Promise.resolve(),
  {
    over = database,
    retries = 8,
    lookEverySeconds = 0.5,
  }: { over?: OpenDatabase; retries?: number; lookEverySeconds?: number } = {},
): Promise<Jobs> {
  const jobs = new Jobs(over, log, { lookEverySeconds })
  opened.push(jobs)
  jobs.define(print, work, { retries, firstWaitSeconds: 1 })
  await jobs.prepare()
  return jobs
}

async function inLine(): Promise<{ data: JobData; state: string }[]> {
  const rows = await database.run("select data, state from pgboss.job where name = 'print' order by created_on")
  return rows as { data: JobData; state: string }[]
}

const settled = { timeout: 15_000, interval: 20 }

const serverUrl = process.env['TEST_DATABASE_URL'] ?? ''

test.skipIf(serverUrl === '')('several processes may be the first on a database at once', async () => {
  await database.run('drop schema pgboss cascade')
  const [{ name }] = (await database.run('select current_database() as name')) as [{ name: string }]
  const address = { databaseUrl: databaseUrl(serverUrl, name), dataDir: '' }
  const processes = await Promise.all(Array.from({ length: 4 }, () => openDatabase(address)))
  try {
    // As after migrations: a connection that has worked already knows what schemas there are, and is late to hear of more.
    await Promise.all(processes.map(({ run }, i) => run(`create schema work_${i}`)))
    const all = await Promise.all(processes.map((over) => press(undefined, { over })))
    for (const [page, jobs] of all.entries()) await jobs.add(database.db, print, { page })
    expect(await inLine()).toHaveLength(4)
  } finally {
    await Promise.all(opened.splice(0).map((jobs) => jobs.stop()))
    await Promise.all(processes.map(({ close }) => close()))
  }
})
describe('a job in line', () => {
  test('exists if and only if the transaction that added it commits', async () => {
    const jobs = await press()
    await database.db.transaction().execute((trx) => jobs.add(trx, print, { page: 1 }))
    await expect(
      database.db.transaction().execute(async (trx) => {
        await jobs.add(trx, print, { page: 2 })
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await inLine()).toEqual([{ data: { page: 1 }, state: 'created' }])
  })

  test('is put there by a process that does no jobs, and done by one that does', async () => {
    const done: JobData[] = []
    const sender = await press()
    await sender.add(database.db, print, { page: 1 })
    const worker = await press((data) => Promise.resolve(void done.push(data)))
    await worker.start()
    await expect.poll(() => done, settled).toEqual([{ page: 1 }])
    await sender.add(database.db, print, { page: 2 })
    await expect.poll(() => done, settled).toEqual([{ page: 1 }, { page: 2 }])
  })

  test('is heard of at its commit, and many are done one after the other without a pause', async () => {
    const done: JobData[] = []
    // The first look into the empty line is over soon: from then on only the notification can wake it.
    const jobs = await press((data) => Promise.resolve(void done.push(data)), { lookEverySeconds: 3_600 })
    await jobs.start()
    await new Promise((wake) => setTimeout(wake, 500))
    await database.db.transaction().execute(async (trx) => {
      for (let page = 0; page < 20; page += 1) await jobs.add(trx, print, { page })
    })
    await expect.poll(() => done.length, settled).toBe(20)
    expect(done.map(({ page }) => page)).toEqual(Array.from({ length: 20 }, (_, page) => page))
  })

  test('is done once, however many work on the line', async () => {
    const done: unknown[] = []
    const work = async ({ page }: JobData): Promise<void> => {
      done.push(page)
      await new Promise((wake) => setTimeout(wake, 5))
    }
    const [one, two] = [await press(work), await press(work)]
    await Promise.all([one.start(), two.start()])
    for (let page = 0; page < 30; page += 1) await one.add(database.db, print, { page })
    await expect.poll(() => new Set(done).size, settled).toBe(30)
    await Promise.all([one.stop(), two.stop()])
    expect(done).toHaveLength(30)
    expect((await inLine()).every(({ state }) => state === 'completed')).toBe(true)
  })
})

describe('a job that fails', () => {
  test('is tried again under the same id, with the count of its attempts', async () => {
    const attempts: Pick<Attempt, 'id' | 'number' | 'isLast'>[] = []
    const jobs = await press((_, { id, number, isLast }) => {
      attempts.push({ id, number, isLast })
      return number < 3 ? Promise.reject(new Error('paper jam')) : Promise.resolve()
    })
    await jobs.start()
    await jobs.add(database.db, print, {})
    await expect.poll(() => attempts.length, { timeout: 30_000 }).toBe(3)
    expect(attempts.map(({ number, isLast }) => ({ number, isLast }))).toEqual([
      { number: 1, isLast: false },
      { number: 2, isLast: false },
      { number: 3, isLast: false },
    ])
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1)
    await expect.poll(inLine, settled).toMatchObject([{ state: 'completed' }])
  })

  test('is given up after its last attempt, and the log says so', async () => {
    const error = vi.spyOn(log, 'error')
    const jobs = await press(() => Promise.reject(new Error('paper jam')), { retries: 0 })
    await jobs.start()
    await jobs.add(database.db, print, {})
    await expect.poll(inLine, settled).toMatchObject([{ state: 'failed' }])
    // Longer than what is done: the operator may want to know of it.
    expect(await database.run("select deletion_seconds as kept from pgboss.job where name = 'print'")).toEqual([
      { kept: 604_800 },
    ])
    expect(error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ job: 'print', attempt: 1, err: new Error('paper jam') }),
      'A job failed and is given up.',
    )
  })
})

test('work of the clock that meets a lock is tried again after a pause, and not given up', async () => {
  const givenUp: unknown[] = []
  const jobs = new Jobs(database, log, {
    passingWaitsMs: [1, 1],
    onGivenUp: (failure) => Promise.resolve(void givenUp.push(failure)),
  })
  opened.push(jobs)
  let tries = 0
  jobs.repeat('wind-up', '*/5 * * * *', () => {
    tries += 1
    const locked = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    return tries < 3 ? Promise.reject(new Error('busy', { cause: locked })) : Promise.resolve()
  })
  await jobs.prepare()
  await jobs.start()
  await jobs.add(database.db, defineJob('wind-up'), {})
  const states = () => database.run("select state::text from pgboss.job where name = 'wind-up'")
  await expect.poll(states, settled).toEqual([{ state: 'completed' }])
  expect(tries).toBe(3)
  expect(givenUp).toEqual([])
})

test('jobs that fail again and again are counted by name, without those of a name that nobody works on', async () => {
  const jobs = await press(() => Promise.reject(new Error('no paper')))
  await jobs.add(database.db, print, {})
  await jobs.drain()
  await database.run("update pgboss.job set retry_count = 3 where name = 'print'")
  expect(await jobs.desk.readRetried(3)).toEqual([{ name: 'print', jobs: 1 }])
  expect(await jobs.desk.readRetried(4)).toEqual([])
  const later = new Jobs(database, log)
  opened.push(later)
  later.define(defineJob('bind'), () => Promise.resolve())
  await later.prepare()
  expect(await later.desk.readRetried(3)).toEqual([])
})

describe('stopping', () => {
  test('waits for the job under way', async () => {
    let isOver = false
    const begun = Promise.withResolvers<void>()
    const jobs = await press(async () => {
      begun.resolve()
      await new Promise((wake) => setTimeout(wake, 300))
      isOver = true
    })
    await jobs.start()
    await jobs.add(database.db, print, {})
    await begun.promise
    await jobs.stop()
    expect(isOver).toBe(true)
    expect(await inLine()).toMatchObject([{ state: 'completed' }])
  })

  test('may be asked for twice, and before anything was started', async () => {
    const jobs = await press()
    await jobs.stop()
    await jobs.stop()
    await new Jobs(database, log).stop()
    expect(await inLine()).toEqual([])
  })
})

test.runIf(process.env['TEST_DATABASE_URL'] === undefined)(
  'a job that was cut off with its process is taken up at once when the embedded database is opened again',
  async () => {
    const died = await press()
    await died.add(database.db, print, { page: 1 })
    // The state after a killed process: the job is active, and nobody works on it.
    await database.run("update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now()")
    await died.stop()
    const done: JobData[] = []
    const jobs = await press((data) => Promise.resolve(void done.push(data)))
    await jobs.start()
    await expect.poll(() => done, settled).toEqual([{ page: 1 }])
  },
)

describe('drain', () => {
  test('does what is in line and what that puts there, each job once, and leaves a failed one in line', async () => {
    const tries: unknown[] = []
    const jobs: Jobs = await press(async ({ page }, { number }) => {
      tries.push([page, number])
      if (page === 1) await jobs.add(database.db, print, { page: 2 })
      if (page === 3 && number === 1) throw new Error('paper jam')
    })
    await jobs.add(database.db, print, { page: 1 })
    await jobs.add(database.db, print, { page: 3 })
    await jobs.drain()
    expect(tries).toEqual([
      [1, 1],
      [3, 1],
      [2, 1],
    ])
    expect((await inLine()).map(({ state }) => state).sort()).toEqual(['completed', 'completed', 'retry'])
    // A retry need not wait for its time.
    await jobs.drain()
    expect(tries.slice(3)).toEqual([[3, 2]])
    await jobs.drain()
    expect(tries).toHaveLength(4)
  })

  test('is not for a process that works on the line by itself, nor before the queues are made', async () => {
    await expect(new Jobs(database, log).drain()).rejects.toThrow('not prepared')
    const jobs = await press()
    await jobs.start()
    await expect(jobs.drain()).rejects.toThrow('are started')
  })
})

test('several processes may make the queues at once', async () => {
  await database.run('drop schema pgboss cascade')
  const jobs = await Promise.all([press(), press(), press()])
  for (const each of jobs) await each.add(database.db, print, {})
  expect(await inLine()).toHaveLength(3)
})

test('queues follow what the code says about them', async () => {
  await press(undefined, { retries: 3 })
  const jobs = await press(undefined, { retries: 4 })
  // In a transaction: a queue that were looked up on the way would wait for it for ever.
  await database.db.transaction().execute((trx) => jobs.add(trx, print, {}))
  expect(await database.run("select retry_limit from pgboss.job where name = 'print'")).toEqual([{ retry_limit: 4 }])
})

test('a queue outlives a process that does not define its job: another may still put jobs there', async () => {
  const jobs = await press()
  const command = new Jobs(database, log)
  opened.push(command)
  command.define(defineJob('bind'), () => Promise.resolve())
  await command.prepare()
  await jobs.add(database.db, print, { page: 1 })
  expect(await inLine()).toHaveLength(1)
})

test.skipIf(serverUrl === '')(
  'what is repeated by the clock is asked for in a shared database, and forgotten with its code',
  async () => {
    const clockwork = new Jobs(database, log)
    opened.push(clockwork)
    clockwork.repeat('wind-up', '*/5 * * * *', () => Promise.resolve())
    await clockwork.prepare()
    await clockwork.start()
    expect(await database.run('select name, cron from pgboss.schedule')).toEqual([
      { name: 'wind-up', cron: '*/5 * * * *' },
    ])
    await clockwork.stop()
    const without = await press()
    await without.start()
    expect(await database.run('select name from pgboss.schedule')).toEqual([])
  },
)

describe.runIf(serverUrl === '')('the clock of the embedded database', () => {
  /** A process with work of the clock; `strike` begins it as at its minute. */
  async function windUp(cron: string, work: () => Promise<void>) {
    const clock = vi.spyOn(MinuteClock.prototype, 'start').mockClear()
    const outcomes: string[] = []
    const state = { isPaused: false }
    const jobs = new Jobs(database, log, {
      isPaused: () => state.isPaused,
      onRan: () => Promise.resolve(void outcomes.push('went well')),
      onGivenUp: ({ reason }) => Promise.resolve(void outcomes.push(reason)),
    })
    opened.push(jobs)
    jobs.repeat('wind-up', cron, work)
    await jobs.prepare()
    await jobs.start()
    const [crons, nextAfter, begin] = clock.mock.calls[0] as Parameters<MinuteClock['start']>
    expect([...crons]).toEqual([['wind-up', cron]])
    return { nextAfter, strike: () => begin('wind-up'), outcomes, state }
  }
  const inQueue = () => database.run("select state from pgboss.job where name = 'wind-up'")

  test('does work of every minute without a job, and notes what became of it when that changes', async () => {
    let fails = false
    const work = vi.fn<() => Promise<void>>(() =>
      fails ? Promise.reject(new Error('the spring is broken')) : Promise.resolve(),
    )
    const { strike, outcomes } = await windUp('* * * * *', work)
    await strike()
    await strike()
    fails = true
    await strike()
    fails = false
    await strike()
    expect(work).toHaveBeenCalledTimes(4)
    expect(outcomes).toEqual(['went well', 'the spring is broken.', 'went well'])
    expect(await inQueue()).toEqual([])
  })

  test('puts rarer work in line, so that it outlives a kill', async () => {
    const work = vi.fn<() => Promise<void>>(() => Promise.resolve())
    const { nextAfter, strike } = await windUp('*/5 * * * *', work)
    expect(nextAfter('*/5 * * * *', new Date('2024-03-15T12:05:00Z'))).toEqual(new Date('2024-03-15T12:10:00Z'))
    await strike()
    await expect.poll(inQueue, settled).toEqual([{ state: 'completed' }])
    expect(work).toHaveBeenCalledTimes(1)
  })

  test('stands still while the jobs are paused', async () => {
    const work = vi.fn<() => Promise<void>>(() => Promise.resolve())
    const { strike, state } = await windUp('* * * * *', work)
    state.isPaused = true
    await strike()
    expect(work).not.toHaveBeenCalled()
  })
})

test('a job that nobody defined, or that comes before the queues are made, is refused', async () => {
  const jobs = new Jobs(database, log)
  jobs.define(print, () => Promise.resolve())
  await expect(jobs.add(database.db, print, {})).rejects.toThrow('too early')
  await jobs.prepare()
  opened.push(jobs)
  await expect(jobs.add(database.db, defineJob('paint'), {})).rejects.toThrow('There is no job paint.')
  expect(() => jobs.define(defineJob('paint'), () => Promise.resolve())).toThrow('too late')
})
