import { type Kysely, sql, type Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { OfficeTables } from '../../../db/tables/office.ts'
import { isDatabaseUnavailable } from '../../../platform/database-outages.ts'
import { isAppError, presentError } from '../../../platform/errors.ts'
import { type JobContribution, queuedJob } from '../../../platform/jobs/job-contribution.ts'
import type { Attempt } from '../../../platform/jobs/job.ts'
import type { OfficeApp } from '../app.ts'
import type { RunQueue } from './run-queue.ts'

/** The run as one process has it. */
export interface HeldRun {
  subjectId: string
  begunBy: string
  /** The position at which this process took it. */
  position: number
  /**
   * Says in the transaction of a step how far the run is with it.
   * @throws {LostRunError} when another process has the run, or it was cancelled: the step must not count
   * @throws {NoAdministratorError} when whoever began it has not the role of an administrator any more
   */
  advance(trx: Transaction<OfficeTables>, position: number): Promise<void>
  /**
   * Ends the run in the transaction that writes its result.
   * @throws {LostRunError}
   * @throws {NoAdministratorError}
   */
  finish(trx: Transaction<OfficeTables>): Promise<void>
}

type TablesOf<App> = App extends { db: Kysely<infer Tables> } ? Tables : never

export interface RunSteps<App> {
  /** @returns the steps, one after the other; each is one transaction, and the last one finishes the run */
  open(app: App, run: HeldRun): AsyncIterable<void> | Promise<AsyncIterable<void>>
  /** Records the failure of the run, in the transaction that ends it. */
  fail(trx: Transaction<TablesOf<App>>, run: HeldRun, sentence: string): Promise<void>
}

/** Another process has taken the run over, or it was cancelled: nobody is notified. */
class LostRunError extends Error {}

/**
 * The administrator of the run has lost the role, the second factor or their account: it does nothing more in their
 * name.
 */
class NoAdministratorError extends Error {
  constructor() {
    super('It was stopped: whoever began it does not have the role of an administrator any more. Finished work stays.')
  }
}

/** A job is cut off after five minutes. */
const longestMs = 200_000
/** A run that nobody has moved for so long, and that may have no job any more. */
const forgottenAfter = '1 minute'

/**
 * Works on a run until it ends, or for some minutes, after which another job continues. It takes the run over from any
 * other process; one that was only slow loses its next step.
 */
export async function workOnRun<App extends OfficeApp, Kind extends string>(
  app: App,
  queue: RunQueue<Kind>,
  steps: Readonly<Record<NoInfer<Kind>, RunSteps<App>>>,
  subjectId: string,
  attempt: Pick<Attempt, 'isLast' | 'isStopping'>,
): Promise<void> {
  const lease = randomUUID()
  const taken = await app.db
    .updateTable('runs')
    .set({ lease, advanced_at: sql<Date>`now()` })
    .where('subject_id', '=', subjectId)
    .where('kind', 'in', queue.kinds)
    .returning(['kind', 'position', 'begun_by'])
    .executeTakeFirst()
  // Done or cancelled.
  if (taken === undefined) return
  const { position, begun_by: begunBy } = taken
  const stepsOfKind = steps[taken.kind as Kind]
  const held: HeldRun = {
    subjectId,
    begunBy,
    position,
    async advance(trx, reached) {
      const moved = await trx
        .updateTable('runs')
        .set({ position: reached, advanced_at: sql<Date>`now()` })
        .where('subject_id', '=', subjectId)
        .where('lease', '=', lease)
        .executeTakeFirst()
      if (moved.numUpdatedRows === 0n) throw new LostRunError()
      if (!(await app.people.isAdministrator(trx, begunBy))) throw new NoAdministratorError()
    },
    async finish(trx) {
      await end(trx)
      if (!(await app.people.isAdministrator(trx, begunBy))) throw new NoAdministratorError()
    },
  }
  async function end(trx: Transaction<OfficeTables>): Promise<void> {
    const ended = await trx
      .deleteFrom('runs')
      .where('subject_id', '=', subjectId)
      .where('lease', '=', lease)
      .executeTakeFirst()
    if (ended.numDeletedRows === 0n) throw new LostRunError()
  }
  /** Finished steps stay. */
  async function giveUp(sentence: string): Promise<void> {
    try {
      await app.db.transaction().execute(async (trx) => {
        await end(trx)
        // The transaction is one of the application's whole database, of which `end` needs the tables of the office alone.
        await stepsOfKind.fail(trx as unknown as Transaction<TablesOf<App>>, held, sentence)
      })
    } catch (failure) {
      if (!(failure instanceof LostRunError)) throw failure
    }
  }
  const until = performance.now() + longestMs
  try {
    const walk = (await stepsOfKind.open(app, held))[Symbol.asyncIterator]()
    for (;;) {
      await app.diskSpace.refuseStepWhenFull()
      if ((await walk.next()).done === true) return
      if (attempt.isStopping() || performance.now() > until) {
        await app.jobs.add(app.db, queue.job, { subjectId })
        return
      }
    }
  } catch (error) {
    if (error instanceof LostRunError) return
    if (error instanceof NoAdministratorError) return giveUp(error.message)
    if (!attempt.isLast && !isFinal(error)) throw error
    await giveUp((presentError(error).body as { message: string }).message)
    if (!isFinal(error)) throw error
  }
}

/** A refusal that stands however often it is tried, such as a file that cannot be read. */
function isFinal(error: unknown): boolean {
  return isAppError(error) && error.status < 500 && !isDatabaseUnavailable(error)
}

/** Queues runs again that nobody works on: their job failed for good, or was lost with a restored database. */
export async function takeUpForgottenRuns(app: Pick<OfficeApp, 'db' | 'jobs'>, queue: RunQueue): Promise<void> {
  const forgotten = await app.db
    .updateTable('runs')
    .set({ advanced_at: sql<Date>`now()` })
    .where('advanced_at', '<', sql<Date>`now() - ${forgottenAfter}::interval`)
    .where('kind', 'in', queue.kinds)
    .returning('subject_id')
    .execute()
  for (const { subject_id: subjectId } of forgotten) await app.jobs.add(app.db, queue.job, { subjectId })
}

/** The jobs of a feature that has long work. */
export function jobsOfRuns<App extends OfficeApp, Kind extends string>(
  queue: RunQueue<Kind>,
  steps: Readonly<Record<NoInfer<Kind>, RunSteps<App>>>,
): JobContribution<App>[] {
  return [
    queuedJob(queue.job, (app: App, { subjectId }, attempt) => workOnRun(app, queue, steps, subjectId, attempt), {
      longestWaitSeconds: 300,
    }),
    { name: queue.takeUpJob, cron: '* * * * *', work: (app) => takeUpForgottenRuns(app, queue) },
  ]
}
