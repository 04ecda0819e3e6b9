import { sql } from 'kysely'
import type { NoticesApp } from '../app.ts'
import type { NoticeKind } from './notice-kinds.ts'

export interface Duplicate {
  id: string
  original: string
  kind: NoticeKind
  hasEmail: boolean
}

/** The notices that repeat one, and those that repeat these. */
export async function duplicatesOf({ db }: Pick<NoticesApp, 'db'>, noticeId: string): Promise<Duplicate[]> {
  const { rows } = await sql<Duplicate>`
    with recursive duplicates as (
      select id, duplicate_of, kind, email from notices where duplicate_of = ${noticeId}::uuid
       union select n.id, n.duplicate_of, n.kind, n.email from notices n join duplicates d on n.duplicate_of = d.id)
    select id, duplicate_of as original, kind, email is not null as "hasEmail" from duplicates order by id`.execute(db)
  return rows
}

/** The notice that is handled: the one that it repeats, at any distance, or itself. */
export async function workedOn({ db }: Pick<NoticesApp, 'db'>, noticeId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with recursive originals as (
      select id, duplicate_of from notices where id = ${noticeId}::uuid
       union select n.id, n.duplicate_of from notices n join originals o on n.id = o.duplicate_of)
    select id from originals where duplicate_of is null`.execute(db)
  return rows[0]?.id ?? noticeId
}
