import type { Transaction } from 'kysely'
import type { OfficeTables } from '../../../db/tables/office.ts'
import { defineError } from '../../../platform/errors.ts'
import type { OfficeApp } from '../app.ts'
import { requireMember, type Viewer } from '../viewer/viewer.ts'
import type { RunQueue } from './run-queue.ts'

/**
 * Begins long work: it is in line if and only if the transaction commits.
 * @throws {AppError} `run.underway`, 409, while other work on this id is under way, of whatever kind
 */
export async function beginRun<Kind extends string>(
  app: Pick<OfficeApp, 'jobs'>,
  trx: Transaction<OfficeTables>,
  queue: RunQueue<Kind>,
  { subjectId, kind, viewer }: { subjectId: string; kind: NoInfer<Kind>; viewer: Viewer },
): Promise<void> {
  const begun = await trx
    .insertInto('runs')
    .values({ subject_id: subjectId, kind, begun_by: requireMember(viewer).id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (begun.numInsertedOrUpdatedRows === 0n) {
    throw runUnderWay()
  }
  await app.jobs.add(trx, queue.job, { subjectId })
}

/**
 * Ends the run of a subject, wherever it is worked on: its next step is taken back. A run of other kinds stays: callers
 * choose the ids of some subjects, and may choose one that is taken.
 * @returns false when there is none
 */
export async function endRun<Kind extends string>(
  trx: Transaction<OfficeTables>,
  queue: RunQueue<Kind>,
  { subjectId, kinds = queue.kinds }: { subjectId: string; kinds?: readonly NoInfer<Kind>[] },
): Promise<boolean> {
  const ended = await trx
    .deleteFrom('runs')
    .where('subject_id', '=', subjectId)
    .where('kind', 'in', kinds)
    .executeTakeFirst()
  return ended.numDeletedRows > 0n
}

export const runUnderWay = defineError({
  code: 'run.underway',
  status: 409,
  sentence: 'This is being worked on already. Please wait.',
  remedy: 'Wait until the work under way is done, or cancel it.',
})
