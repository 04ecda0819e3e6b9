import { sql } from 'kysely'
import type { App } from '../../src/app/app.ts'

/**
 * Works every queued job once, and the jobs that these queue. In an application that works its jobs itself, as a
 * browser needs it, this waits until nothing is due.
 */
export async function drainJobs({ jobs, db }: Pick<App, 'jobs' | 'db'>, withinMs = 20_000): Promise<void> {
  if (!jobs.isWorking) return jobs.drain()
  const end = Date.now() + withinMs
  for (;;) {
    const due = await db
      .selectFrom('pgboss.job' as 'users')
      .select('name')
      .where('state' as 'id', 'in', ['created', 'retry', 'active'])
      .where('start_after' as 'created_at', '<=', sql<Date>`now()`)
      .execute()
    if (due.length === 0) return
    if (Date.now() > end) throw new Error(`Jobs wait: ${due.map(({ name }) => name).join(', ')}.`)
    await new Promise((wake) => setTimeout(wake, 30))
  }
}
