import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { NoticesDatabase } from '../app.ts'
import type { NoticeKind } from '../notice/notice-kinds.ts'
import type { Deadline } from './journal-state.ts'

export interface NoticeDeadlines {
  reference: string
  version: number
  deadlines: Deadline[]
}

/** The notices of which a deadline runs, or this one if it is such. */
export async function readDeadlines(
  db: Queryable<NoticesDatabase>,
  { reference }: { reference?: string | undefined } = {},
): Promise<NoticeDeadlines[]> {
  // The name of the deadline that only a notice about a child at risk has would tell its kind.
  const { rows } = await sql<NoticeDeadlines>`
    select n.reference, n.version, json_agg(json_build_object(
             'name', case c.name when 'person' then 'decide' else c.name end,
             'dueAt', to_char(c.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by c.due_at, c.id) as deadlines
      from notice_clocks c join notices n on n.id = c.notice_id
     where c.ended_at is null and (${reference ?? null}::text is null or n.reference = ${reference ?? null})
     group by n.id order by n.id`.execute(db)
  return rows
}

export async function readNotices(
  db: Queryable<NoticesDatabase>,
  references: readonly string[],
): Promise<Map<string, { version: number; kind: NoticeKind }>> {
  if (references.length === 0) return new Map()
  const { rows } = await sql<{ reference: string; version: number; kind: NoticeKind }>`
    select n.reference, n.version, n.kind from notices n
     where n.reference = any(${[...references]}::text[])`.execute(db)
  return new Map(rows.map(({ reference, ...notice }) => [reference, notice]))
}
