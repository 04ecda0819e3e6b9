import { sql } from 'kysely'
import type { SqlRunner } from '../../../db/queryable.ts'
import type { ContentType, Region } from '../item/content-type.ts'
import type { RemovalAnswer } from './remove-items.server.ts'

export interface Tombstone {
  answer: RemovalAnswer
  kind: string
  /** Instant, ISO 8601. */
  removedAt: string
  reference: string
}

export interface RemovedItem extends Tombstone {
  contentType: ContentType
  region: Region
  category: string
}

/**
 * The tombstone of an item by its slug; undefined for one that is not removed. The most secret of several removals
 * counts, then the first: one that answers 404 looks like an unknown slug.
 */
export async function removedItem(db: SqlRunner, slug: string): Promise<RemovedItem | undefined> {
  if (!/^[a-z0-9-]{1,120}$/.test(slug)) return undefined
  const { rows } = await sql<Omit<RemovedItem, 'removedAt'> & { removedAt: Date }>`
    select r.answer, r.kind, r.removed_at as "removedAt", r.reference, i.content_type as "contentType", i.region,
           c.name as category
      from items i join item_removals r on r.item_id = i.id join categories c on c.id = i.category_id
     where i.slug = ${slug} and i.status = 'removed'
       and not exists (select from removal_reversals v where v.removal_id = r.id)
     order by r.answer = 404 desc, r.no limit 1`.execute(db)
  const [row] = rows
  return row === undefined ? undefined : { ...row, removedAt: row.removedAt.toISOString() }
}
