import { sql } from 'kysely'
import type { SqlRunner } from '../../../db/queryable.ts'
import { counted } from '../../../platform/counted.ts'
import { type DoctorCheck, type Finding, good, problem } from '../../../platform/doctor/doctor-check.ts'

/** Whether each published entry has the row that lists show. */
export const listsCheck: DoctorCheck<{ db: SqlRunner }> = { about: 'Catalogue', examine }

async function* examine({ db }: { db: SqlRunner }): AsyncGenerator<Finding> {
  const { rows } = await sql<{ published: number; in_lists: number }>`
    select (select count(*)::int from items where status = 'published') as published,
           (select count(*)::int from item_rows) as in_lists`.execute(db)
  const { published, in_lists: inLists } = rows[0] ?? { published: 0, in_lists: 0 }
  yield published === inLists
    ? good(`${counted(published, 'published entry', 'published entries')}, each with its row.`)
    : problem(
        `${published} entries are published, and ${inLists} have a row in lists.`,
        'Restore the last backup: somebody has written into the tables by hand.',
      )
}
