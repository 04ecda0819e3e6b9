import { sql } from 'kysely'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { defineError } from '../../../platform/errors.ts'
import type { CatalogueApp } from '../app.ts'
import { countCategories, createCategories, maxCategories } from '../item/categories.server.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'
import { lockCategory, readCategoryName, refusePairs, withSentences, neededByType } from './category-refusals.server.ts'
import { uuidv7 } from 'uuidv7'
import { catalogueRuns } from '../catalogue-runs.ts'
import { beginRun } from '../../office/runs/begin-run.server.ts'

type App = Pick<CatalogueApp, 'db'>

/**
 * Adds a category.
 * @returns its id
 * @throws {AppError} `categories.name`, `term.prohibited`, `categories.exists`, `categories.full`
 */
export async function addCategory(app: App, viewer: Viewer, typed: string): Promise<number> {
  const { name, folded } = await readCategoryName(app, typed)
  return withSentences(app, { name, folded }, () =>
    app.db.transaction().execute(async (trx) => {
      await lockCatalogue(trx)
      if ((await countCategories(trx)) >= maxCategories) throw tooManyCategories()
      const id = (await createCategories(trx, [name])).get(folded) as number
      await recordAuditEvent(trx, {
        action: 'category.created',
        by: { memberId: requireMember(viewer).id },
        subject: { kind: 'category', id: String(id) },
        details: { name },
      })
      return id
    }),
  )
}

/**
 * Gives a category another name. Items belong to it by its id, so they follow; the database writes their rows of lists anew.
 * @throws {AppError} those of an addition, `term.prohibited` also for what an entry on the site is called; `categories.not_found`, `categories.fixed`, `categories.merging`, `categories.type_needs_it`
 */
export async function renameCategory(app: App, viewer: Viewer, id: number, typed: string): Promise<void> {
  const { name, folded } = await readCategoryName(app, typed)
  await withSentences(app, { name, folded }, () =>
    app.db.transaction().execute(async (trx) => {
      await lockCatalogue(trx)
      const before = await lockCategory(trx, id)
      if (before.name === name) return
      await refusePairs(trx, { id, name })
      await trx.updateTable('categories').set({ name, name_folded: folded }).where('id', '=', id).execute()
      await recordAuditEvent(trx, {
        action: 'category.renamed',
        by: { memberId: requireMember(viewer).id },
        subject: { kind: 'category', id: String(id) },
        details: { before: before.name, after: name },
      })
    }),
  )
}

/**
 * Removes an empty category.
 * @throws {AppError} `categories.not_empty`, and those of a change
 */
export async function removeCategory(app: App, viewer: Viewer, id: number): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const category = await lockCategory(trx, id)
    const { count } = await trx
      .selectFrom('items')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('category_id', '=', id)
      .executeTakeFirstOrThrow()
    if (count > 0) {
      throw categoryNotEmpty(category.name, count === 1 ? 'an entry' : `${count.toLocaleString('en-US')} entries`)
    }
    await trx.deleteFrom('categories').where('id', '=', id).execute()
    await recordAuditEvent(trx, {
      action: 'category.removed',
      by: { memberId: requireMember(viewer).id },
      subject: { kind: 'category', id: String(id) },
      details: { name: category.name },
    })
  })
}

export const tooManyCategories = defineError({
  code: 'categories.full',
  status: 409,
  sentence: `The site has ${maxCategories.toLocaleString('en-US')} categories, and no more are allowed. Merge or remove some first.`,
  remedy: 'Merge or remove some first.',
})

export const categoryNotEmpty = defineError({
  code: 'categories.not_empty',
  status: 409,
  sentence: (name: string, count: string) =>
    `The category '${name}' has ${count}. Merge it into another, or move them first.`,
  remedy: 'Merge it into another category.',
})

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
