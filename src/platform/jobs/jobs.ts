import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { fromKysely, type JobWithMetadata, type PgBoss } from 'pg-boss'
import { withLock } from '../../db/locks.ts'
import type { DatabaseEngine } from '../../db/open-database.ts'
import type { SqlDatabase, SqlRunner } from '../../db/queryable.ts'
import type { Log } from '../log.ts'
import { type Attempt, type JobData, type JobFailure, type JobKind, type JobOptions, ReportedFailure } from './job.ts'
import { DueQueues } from './due-queues.ts'
import { failureInWords } from './failure-in-words.ts'
import { JobDesk } from './job-desk.ts'
import { type Definition, longestRunSeconds, makeQueues } from './make-queues.ts'
import { MinuteClock } from './minute-clock.ts'
import { cleanEverySeconds, neverSeconds, openQueue, type QueueDuties, takeUpOrphans } from './open-queue.ts'
import { overcomeLocks, passingWaitsMs } from './passing-faults.ts'

const byDefault: Required<JobOptions> = { retries: 8, firstWaitSeconds: 5, longestWaitSeconds: 3_600, workers: [{}] }

/** How long `stop` waits for the job under way. */
const longestStopMs = 25_000
const everyMinute = '* * * * *'
/** Failed jobs are listed for a week. */
const failedRetentionSeconds = 7 * 86_400

type JobsDatabase = DatabaseEngine & { db: SqlDatabase; maintenanceDb: SqlDatabase }

/**
 * Later work: queued in the database, done by any process that is free, tried again with growing waits. A job whose
 * process dies comes back, so it may begin twice: its work recognises a repeat by the job's id. The order of calls:
 * `define` and `repeat`, `prepare`, from then on `add`, `start` in a process that does the work, `stop`.
 */
export class Jobs {
  readonly #database: JobsDatabase
  readonly #log: Log
  readonly #definitions = new Map<string, Definition>()
  /** Queues jobs; from `start` on it also runs them. */
  #boss: PgBoss | undefined
  #isWorking = false
  readonly #stopping = new AbortController()
  #draining: Promise<void> = Promise.resolve()
  readonly #isPaused: () => boolean
  readonly #hasClockwork: boolean
  readonly #ownsTables: boolean
  readonly #superviseEverySeconds: number
  readonly #due: DueQueues
  readonly #passingWaitsMs: readonly number[]
  readonly desk: JobDesk
  readonly #clock = new MinuteClock()
  readonly #wentWell = new Set<string>()
  readonly #onGivenUp: (failure: JobFailure) => Promise<void>
  readonly #onRan: (name: string) => Promise<void>

  constructor(
    database: JobsDatabase,
    log: Log,
    {
      isPaused = () => false,
      hasClockwork = true,
      ownsTables = true,
      lookEverySeconds = database.engine === 'embedded' ? 60 : 5,
      superviseEverySeconds = database.engine === 'embedded' ? cleanEverySeconds : 20,
      onGivenUp = () => Promise.resolve(),
      onRan = () => Promise.resolve(),
      passingWaitsMs: waits = passingWaitsMs,
    }: {
      /** While true nothing is written: no job starts, and the clock waits. */
      isPaused?: () => boolean
      /** Whether this process runs repeated work. */
      hasClockwork?: boolean
      /** Whether the database role may rebuild the indexes of the jobs. */
      ownsTables?: boolean
      /** How often jobs are looked for of which no notification came. */
      lookEverySeconds?: number
      /** How often jobs of dead processes are looked for. */
      superviseEverySeconds?: number
      /** Called for each job that is not tried again. */
      onGivenUp?: (failure: JobFailure) => Promise<void>
      /** Called after each run of repeated work. */
      onRan?: (name: string) => Promise<void>
      /** The waits before a job is tried again that would be given up for a lock or a deadlock. */
      passingWaitsMs?: readonly number[]
    } = {},
  ) {
    this.#superviseEverySeconds = superviseEverySeconds
    this.#isPaused = isPaused
    this.#onGivenUp = onGivenUp
    this.#onRan = onRan
    this.#hasClockwork = hasClockwork
    this.#ownsTables = ownsTables
    this.#database = database
    this.#log = log
    this.#due = new DueQueues(database, log, { isPaused, lookEverySeconds })
    this.#passingWaitsMs = waits
    this.desk = new JobDesk(database, { names: () => [...this.#definitions.keys()], wake: () => this.#due.lookSoon() })
  }

  /** Says how a job of this kind is done. It fails by throwing. */
  define<Data extends object>(
    { name }: JobKind<Data>,
    work: (data: Data, attempt: Attempt) => Promise<void>,
    options: JobOptions = {},
  ): void {
    this.#declare(name, {
      work: (data, attempt) => work(data as Data, attempt),
      options: { ...byDefault, ...options },
    })
  }

  /**
   * Has work done by the clock, each time by one process of all. A time that fails is left out: the next one comes.
   * @param cron five fields, in UTC; every minute is the most often
   */
  repeat(name: string, cron: string, work: () => Promise<void>): void {
    this.#declare(name, { work, options: { ...byDefault, retries: 0 }, cron })
  }

  #declare(name: string, definition: Definition): void {
    if (this.#boss !== undefined) throw new Error(`The job ${name} comes too late: the queues are made.`)
    if (this.#definitions.has(name)) throw new Error(`The job ${name} is defined twice.`)
    this.#definitions.set(name, definition)
  }

  /** Makes the queues, or brings them up to date. Several processes may do so at once. */
  async prepare(): Promise<void> {
    await this.#oneAtATime(() => this.#prepare())
  }

  /** The library's own lock does not keep two processes that start on an empty database from making its schema twice. */
  async #oneAtATime(work: () => Promise<void>): Promise<void> {
    const { maintenanceDb, engine } = this.#database
    if (engine === 'embedded') return work()
    await maintenanceDb.connection().execute((connection) => withLock(connection, 'job-queues', work))
  }

  async #prepare(): Promise<void> {
    const boss = this.#open({ useListenNotify: false, supervise: false, schedule: false })
    await boss.start()
    try {
      if (await makeQueues(boss, this.#definitions)) {
        // Queues are remembered at the start. One that is not would be looked up by `add` on a connection of its own,
        // which on the embedded engine is the one that the caller's transaction holds: both would wait for ever.
        await boss.stop()
        await boss.start()
      }
    } catch (error) {
      await boss.stop()
      throw error
    }
    this.#boss = boss
  }

  /**
   * Queues a job.
   * @param db the caller's transaction: the job exists if and only if that commits
   */
  async add<Data extends object>(db: SqlRunner, kind: JobKind<Data>, data: Data): Promise<void> {
    await this.addMany(db, kind, [data])
  }

  /**
   * Queues several jobs of a kind, in one statement.
   * @param db as for `add`
   * @param options.priority jobs with a greater one are done before all others of the kind, whenever they were queued
   */
  async addMany<Data extends object>(
    db: SqlRunner,
    { name }: JobKind<Data>,
    data: readonly Data[],
    { priority = 0 }: { priority?: number } = {},
  ): Promise<void> {
    if (this.#boss === undefined) throw new Error(`The job ${name} comes too early: the queues are not made.`)
    if (!this.#definitions.has(name)) throw new Error(`There is no job ${name}.`)
    if (data.length === 0) return
    const jobs = data.map((each) => ({ data: each, priority }))
    await this.#boss.insert(name, jobs, { db: fromKysely(db) })
  }

  /** Begins to run queued and scheduled jobs. */
  async start(): Promise<void> {
    const sender = this.#boss
    if (sender === undefined) throw new Error('The jobs are not prepared.')
    if (this.#isWorking) throw new Error('The jobs are started already.')
    const isAlone = this.#database.engine === 'embedded'
    const hasClock = this.#hasClockwork && this.#crons().size > 0
    const boss = this.#open({ useListenNotify: true, supervise: true, schedule: hasClock && !isAlone })
    try {
      await boss.start()
      // Only one process can hold the embedded database: whatever is under way died with its predecessor.
      if (isAlone) await takeUpOrphans(boss, [...this.#definitions.keys()], { db: this.#database.db, log: this.#log })
      for (const [name, definition] of this.#definitions) await this.#employ(boss, name, definition)
      if (!isAlone) await this.#setClock(boss)
    } catch (error) {
      // The half-started queue must stop, so that another call can begin anew.
      await boss.stop({ graceful: false }).catch(() => {})
      throw error
    }
    this.#boss = boss
    this.#isWorking = true
    void this.#due.follow()
    if (hasClock && isAlone) this.#startClock(boss)
    await sender.stop()
  }

  #crons(): Map<string, string> {
    return new Map([...this.#definitions].flatMap(([name, { cron }]) => (cron === undefined ? [] : [[name, cron]])))
  }

  #startClock(boss: PgBoss): void {
    const nextAfter = (cron: string, from: Date): Date => boss.previewSchedule(cron, { from, count: 1 })[0] as Date
    this.#clock.start(this.#crons(), nextAfter, async (name) => {
      if (this.#isPaused()) return
      try {
        await this.#doByClock(name)
      } catch (error) {
        this.#log.debug({ job: name, err: error }, 'Work of the clock failed.')
      }
    })
  }

  /** Rare work is a job, so that it survives a kill; work of every minute comes again anyway. */
  async #doByClock(name: string): Promise<void> {
    const definition = this.#definitions.get(name)
    if (definition?.cron !== everyMinute) return this.add(this.#database.db, { name }, {})
    const signal = AbortSignal.timeout(longestRunSeconds * 1_000)
    await this.#attempt(name, definition.work, { id: randomUUID(), data: {}, signal, retryCount: 0, retryLimit: 0 })
  }

  async #employ(boss: PgBoss, name: string, { work, options }: Definition): Promise<void> {
    const workers: string[] = []
    const wake = (): void => workers.forEach((worker) => boss.notifyWorker(worker))
    for (const { minPriority } of options.workers) {
      const worker = await boss.work(
        name,
        {
          includeMetadata: true,
          pollingIntervalSeconds: neverSeconds,
          notifyPollingIntervalSeconds: neverSeconds,
          ...(minPriority === undefined ? {} : { minPriority }),
        },
        async ([job]: JobWithMetadata<JobData>[]) => {
          if (job === undefined) return
          try {
            await this.#attempt(name, work, job)
          } catch (error) {
            this.#due.lookSoon()
            throw error
          } finally {
            // There may be more in the queue: it looks again at once.
            boss.notifyWorker(worker)
          }
        },
      )
      workers.push(worker)
    }
    this.#due.set(name, wake)
  }

  async #attempt(
    name: string,
    work: Definition['work'],
    job: Pick<JobWithMetadata<JobData>, 'id' | 'data' | 'signal' | 'retryCount' | 'retryLimit'>,
  ): Promise<void> {
    const { id, signal, retryCount, retryLimit } = job
    const attempt = {
      id,
      number: retryCount + 1,
      isLast: retryCount >= retryLimit,
      signal,
      isStopping: () => this.#stopping.signal.aborted,
    }
    const said = { job: name, id, attempt: attempt.number }
    const calledOff = (): void => this.#log.error(said, 'A job took too long and was cancelled.')
    signal.addEventListener('abort', calledOff)
    try {
      await overcomeLocks(() => work(job.data, attempt), attempt, {
        waitsMs: this.#passingWaitsMs,
        stopping: this.#stopping.signal,
        onAgain: (error) =>
          this.#log.warn({ ...said, err: error }, 'A job met a lock and is tried again after a pause.'),
      })
      if (this.isRepeated(name) && !this.#wentWell.has(name)) {
        const isNoted = await this.#report(() => this.#onRan(name), { name })
        // Where no other process works, its records do not change until it fails here.
        if (isNoted && this.#database.engine === 'embedded') this.#wentWell.add(name)
      }
    } catch (error) {
      this.#wentWell.delete(name)
      if (attempt.isLast) {
        this.#log.error({ ...said, err: error }, 'A job failed and is given up.')
        await this.#report(() => this.#keepForOperator(name, id), { name })
        await this.reportGivenUp({ name, reason: failureInWords(error) })
      } else {
        const level = error instanceof ReportedFailure ? 'debug' : 'warn'
        this.#log[level]({ ...said, err: error }, 'A job failed and will be tried again.')
      }
      throw error
    } finally {
      signal.removeEventListener('abort', calledOff)
    }
  }

  async #keepForOperator(name: string, id: string): Promise<void> {
    const sql = `update pgboss.job set deletion_seconds = ${failedRetentionSeconds} where name = $1 and id = $2`
    await this.#database.run(sql, [name, id])
  }

  /** Called for work that ends without an error before it is done. */
  async reportGivenUp(failure: JobFailure): Promise<void> {
    await this.#report(() => this.#onGivenUp(failure), failure)
  }

  /** @returns whether it could be reported */
  async #report(report: () => Promise<void>, said: { name: string }): Promise<boolean> {
    try {
      await report()
      return true
    } catch (error) {
      // The job fails for the same reason, which is in the log.
      this.#log.debug({ ...said, err: error }, 'It could not be noted what became of a job.')
      return false
    }
  }

  /** Whether this is work of the clock. */
  isRepeated(name: string): boolean {
    return this.#definitions.get(name)?.cron !== undefined
  }

  /** Whether this process does what is in line by itself. */
  get isWorking(): boolean {
    return this.#isWorking
  }

  /**
   * Does everything in line now, without waiting for the time of a retry, and what these jobs put in line as well. Each
   * job is tried once: one that fails stays in line. It is for a process that does not work on the line by itself.
   */
  drain(): Promise<void> {
    // One after the other: a second call would not wait for what the first has under way.
    const drained = this.#draining.then(() => this.#drain())
    this.#draining = drained.catch(() => {})
    return drained
  }

  async #drain(): Promise<void> {
    const boss = this.#boss
    if (boss === undefined) throw new Error('The jobs are not prepared.')
    if (this.#isWorking) throw new Error('The jobs are started: they are done as they come.')
    const tried = new Set<string>()
    const failed = new Map<string, { name: string; error: unknown }>()
    let count: number
    do {
      count = tried.size
      for (const [name, definition] of this.#definitions) {
        for (;;) {
          const [job] = await boss.fetch<JobData>(name, { includeMetadata: true, ignoreStartAfter: true })
          if (job === undefined) break
          tried.add(job.id)
          try {
            // Nobody calls off what is done by a call.
            await this.#attempt(name, definition.work, { ...job, signal: new AbortController().signal })
            await boss.complete(name, job.id)
          } catch (error) {
            // It stays under way until all others have been tried, so that it is not taken again.
            failed.set(job.id, { name, error })
          }
        }
      }
    } while (tried.size > count)
    for (const [id, { name, error }] of failed) await boss.fail(name, id, error as object)
  }

  async #setClock(boss: PgBoss): Promise<void> {
    for (const { name } of await boss.getSchedules()) {
      if (this.#definitions.get(name)?.cron === undefined) await boss.unschedule(name)
    }
    for (const [name, cron] of this.#crons()) await boss.schedule(name, cron)
  }

  /** Waits for the jobs under way, at most 25 seconds, and does no more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#due.stop()
    const clockIsDone = this.#clock.stop()
    await this.#boss?.stop({ timeout: longestStopMs })
    await Promise.race([clockIsDone, wait(longestStopMs, undefined, { ref: false })])
  }

  #open(duties: QueueDuties): PgBoss {
    return openQueue(this.#database, this.#log, {
      run: (text, values) => this.#database.run(text, values),
      isPaused: this.#isPaused,
      ownsTables: this.#ownsTables,
      superviseEverySeconds: this.#superviseEverySeconds,
      duties,
    })
  }
}
