import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { Viewer } from '../../accounts/user/viewer.ts'
import { maySeeVip } from './is-listed.ts'

/**
 * The query that every read of single items starts from: published, not before its post date, its rights not lapsed,
 * and no VIP item for a viewer who is none (docs/spec/access.md#visibility). A query that selects from `items` for the
 * public in another way misses one of these some day; a test keeps the list of files that may.
 */
export function visibleItems(db: Queryable<CatalogueDatabase>, viewer: Viewer, now: number) {
  const instant = new Date(now)
  return db
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'items.category_id')
    .where('items.status', '=', 'published')
    .where('items.post_date', '<=', instant)
    .where((where) => where.or([where('items.lapses_at', 'is', null), where('items.lapses_at', '>', instant)]))
    .$if(!maySeeVip(viewer), (query) => query.where('items.content_type', 'not like', 'vip%'))
}
