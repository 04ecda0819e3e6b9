import { sql } from 'kysely'
import { fromKysely } from 'pg-boss'
import type { DatabaseEngine } from '../../db/open-database.ts'
import type { SqlDatabase } from '../../db/queryable.ts'
import type { Log } from '../log.ts'

/** Failed jobs are listed for a week. */
const failedRetentionSeconds = 7 * 86_400

/**
 * The attempts of this process. The library knows a job by its id alone, so an attempt's end and signs of life are
 * passed on only while the job is still its own: a process that stood still may find its job taken up by another.
 */
export class OwnAttempts {
  readonly #database: DatabaseEngine & { db: SqlDatabase }
  readonly #log: Log
  /** Those whose end is not recorded yet: their count of retries, by the job's id. */
  readonly #underWay = new Map<string, number>()
  readonly #givenUp = new Set<string>()

  constructor(database: DatabaseEngine & { db: SqlDatabase }, log: Log) {
    this.#database = database
    this.#log = log
  }

  begin(id: string, retryCount: number): void {
    this.#underWay.set(id, retryCount)
  }

  /** Has a job that fails now for good be kept for the operator. */
  givesUp(id: string): void {
    if (this.#underWay.has(id)) this.#givenUp.add(id)
  }

  /** Runs a statement of the library; one about a job that has become another's attempt finds no job. */
  async run(text: string, values: unknown[] = []): Promise<unknown[]> {
    const [name, ids, ...rest] = values
    const id: unknown = Array.isArray(ids) && ids.length === 1 ? ids[0] : undefined
    const retryCount = typeof id === 'string' ? this.#underWay.get(id) : undefined
    if (retryCount === undefined) return this.#database.run(text, values)
    const isEnd = rest.length > 0
    const { rows, isOurs } = await this.#database.db.transaction().execute(async (transaction) => {
      const held = await sql`
        select 1 from pgboss.job
         where name = ${name} and id = ${id} and state = 'active' and retry_count = ${retryCount} for update`.execute(
        transaction,
      )
      const isOurs = held.rows.length > 0
      const result = await fromKysely(transaction).executeSql(text, [name, isOurs ? ids : [], ...rest])
      if (isOurs && this.#givenUp.has(id as string)) {
        await sql`update pgboss.job set deletion_seconds = ${failedRetentionSeconds}
                   where name = ${name} and id = ${id} and state = 'failed'`.execute(transaction)
      }
      return { isOurs, ...result }
    })
    if (isEnd) {
      this.#underWay.delete(id as string)
      this.#givenUp.delete(id as string)
      if (!isOurs)
        this.#log.warn(
          { job: name, id, attempt: retryCount + 1 },
          'A job ended after this process had lost it to another attempt, for example because it stood still for a while: its end changes nothing.',
        )
    }
    return rows
  }
}
