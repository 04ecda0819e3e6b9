import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Queryable } from '../../../db/queryable.ts'
import { defineError } from '../../../platform/errors.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { findCategories } from '../item/categories.server.ts'
import { foldText } from '../item/name-text.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'
import { maxFilters, type SavedFilter } from './content-schema.ts'

export async function readSavedFilters(db: Queryable<CatalogueDatabase>): Promise<SavedFilter[]> {
  const rows = await db
    .selectFrom('saved_filters as f')
    .leftJoin('categories as c', 'c.id', 'f.category_id')
    .select(['f.id', 'f.name', 'f.section', 'f.search', 'f.status'])
    .select(sql<string>`coalesce(c.name, '')`.as('category'))
    .orderBy('f.name_folded')
    .execute()
  return rows as SavedFilter[]
}

/**
 * Saves a search and filters of the list under a name, for all administrators. The same twice is one.
 * @throws {AppError} `filters.exists` for a name or filters that are saved already, `filters.full`, `filters.category`
 */
export async function saveFilter(
  { db }: Pick<CatalogueApp, 'db'>,
  viewer: Viewer,
  { name, ...filter }: Omit<SavedFilter, 'id'>,
): Promise<SavedFilter> {
  const folded = foldText(name)
  return db.transaction().execute(async (trx) => {
    // Its category stays until it is saved, and two who save at once wait for each other.
    await lockCatalogue(trx)
    const known = await readSavedFilters(trx)
    const isSame = (other: SavedFilter): boolean =>
      (['section', 'search', 'status'] as const).every((key) => other[key] === filter[key]) &&
      foldText(other.category) === foldText(filter.category)
    const other = known.find((one) => foldText(one.name) === folded) ?? known.find(isSame)
    if (other !== undefined) {
      if (other.name === name && isSame(other)) return other
      throw filterExists(
        isSame(other) ? `These filters are saved as '${other.name}'.` : `Another filter is called '${other.name}'.`,
      )
    }
    if (known.length >= maxFilters) throw tooManyFilters()
    const categoryId =
      filter.category === '' ? null : (await findCategories(trx, [filter.category])).get(foldText(filter.category))
    if (categoryId === undefined) throw unknownCategory()
    const { section, search, status } = filter
    const id = uuidv7()
    const memberId = requireMember(viewer).id
    await trx
      .insertInto('saved_filters')
      .values({ id, name, name_folded: folded, section, search, category_id: categoryId, status })
      .execute()
    await recordAuditEvent(trx, {
      action: 'filter.saved',
      by: { memberId },
      subject: { kind: 'saved_filter', id },
      details: { name, ...filter },
    })
    return { id, name, ...filter }
  })
}

/** @throws {AppError} `filters.not_found` */
export async function deleteFilter({ db }: Pick<CatalogueApp, 'db'>, viewer: Viewer, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const deleted = await trx.deleteFrom('saved_filters').where('id', '=', id).returning('name').executeTakeFirst()
    if (deleted === undefined) throw filterNotFound()
    await recordAuditEvent(trx, {
      action: 'filter.deleted',
      by: { memberId: requireMember(viewer).id },
      subject: { kind: 'saved_filter', id },
      details: { name: deleted.name },
    })
  })
}

export const filterNotFound = defineError({
  code: 'filters.not_found',
  status: 404,
  sentence: 'There is no such saved filter.',
  remedy: 'Take the id from the list of saved filters.',
})

export const filterExists = defineError({
  code: 'filters.exists',
  status: 409,
  remedy: 'Choose another name, or delete the other filter first.',
})

export const tooManyFilters = defineError({
  code: 'filters.full',
  status: 409,
  sentence: `${maxFilters} filters are saved, and no more are allowed. Delete one first.`,
  remedy: 'Delete one first.',
})

export const unknownCategory = defineError({
  code: 'filters.category',
  status: 422,
  sentence: 'This category does not exist.',
  remedy: 'Take the name from the list of categories.',
})
