import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { listedUntil, type ListingTime, maySeeVip } from './is-listed.ts'

/**
 * The query that every read of single items starts from: published, its rights not lapsed, not before its post date but
 * for administrators and in early access, and no VIP item for a viewer who is none (docs/spec/access.md#visibility). A query that selects from `items` for the
 * public in another way misses one of these some day; a test keeps the list of files that may.
 */
export function visibleItems(db: Queryable<CatalogueDatabase>, viewer: Viewer, time: ListingTime) {
  const instant = new Date(time.now)
  const until = listedUntil({ isVip: true }, viewer, time)
  const freeUntil = listedUntil({ isVip: false }, viewer, time)
  return db
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'items.category_id')
    .where('items.status', '=', 'published')
    .where((where) => where.or([where('items.lapses_at', 'is', null), where('items.lapses_at', '>', instant)]))
    .$if(freeUntil !== Infinity, (query) => query.where('items.post_date', '<=', new Date(freeUntil)))
    .$if(until < freeUntil, (query) =>
      query.where((where) =>
        where.or([where('items.post_date', '<=', new Date(until)), where('items.content_type', 'not like', 'vip%')]),
      ),
    )
    .$if(!maySeeVip(viewer), (query) => query.where('items.content_type', 'not like', 'vip%'))
}
