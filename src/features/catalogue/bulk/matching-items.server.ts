import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { addDays } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'
import type { CatalogueDatabase } from '../app.ts'
import { lineOf } from '../item/fields.ts'
import { linkSlots } from '../item/link-slots.ts'
import { foldText, likeAnywhere, wordsOf } from '../item/name-text.ts'
import { isListedAs } from '../editing/listed-status.server.ts'
import type { BulkFilter } from './bulk-edit.ts'

type Where = ExpressionBuilder<CatalogueDatabase, 'items' | 'categories'>

/**
 * The conditions of a filter; without any, every item that was not removed.
 * @param itemIds those that were selected one by one; null where none were
 */
export function conditionsOf(
  where: Where,
  filter: Omit<BulkFilter, 'items'>,
  itemIds: readonly string[] | null,
  { timeZone, now }: { timeZone: string; now: number },
): Expression<SqlBool>[] {
  const { section, search = '', contentType, category, status, postedFrom, postedTo, rightsBasis, linkHost } = filter
  const conditions: Expression<SqlBool>[] = [
    status === undefined ? where('items.status', '<>', 'removed') : isListedAs(status, now),
  ]
  if (itemIds !== null) conditions.push(sql<SqlBool>`items.id = any(${itemIds}::uuid[])`)
  if (section !== undefined) conditions.push(sql<SqlBool>`section_of(items.content_type) = ${section}`)
  const searched = wordsOf(search)
  if (searched.length > 0)
    conditions.push(sql<SqlBool>`items.searched like all (${searched.map(likeAnywhere)}::text[])`)
  if (contentType !== undefined) conditions.push(where('items.content_type', '=', contentType))
  if (category !== undefined) conditions.push(where('categories.name_folded', '=', foldText(category)))
  if (postedFrom !== undefined)
    conditions.push(where('items.post_date', '>=', new Date(startOfDay(postedFrom, timeZone))))
  if (postedTo !== undefined)
    conditions.push(where('items.post_date', '<', new Date(startOfDay(addDays(postedTo, 1), timeZone))))
  if (rightsBasis !== undefined)
    conditions.push(
      rightsBasis === 'none' ? where('items.rights_basis', 'is', null) : where('items.rights_basis', '=', rightsBasis),
    )
  if (linkHost !== undefined) {
    const host = linkHost.replace(/^www\./, '').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    const pattern = `^https?://(www\\.)?${host}(:[0-9]*)?([/?#]|$)`
    conditions.push(
      where.or(linkSlots.map((slot) => sql<SqlBool>`${sql.ref(`items.${lineOf(slot).column}`)} ~* ${pattern}`)),
    )
  }
  return conditions
}
