import { type RawBuilder, sql } from 'kysely'

/** Longer texts than any name and address together find nobody. */
export const maxMemberSearch = 200

/**
 * Whether a row of `users` has every word of a search in its name or address, without regard to case and accents. It looks
 * through the texts that the database keeps folded: a hundred thousand take some 30 ms, whatever is searched for, and an
 * index of their parts would make each new member dear and a common word slow.
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
