import type { JobState, TouchedJob } from '../../../platform/jobs/job-desk.ts'
import { jobInWords } from '../../../platform/jobs/job-words.ts'
import { defineError } from '../../../platform/errors.ts'
import { type InstantPlace, writeInstantPlace } from '../../../platform/time/instant-place.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import type { SiteApp } from '../app.ts'
import { forgetJobFailure } from '../home/record-job-failure.server.ts'
import type { JobsForAdmin } from './jobs-schema.ts'

const jobsOfAPart = 50

export const noSuchJob = defineError({
  code: 'job.not_found',
  status: 404,
  sentence: 'There is no such job any more. It may be done.',
  remedy: 'Load the list again.',
})

export const jobConflict = defineError({
  code: 'job.state',
  status: 409,
  remedy: 'Load the list again.',
})

const conflicts: Record<JobState, string> = {
  waiting: 'The job is in line already, and is done as soon as its turn comes.',
  running: 'The job is under way. Wait until it ends.',
  failed: 'The job cannot be tried again, because the same work is in line already.',
}

export async function readJobs(
  { jobs, mail }: Pick<SiteApp, 'jobs' | 'mail'>,
  { state, after }: { state: JobState; after?: InstantPlace | undefined },
): Promise<JobsForAdmin> {
  const [found, counts] = await Promise.all([
    jobs.desk.list(state, { after, limit: jobsOfAPart + 1 }),
    jobs.desk.count(),
  ])
  const shown = found.slice(0, jobsOfAPart)
  const last = found.length > jobsOfAPart ? shown.at(-1)?.place : undefined
  return {
    jobs: shown.map(({ id, name, emailKind, since, nextTryAt, attempts, reason }) => ({
      id,
      name,
      words: jobInWords(name, emailKind === null || mail.isDiscreet(emailKind) ? null : mail.titleOf(emailKind)),
      since: since.toISOString(),
      nextTryAt: nextTryAt?.toISOString() ?? null,
      attempts,
      reason,
    })),
    counts: Object.fromEntries(counts.map(({ state: each, jobs: count }) => [each, count])) as JobsForAdmin['counts'],
    next: last === undefined ? null : writeInstantPlace(last),
  }
}

type ActApp = Pick<SiteApp, 'db' | 'jobs'>

/**
 * Has a failed job tried once more, or one that waits for its time tried now.
 * @throws {AppError} 404, or 409 where it is in line or under way
 */
export function retryJob(app: ActApp, viewer: Viewer, id: string): Promise<void> {
  return act(app, viewer, { id, action: 'job.retried' })
}

/**
 * Takes a job out of line for good, or a failed one off the list.
 * @throws {AppError} 404, or 409 while it is under way
 */
export function giveUpJob(app: ActApp, viewer: Viewer, id: string): Promise<void> {
  return act(app, viewer, { id, action: 'job.given_up' })
}

async function act(
  { db, jobs }: ActApp,
  viewer: Viewer,
  { id, action }: { id: string; action: 'job.retried' | 'job.given_up' },
): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      const touched: TouchedJob | undefined =
        action === 'job.retried' ? await jobs.desk.retry(trx, id) : await jobs.desk.giveUp(trx, id)
      if (touched === undefined) throw noSuchJob()
      const { name, state, isDone } = touched
      if (!isDone) throw jobConflict(conflicts[state])
      // The home tells of it no more, once somebody has seen to the last of its kind.
      if (state === 'failed' && !(await jobs.desk.hasFailed(trx, name))) await forgetJobFailure({ db: trx }, name)
      await recordAuditEvent(trx, { action, by: { memberId: requireMember(viewer).id }, details: { job: name, id } })
    })
  } catch (error) {
    // Work of the clock stands in line once at a time.
    if ((error as { code?: unknown }).code === '23505') throw jobConflict(conflicts.failed, { cause: error })
    throw error
  }
  if (action === 'job.retried') jobs.desk.wake()
}
