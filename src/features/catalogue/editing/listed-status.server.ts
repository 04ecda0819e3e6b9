import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ListedStatus } from './content-sections.ts'

/** The condition on `items` for a status of the list (docs/spec/catalogue.md#list-for-administrators). */
export function isListedAs(status: ListedStatus, now: number): RawBuilder<SqlBool> {
  if (status === 'scheduled') return sql`items.status = 'published' and items.post_date > ${new Date(now)}`
  if (status === 'hidden') return sql`items.status = 'restricted' and coalesce(items.restriction, 'notice') = 'notice'`
  if (status === 'lapsed') return sql`items.status = 'restricted' and items.restriction <> 'notice'`
  return sql`items.status = ${status}`
}
