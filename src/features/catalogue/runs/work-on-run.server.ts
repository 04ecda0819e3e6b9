import { sql, type Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { isDatabaseUnavailable } from '../../../platform/database-outages.ts'
import { isAppError, presentError } from '../../../platform/errors.ts'
import type { Attempt } from '../../../platform/jobs/jobs.ts'
import { isAdministrator } from '../../accounts/user/is-administrator.server.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { runJob } from './run-job.ts'

export type RunKind = 'import_check' | 'import' | 'bulk_preview' | 'bulk_apply' | 'bulk_undo' | 'merge'

/** The run as one process has it. */
export interface HeldRun {
  subjectId: string
  /** The administrator who began it. */
  begunBy: string
  /** Where it was when this process took it. */
  position: number
  /**
   * Says in the transaction of a step how far the run is with it.
   * @throws {LostRunError} when another process has the run, or it was cancelled: the step must not count
   * @throws {NoAdministratorError} when whoever began it is no administrator any more
   */
  advance(trx: Transaction<CatalogueDatabase>, position: number): Promise<void>
  /**
   * Ends the run in the transaction that writes its result.
   * @throws {LostRunError}
   * @throws {NoAdministratorError}
   */
  finish(trx: Transaction<CatalogueDatabase>): Promise<void>
}

/** How the work of one kind is done. */
export interface RunSteps {
  /** @returns the steps, one after the other; each is one transaction, and the last one finishes the run */
  open(app: CatalogueApp, run: HeldRun): AsyncIterable<void> | Promise<AsyncIterable<void>>
  /** Writes that the run was given up, in the transaction that ends it. */
  fail(trx: Transaction<CatalogueDatabase>, run: HeldRun, sentence: string): Promise<void>
}

/** Another process has taken the run over, or it was cancelled. Nobody needs to be told. */
class LostRunError extends Error {}

/** Whoever began the run has lost the role, or their account is gone: nothing more is done in their name. */
class NoAdministratorError extends Error {
  constructor() {
    super('It was stopped: whoever began it is not an administrator any more. What was done until then stays.')
  }
}

/** A job is cut off after five minutes. */
const longestMs = 200_000
/** A run that nobody has moved for so long, and that may have no job any more. */
const forgottenAfter = '5 minutes'

/**
 * Works on a run until it ends, or for some minutes, after which another job goes on. Whoever comes takes the run over from
 * whoever had it: a process that was thought dead and is not loses its next step.
 */
export async function workOnRun(
  app: CatalogueApp,
  steps: Readonly<Record<RunKind, RunSteps>>,
  subjectId: string,
  attempt: Pick<Attempt, 'isLast' | 'isStopping'>,
): Promise<void> {
  const lease = randomUUID()
  const taken = await app.db
    .updateTable('catalogue_runs')
    .set({ lease, advanced_at: sql<Date>`now()` })
    .where('subject_id', '=', subjectId)
    .returning(['kind', 'position', 'begun_by'])
    .executeTakeFirst()
  // Done or cancelled.
  if (taken === undefined) return
  const { kind, position, begun_by: begunBy } = taken
  const held: HeldRun = {
    subjectId,
    begunBy,
    position,
    async advance(trx, reached) {
      const moved = await trx
        .updateTable('catalogue_runs')
        .set({ position: reached, advanced_at: sql<Date>`now()` })
        .where('subject_id', '=', subjectId)
        .where('lease', '=', lease)
        .executeTakeFirst()
      if (moved.numUpdatedRows === 0n) throw new LostRunError()
      if (!(await isAdministrator(trx, begunBy))) throw new NoAdministratorError()
    },
    async finish(trx) {
      await end(trx)
      if (!(await isAdministrator(trx, begunBy))) throw new NoAdministratorError()
    },
  }
  async function end(trx: Transaction<CatalogueDatabase>): Promise<void> {
    const ended = await trx
      .deleteFrom('catalogue_runs')
      .where('subject_id', '=', subjectId)
      .where('lease', '=', lease)
      .executeTakeFirst()
    if (ended.numDeletedRows === 0n) throw new LostRunError()
  }
  /** What the steps have done stays. */
  async function giveUp(sentence: string): Promise<void> {
    try {
      await app.db.transaction().execute(async (trx) => {
        await end(trx)
        await steps[kind].fail(trx, held, sentence)
      })
    } catch (failure) {
      if (!(failure instanceof LostRunError)) throw failure
    }
  }
  const until = performance.now() + longestMs
  try {
    const walk = (await steps[kind].open(app, held))[Symbol.asyncIterator]()
    while ((await walk.next()).done !== true) {
      if (attempt.isStopping() || performance.now() > until) {
        await app.jobs.add(app.db, runJob, { subjectId })
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

/** Puts runs in line anew that nobody works on: their job was given up, or lost with a restored database. */
export async function takeUpForgottenRuns(app: CatalogueApp): Promise<void> {
  const forgotten = await app.db
    .updateTable('catalogue_runs')
    .set({ advanced_at: sql<Date>`now()` })
    .where('advanced_at', '<', sql<Date>`now() - ${forgottenAfter}::interval`)
    .returning('subject_id')
    .execute()
  for (const { subject_id: subjectId } of forgotten) await app.jobs.add(app.db, runJob, { subjectId })
}
