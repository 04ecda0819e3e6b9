import { type RawBuilder, sql } from 'kysely'

/** Longer texts than any name and address together find nobody. */
export const maxMemberSearch = 200

/**
 * Whether a row of `users` has every word of a search in its name or address, without regard to case and accents. A word
 * of three characters or more is looked up by the parts that an index has; the text decides.
 * @param users how the query names the table
 */
export function matchesMember(search: string, users = 'users'): RawBuilder<boolean> {
  const text = sql.ref(`${users}.search_text`)
  const words = search
    .normalize('NFKC')
    .split(/\s+/u)
    .filter((word) => word !== '')
  const conditions = words.map((word) => {
    const folded = sql`fold_member_text(${word}::text)`
    const holds = sql`strpos(${text}, ${folded}) > 0`
    // Counted as the database does, in characters; one that folds to less has no parts, and every row has none.
    return Array.from(word).length < 3 ? holds : sql`member_grams(${text}) @> member_grams(${folded}) and ${holds}`
  })
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
