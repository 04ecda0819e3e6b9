import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { defineError } from '../../../platform/errors.ts'
import type { CatalogueApp } from '../app.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'
import { catalogueRuns } from '../catalogue-runs.ts'
import { beginRun } from '../../office/runs/begin-run.server.ts'
import { lockCategory, neededByType } from './category-refusals.server.ts'

/**
 * Begins to move all items of a category into another; with the last one the category goes.
 * @throws {AppError} `categories.itself`, `categories.not_found`, `categories.fixed`, `categories.merging`,
 *   `categories.type_needs_it` when the type of a published item would not suit the other category
 */
export async function mergeCategories(
  app: Pick<CatalogueApp, 'db' | 'jobs'>,
  viewer: Viewer,
  { from, into }: { from: number; into: number },
): Promise<void> {
  if (from === into) throw mergedWithItself()
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const source = await lockCategory(trx, from)
    const target = await lockCategory(trx, into, { isTarget: true })
    const misfit = await trx
      .selectFrom('items')
      .select('id')
      .where('category_id', '=', from)
      .where('status', '=', 'published')
      .where(sql<boolean>`not category_suits(content_type, ${target.name_folded})`)
      .limit(1)
      .executeTakeFirst()
    if (misfit !== undefined) throw neededByType(source.name)
    const id = uuidv7()
    await trx
      .insertInto('category_merges')
      .values({
        id,
        from_id: from,
        from_name: source.name,
        into_id: into,
        into_name: target.name,
      })
      .execute()
    await beginRun(app, trx, catalogueRuns, { subjectId: id, kind: 'merge', viewer })
  })
}

export const mergedWithItself = defineError({
  code: 'categories.itself',
  status: 422,
  field: 'into',
  sentence: 'Choose another category to merge it into.',
  remedy: 'Send the id of another category.',
})
