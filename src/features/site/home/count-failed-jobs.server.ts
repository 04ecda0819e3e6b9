import type { SiteApp } from '../app.ts'
import { failuresToldForDays } from './record-job-failure.server.ts'

/** How many kinds of work were given up in the days that administrators are notified of them. */
export async function countFailedJobs({ db, clock }: Pick<SiteApp, 'db' | 'clock'>): Promise<number> {
  const { count } = await db
    .selectFrom('job_failures')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('failed_at', '>', new Date(clock.now() - failuresToldForDays * 86_400_000))
    .executeTakeFirstOrThrow()
  return Number(count)
}
