import type { PgBoss } from 'pg-boss'
import type { Attempt, JobData, JobOptions } from './job.ts'

/** The work of a process for the jobs of a name. */
export interface Definition {
  work: (data: JobData, attempt: Attempt) => Promise<void>
  options: Required<JobOptions>
  /** Set for scheduled work: at most one such job is queued or running. */
  cron?: string
}

/** A process that works on a job says so twice in this time; who is silent for longer is dead. */
const heartbeatSeconds = 20
/** A longer job is abandoned and tried again. */
export const longestRunSeconds = 300
/** Finished jobs are deleted after this time, at the next cleaning; failed ones are kept for a week. */
const doneRetentionSeconds = 60

/**
 * Makes the queues, or brings them up to date. The queue of a name that is not defined here stays. A command defines only
 * what it queues, and a process of another version may still put jobs there: the library loses without a word what it puts
 * into a queue that is gone.
 * @returns whether anything had to be done
 */
export async function makeQueues(boss: PgBoss, definitions: ReadonlyMap<string, Definition>): Promise<boolean> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  let changed = false
  for (const [name, { options, cron }] of definitions) {
    const wanted = {
      retryLimit: options.retries,
      retryDelay: options.firstWaitSeconds,
      retryDelayMax: options.longestWaitSeconds,
      retryBackoff: true,
      expireInSeconds: longestRunSeconds,
      heartbeatSeconds,
      deleteAfterSeconds: doneRetentionSeconds,
      notify: true,
    }
    const queue = existing.get(name)
    if (queue === undefined) {
      await boss.createQueue(name, { ...wanted, policy: cron === undefined ? 'standard' : 'exclusive' })
    } else if (Object.entries(wanted).some(([key, value]) => queue[key as keyof typeof wanted] !== value)) {
      await boss.updateQueue(name, wanted)
    } else {
      continue
    }
    changed = true
  }
  return changed
}
