import type { Transaction } from 'kysely'
import { requireMember, type Viewer } from '../../accounts/user/viewer.ts'
import { AppError } from '../../../platform/errors.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { runJob } from './run-job.ts'
import type { RunKind } from './work-on-run.server.ts'

/**
 * Begins long work: it is in line if and only if the transaction commits.
 * @throws {AppError} `run.underway`, 409, while other work on the same is under way
 */
export async function beginRun(
  app: Pick<CatalogueApp, 'jobs'>,
  trx: Transaction<CatalogueDatabase>,
  { subjectId, kind, viewer }: { subjectId: string; kind: RunKind; viewer: Viewer },
): Promise<void> {
  const begun = await trx
    .insertInto('catalogue_runs')
    .values({ subject_id: subjectId, kind, begun_by: requireMember(viewer).id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (begun.numInsertedOrUpdatedRows === 0n) {
    throw new AppError({ code: 'run.underway', status: 409, message: 'This is being worked on already. Please wait.' })
  }
  await app.jobs.add(trx, runJob, { subjectId })
}

/**
 * Ends the run of a subject, wherever it is worked on: its next step is taken back.
 * @returns false when there is none
 */
export async function endRun(trx: Transaction<CatalogueDatabase>, subjectId: string): Promise<boolean> {
  const ended = await trx.deleteFrom('catalogue_runs').where('subject_id', '=', subjectId).executeTakeFirst()
  return ended.numDeletedRows > 0n
}
