import { fromKysely, type PgBoss } from 'pg-boss'
import type { DatabaseEngine } from '../../db/open-database.ts'
import type { SqlDatabase } from '../../db/queryable.ts'
import type { Log } from '../log.ts'

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

/** Drops the jobs of a name that wait; before the first start there are none. */
export async function dropWaitingJobs(database: DatabaseEngine, name: string): Promise<void> {
  const [there] = (await database.run(`select to_regclass('pgboss.job')::text as name`, [])) as { name: unknown }[]
  if (there?.name === null) return
  await database.run(`delete from pgboss.job where name = $1 and state < 'active'`, [name])
}
