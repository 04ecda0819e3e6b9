import { sql } from 'kysely'
import type { JobFailure } from '../../../platform/jobs/job.ts'
import type { SiteApp } from '../app.ts'

/** A failure that is followed by none for so long is no news: the count begins anew. */
export const failuresShownForDays = 7

/** Records each job that failed for good, for the administrators' home. */
export async function recordJobFailure(
  { db, clock }: Pick<SiteApp, 'db' | 'clock'>,
  { name, reason }: JobFailure,
): Promise<void> {
  const at = new Date(clock.now())
  await db
    .insertInto('job_failures')
    .values({ name, failures: 1, failed_at: at, reason })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        failures: sql<number>`case
          when job_failures.failed_at < ${at}::timestamptz - make_interval(days => ${failuresShownForDays}::int) then 1
          else job_failures.failures + 1 end`,
        failed_at: at,
        reason,
      }),
    )
    .execute()
}

/** A failed run is no news once a later run went well. */
export async function forgetJobFailure({ db }: Pick<SiteApp, 'db'>, name: string): Promise<void> {
  await db.deleteFrom('job_failures').where('name', '=', name).execute()
}
