import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { defineError } from '../../../platform/errors.ts'
import { editNotPossible, noSuchEdit } from './begin-bulk-edit.server.ts'

/**
 * Switches items of a preview on or off: those that are off are not changed.
 * @throws {AppError} `bulk.not_found`, `bulk.state` unless it is a preview, `bulk.item` for one that it would not change;
 *   then nothing is switched
 */
export async function switchItems(
  { db }: Pick<CatalogueApp, 'db'>,
  id: string,
  { items, isOn }: { items: readonly string[]; isOn: boolean },
): Promise<void> {
  const ids = [...new Set(items)]
  await db.transaction().execute(async (trx) => {
    const edit = await trx.selectFrom('bulk_edits').select('state').where('id', '=', id).forUpdate().executeTakeFirst()
    if (edit === undefined) throw noSuchEdit()
    if (edit.state !== 'ready') throw editNotPossible('This edit is no preview any more: its entries stay as they are.')
    const switched = await trx
      .updateTable('bulk_edit_items')
      .set({ outcome: isOn ? 'planned' : 'excluded' })
      .where('bulk_edit_id', '=', id)
      .where('outcome', 'in', ['planned', 'excluded'])
      .where(sql<boolean>`item_id = any(${ids}::uuid[])`)
      .executeTakeFirst()
    if (Number(switched.numUpdatedRows) < ids.length) throw noSuchItem()
    await trx
      .updateTable('bulk_edits')
      .set({ version: sql<number>`version + 1` })
      .where('id', '=', id)
      .execute()
  })
}

export const noSuchItem = defineError({
  code: 'bulk.item',
  status: 404,
  sentence: 'One of these entries would not be changed by this edit.',
  remedy: 'Take the ids from the items of the preview.',
})
