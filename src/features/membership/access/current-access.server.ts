import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a row of `member_access` is the one that counts at an instant: the stretch of access that holds then, or the last
 * one. Its end is the end that `accessStatusOf` tells. A member has at most one such row.
 * @param row the name of the table in the query
 */
export function isCurrent(row: string, at: Date): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  return sql<boolean>`(${column('starts_at')} <= ${at}::timestamptz and ${column('next_starts_at')} > ${at}::timestamptz)`
}
