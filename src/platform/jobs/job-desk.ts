import { sql } from 'kysely'
import type { DatabaseEngine } from '../../db/open-database.ts'
import type { SqlRunner } from '../../db/queryable.ts'
import type { InstantPlace } from '../time/instant-place.ts'
import { keptFailureInWords } from './failure-in-words.ts'

export const jobStates = ['waiting', 'running', 'failed'] as const
export type JobState = (typeof jobStates)[number]

export interface ListedJob {
  id: string
  name: string
  emailKind: string | null
  since: Date
  nextTryAt: Date | null
  attempts: number
  reason: string | null
  place: InstantPlace
}

/** An email in line, under way, or given up. */
export interface UnsentEmail {
  kind: string
  state: JobState
  since: Date
  /** That of the last failure. */
  reason: string | null
}

/** A job that somebody has acted on. */
export interface TouchedJob {
  name: string
  state: JobState
  isDone: boolean
}

/** The jobs of each state, and since when they are in it. Completed ones and those that were called off are in none. */
const conditions: Record<JobState, string> = {
  waiting: "state in ('created', 'retry')",
  running: "state = 'active'",
  failed: "state = 'failed'",
}
const since: Record<JobState, string> = { waiting: 'created_on', running: 'started_on', failed: 'completed_on' }
/** The library queues some work of its own. */
const isOurs = String.raw`name not like '\_\_pgboss%'`

/** The jobs as the operator sees them and acts on them. */
export class JobDesk {
  readonly #database: DatabaseEngine
  readonly #names: () => string[]
  readonly #wake: () => void

  constructor(database: DatabaseEngine, { names, wake }: { names: () => string[]; wake: () => void }) {
    this.#database = database
    this.#names = names
    this.#wake = wake
  }

  /** How many jobs are in each state, and for how long the oldest; of the waiting, since when the first is due. */
  async count(): Promise<{ state: JobState; jobs: number; emails: number; oldestSeconds: number }[]> {
    const rows = (await this.#database.run(
      `select case when ${conditions.waiting} then 'waiting' when ${conditions.running} then 'running' else 'failed' end as state,
              count(*)::int as jobs, (count(*) filter (where name = 'mail'))::int as emails,
              extract(epoch from now() - min(case when ${conditions.waiting} then least(start_after, now())
                when ${conditions.running} then started_on else completed_on end))::float8 as "oldestSeconds"
         from pgboss.job where state in ('created', 'retry', 'active', 'failed') and ${isOurs} group by 1`,
    )) as { state: JobState; jobs: number; emails: number; oldestSeconds: number }[]
    return jobStates.map(
      (state) => rows.find((row) => row.state === state) ?? { state, jobs: 0, emails: 0, oldestSeconds: 0 },
    )
  }

  /** The jobs of a state, newest first. */
  async list(
    state: JobState,
    { after, limit }: { after?: InstantPlace | undefined; limit: number },
  ): Promise<ListedJob[]> {
    const begun = after === undefined ? '' : `and (${since[state]}, id) < ($2::timestamptz, $3::uuid)`
    const rows = (await this.#database.run(
      `select id, name, case when name = 'mail' then data->>'kind' end as "emailKind", ${since[state]} as since,
              case when ${conditions.waiting} then start_after end as "nextTryAt", output,
              case when started_on is null then 0 else retry_count + 1 end as attempts,
              to_char(${since[state]} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
         from pgboss.job where ${conditions[state]} and ${isOurs} ${begun}
        order by ${since[state]} desc, id desc limit $1`,
      [limit, ...(after === undefined ? [] : [after.at, after.id])],
    )) as (Omit<ListedJob, 'reason' | 'place'> & { output: unknown; at: string })[]
    return rows.map(({ output, at, ...job }) => ({
      ...job,
      reason: keptFailureInWords(output),
      place: { at, id: job.id },
    }))
  }

  /** Whether a job waits or runs. */
  async isUnderWay(id: string): Promise<boolean> {
    const rows = await this.#database.run(
      `select 1 from pgboss.job where id = $1 and state in ('created', 'retry', 'active') and ${isOurs}`,
      [id],
    )
    return rows.length > 0
  }

  /**
   * The newest email of a feature to somebody that is not sent yet, or was given up. An email that was sent leaves no trace here.
   * @param to.kinds the beginning of the kinds' names
   */
  async findEmail(to: { id: string; emails: readonly string[]; kinds: string }): Promise<UnsentEmail | undefined> {
    const [row] = (await this.#database.run(
      `select data->>'kind' as kind, created_on as since, output,
              case when ${conditions.waiting} then 'waiting' when ${conditions.running} then 'running' else 'failed' end as state
         from pgboss.job
        where name = 'mail' and state in ('created', 'retry', 'active', 'failed') and starts_with(data->>'kind', $1)
          and (data->'data'->>'userId' = $2 or data->'data'->>'email' = any($3::text[]))
        order by created_on desc, id desc limit 1`,
      [to.kinds, to.id, to.emails],
    )) as (Omit<UnsentEmail, 'reason'> & { output: unknown })[]
    if (row === undefined) return undefined
    const { output, ...email } = row
    return { ...email, reason: keptFailureInWords(output) }
  }

  /**
   * Has a failed job tried once more, or one that waits for its time tried now.
   * @returns undefined where there is no such job
   */
  async retry(trx: SqlRunner, id: string): Promise<TouchedJob | undefined> {
    return this.#touch(trx, id, {
      allows: ({ state, isDue }) => state === 'failed' || (state === 'waiting' && !isDue),
      set: sql`state = case when state = 'failed' then 'retry' else state end, completed_on = null, start_after = now(),
               retry_limit = case when state = 'failed' then retry_limit + 1 else retry_limit end,
               keep_until = greatest(keep_until, now() + interval '1 day')`,
    })
  }

  /** Takes a job out of line for good; a failed one leaves the list. */
  async giveUp(trx: SqlRunner, id: string): Promise<TouchedJob | undefined> {
    return this.#touch(trx, id, {
      allows: ({ state }) => state !== 'running',
      set: sql`state = 'cancelled', completed_on = now(), deletion_seconds = 60`,
    })
  }

  /** To be called once an act is committed. */
  wake(): void {
    this.#wake()
  }

  async hasFailed(trx: SqlRunner, name: string): Promise<boolean> {
    const { rows } = await sql`select 1 from pgboss.job where name = ${name} and state = 'failed' limit 1`.execute(trx)
    return rows.length > 0
  }

  async #touch(
    trx: SqlRunner,
    id: string,
    { allows, set }: { allows: (job: { state: JobState; isDue: boolean }) => boolean; set: ReturnType<typeof sql> },
  ): Promise<TouchedJob | undefined> {
    const { rows } = await sql<{ name: string; state: JobState; isDue: boolean }>`
      select name, start_after <= clock_timestamp() as "isDue",
             case state when 'active' then 'running' when 'failed' then 'failed' else 'waiting' end as state
        from pgboss.job where id = ${id} and state in ('created', 'retry', 'active', 'failed') and ${sql.raw(isOurs)}
         for update`.execute(trx)
    const [job] = rows
    if (job === undefined) return undefined
    const isDone = allows(job)
    if (isDone) await sql`update pgboss.job set ${set} where name = ${job.name} and id = ${id}`.execute(trx)
    return { name: job.name, state: job.state, isDone }
  }

  /**
   * The jobs that have failed at least this often and will be repeated, by name; jobs of an earlier version do not
   * count.
   */
  async readRetried(minRetries: number): Promise<{ name: string; jobs: number }[]> {
    const rows = await this.#database.run(
      `select name, count(*)::int as jobs from pgboss.job where state = 'retry' and retry_count >= $1 and name = any($2::text[]) group by name order by name`,
      [minRetries, this.#names()],
    )
    return rows as { name: string; jobs: number }[]
  }
}
