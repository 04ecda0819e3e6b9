import { type ConstructorOptions, fromKysely, PgBoss } from 'pg-boss'
import type { DatabaseEngine } from '../../db/open-database.ts'
import type { SqlDatabase } from '../../db/queryable.ts'
import type { Log } from '../log.ts'

/** How often the library cleans up. */
export const cleanEverySeconds = 300
/** For the library's own looks: at chains of jobs, which are not used, and by each worker (`DueQueues` does it for all). */
export const neverSeconds = 86_400

/** The library's work beside queuing. */
export type QueueDuties = Pick<ConstructorOptions, 'useListenNotify' | 'supervise' | 'schedule'>

/** Makes the library's queue over our database. It is not started. */
export function openQueue(
  { listen, engine }: DatabaseEngine,
  log: Log,
  {
    run,
    isPaused,
    ownsTables,
    superviseEverySeconds,
    duties,
  }: {
    run: (text: string, values?: unknown[]) => Promise<unknown[]>
    /** While true it gets no answer from the database. */
    isPaused: () => boolean
    ownsTables: boolean
    superviseEverySeconds: number
    duties: QueueDuties
  },
): PgBoss {
  const queue = new PgBoss({
    ...duties,
    db: {
      executeSql: async (text, values) => {
        if (isPaused()) throw new Error('The jobs are paused.')
        return { rows: await run(text, values) }
      },
      async listen(channel, heard, missed) {
        const close = await listen(channel, heard, missed)
        // Jobs that were queued before anybody listened.
        missed()
        return { close }
      },
    },
    backend: engine === 'embedded' ? 'pglite' : 'postgres',
    // Rebuilding indexes at night is for servers with many jobs.
    reindex: engine === 'postgresql' && ownsTables,
    superviseIntervalSeconds: superviseEverySeconds,
    monitorIntervalSeconds: superviseEverySeconds,
    maintenanceIntervalSeconds: cleanEverySeconds,
    bamIntervalSeconds: cleanEverySeconds,
    queueCacheIntervalSeconds: cleanEverySeconds,
    flowIntervalSeconds: neverSeconds,
  })
  queue.on('error', (error) => {
    // The cause of the pause is logged elsewhere; they look again by themselves.
    if (!isPaused()) log.error({ err: error }, 'The job queue has a problem.')
  })
  queue.on('warning', ({ message, data }) => log.warn({ data }, `The jobs: ${message}`))
  return queue
}

/** Puts back in line the jobs of these names that are under way: the process that did them is dead. */
export async function takeUpOrphans(
  boss: PgBoss,
  names: readonly string[],
  { db, log }: { db: SqlDatabase; log: Log },
): Promise<void> {
  for (const name of names) {
    const jobs = await boss.findJobs(name)
    const orphans = jobs.filter(({ state }) => state === 'active').map(({ id }) => id)
    if (orphans.length === 0) continue
    await db.transaction().execute(async (transaction) => {
      const runner = fromKysely(transaction)
      await boss.cancel(name, orphans, { db: runner })
      await boss.resume(name, orphans, { db: runner })
    })
    log.info({ job: name, count: orphans.length }, 'Interrupted jobs are resumed.')
  }
}
