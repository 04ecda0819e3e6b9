import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import type { CategoriesForAdmin } from './categories-schema.ts'

const stoppedShownFor = '7 days'

/** All categories with their counts, which the database keeps with every change of items, and what became of merges. */
export async function readCategories({ db }: Pick<CatalogueApp, 'db'>): Promise<CategoriesForAdmin> {
  // First: the page looks on until no category is merged any more, and shows what stopped a merge.
  const rows = await db
    .with('counted', (counts) =>
      counts
        .selectFrom('item_counts')
        .select([
          'category_id',
          sql<number>`sum(count)::int`.as('items'),
          sql<number>`(sum(count) filter (where status = 'published'))::int`.as('published'),
        ])
        .groupBy('category_id'),
    )
    .selectFrom('categories as c')
    .leftJoin('counted', 'counted.category_id', 'c.id')
    .leftJoin('category_merges as m', (join) => join.onRef('m.from_id', '=', 'c.id').on('m.state', '=', 'merging'))
    .select(['c.id', 'c.name', 'c.is_fixed', 'counted.items', 'counted.published', 'm.into_name', 'm.moved'])
    .orderBy('c.name_folded')
    .execute()
  const stopped = await db
    .selectFrom('category_merges')
    .select(['from_name', 'into_name', 'failure', 'refused'])
    .where('state', '=', 'failed')
    .where('ended_at', '>', sql<Date>`now() - ${stoppedShownFor}::interval`)
    // One that was merged after all, or tried again, says nothing more.
    .where(sql<boolean>`not exists (select from category_merges later where later.from_name = category_merges.from_name
                                       and later.begun_at > category_merges.begun_at)`)
    .orderBy('ended_at', 'desc')
    .limit(5)
    .execute()
  return {
    categories: rows.map(({ id, name, is_fixed, items, published, into_name, moved }) => ({
      id,
      name,
      isFixed: is_fixed,
      items: items ?? 0,
      published: published ?? 0,
      merging: into_name === null ? null : { into: into_name, moved: moved ?? 0 },
    })),
    stopped: stopped.map(({ from_name, into_name, failure, refused }) => ({
      from: from_name,
      into: into_name,
      sentence: failure ?? '',
      refused,
    })),
  }
}
