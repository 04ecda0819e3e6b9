import { type RawBuilder, sql } from 'kysely'
import type { AccountsApp } from '../app.ts'

/** Longer texts than any name and address together find nobody. */
export const maxMemberSearch = 200

/**
 * Whether a row of `users` has every word of a search in its name or address, without regard to case and accents. It
 * scans the folded texts: an index of their parts would make new members dear and common words slow. So a list scans
 * them once (`pageOfMembers`).
 * @param users how the query names the table
 */
export function matchesMember(search: string, users = 'users'): RawBuilder<boolean> {
  const text = sql.ref(`${users}.search_text`)
  const words = search
    .normalize('NFKC')
    .split(/\s+/u)
    .filter((word) => word !== '')
  const conditions = words.map((word) => sql`strpos(${text}, fold_member_text(${word}::text)) > 0`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** A list of members in SQL: its rows, and how each row names the member. */
export interface MemberList {
  from: RawBuilder<unknown>
  id: RawBuilder<unknown>
  where: RawBuilder<unknown>
  order: RawBuilder<unknown>
  isSearch: boolean
}

/**
 * The members of a page of a list, in its order, and the length of the list. A search gathers and counts its matches in
 * one query; any other list is walked along its index up to the page.
 * @param part without one: the whole list
 */
export async function pageOfMembers(
  { db }: Pick<AccountsApp, 'db'>,
  { from, id, where, order, isSearch }: MemberList,
  part: { page: number; limit: number } | undefined,
): Promise<{ ids: string[]; total: number }> {
  const start = part === undefined ? 0 : (part.page - 1) * part.limit
  if (isSearch || part === undefined) {
    const wanted = part === undefined ? sql`ids` : sql`ids[${start + 1}::int:${start + part.limit}::int]`
    return db.transaction().execute(async (trx) => {
      // The pages of an index count four times a table's by default, as on a disk that has to seek. The planner would rather
      // read the whole table and sort it on disk than read the index that holds the texts in the order of the list.
      await sql`set local random_page_cost = 1.1`.execute(trx)
      const { rows } = await sql<{ ids: string[]; total: number }>`
        with found as materialized (select array(select ${id} from ${from} where ${where} order by ${order}) as ids)
        select ${wanted}::text[] as ids, cardinality(ids) as total from found`.execute(trx)
      return rows[0] ?? { ids: [], total: 0 }
    })
  }
  const [listed, counted] = await Promise.all([
    sql<{ id: string }>`
      select ${id} as id from ${from} where ${where} order by ${order} limit ${part.limit} offset ${start}`.execute(db),
    sql<{ count: number }>`select count(*)::int as count from ${from} where ${where}`.execute(db),
  ])
  return { ids: listed.rows.map((row) => row.id), total: counted.rows[0]?.count ?? 0 }
}
