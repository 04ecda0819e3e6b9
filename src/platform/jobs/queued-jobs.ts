import type { DatabaseEngine } from '../../db/open-database.ts'
import type { SqlDatabase } from '../../db/queryable.ts'
import type { Log } from '../log.ts'
import type { JobData } from './job.ts'
import { Jobs } from './jobs.ts'

/** A job on its way to another database. */
interface WaitingJob {
  name: string
  data: JobData
  priority: number
}

/** Jobs that wait or are under way, but for those of the clock, which come again; for another database. */
export async function readWaitingJobs(database: DatabaseEngine): Promise<WaitingJob[]> {
  if (!(await hasJobs(database))) return []
  return (await database.run(
    `select j.name, j.data, j.priority from pgboss.job j join pgboss.queue q on q.name = j.name
      where j.state < 'completed' and q.policy = 'standard' order by j.created_on, j.id`,
    [],
  )) as WaitingJob[]
}

/** Queues jobs of another database, to be done by the next process that works on this one. */
export async function queueMovedJobs(
  database: DatabaseEngine & { db: SqlDatabase; maintenanceDb: SqlDatabase },
  log: Log,
  moved: readonly WaitingJob[],
): Promise<void> {
  const jobs = new Jobs(database, log)
  const byName = Map.groupBy(moved, ({ name }) => name)
  for (const name of byName.keys()) jobs.define({ name }, () => Promise.reject(new Error('Jobs are only moved here.')))
  await jobs.prepare()
  try {
    for (const [name, some] of byName)
      for (const [priority, same] of Map.groupBy(some, (job) => job.priority)) {
        const data = same.map((job) => job.data)
        await jobs.addMany(database.db, { name }, data, { priority })
      }
  } finally {
    await jobs.stop()
  }
}

/** Drops the jobs of a name that wait. */
export async function dropWaitingJobs(database: DatabaseEngine, name: string): Promise<void> {
  if (await hasJobs(database)) await database.run(`delete from pgboss.job where name = $1 and state < 'active'`, [name])
}

/** Before the first start there are none. */
async function hasJobs(database: DatabaseEngine): Promise<boolean> {
  const [there] = (await database.run(`select to_regclass('pgboss.job')::text as name`, [])) as { name: unknown }[]
  return there?.name !== null
}
