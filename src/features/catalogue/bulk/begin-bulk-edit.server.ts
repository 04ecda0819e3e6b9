import { sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { type AppError, defineError } from '../../../platform/errors.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { findCategories } from '../item/categories.server.ts'
import { fields, lineOf } from '../item/fields.ts'
import { itemColumns, wholeItemText } from '../item/item.ts'
import { linkSlots } from '../item/link-slots.ts'
import { catalogueRuns } from '../catalogue-runs.ts'
import { beginRun, endRun } from '../../office/runs/begin-run.server.ts'
import type { BulkChanges, BulkFilter } from './bulk-edit.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { checksOf } from '../publishing/publication-checks.ts'

export const undoFor = '24 hours'

/**
 * Begins the preview of an edit of many items.
 * @param id chosen by the caller: the same edit begun twice is one
 * @returns its id
 * @throws {AppError} `bulk.changes` when no item could take these changes, `bulk.id` when another edit has this id
 */
export async function beginBulkEdit(
  app: Pick<CatalogueApp, 'db' | 'jobs' | 'config'>,
  viewer: Viewer,
  { id = uuidv7(), filter, changes }: { id?: string | undefined; filter: BulkFilter; changes: BulkChanges },
): Promise<string> {
  await refuseUnworkable(app, changes)
  const { items, ...conditions } = filter
  const chosen = items === undefined ? null : [...new Set(items)].sort()
  const edit = {
    filter: JSON.stringify(chosen === null ? conditions : { chosen: chosen.length, ...conditions }),
    item_ids: chosen,
    changes: JSON.stringify(changes),
    made_by: requireMember(viewer).id,
  }
  await app.db.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('bulk_edits')
      .values({ id, ...edit })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made !== undefined) return beginRun(app, trx, catalogueRuns, { subjectId: id, kind: 'bulk_preview', viewer })
    const isSame = await trx
      .selectFrom('bulk_edits')
      .select('id')
      .where('id', '=', id)
      .where('made_by', '=', edit.made_by)
      .where(sql<boolean>`filter::text = ${edit.filter} and changes::text = ${edit.changes}`)
      .where(sql<boolean>`item_ids is not distinct from ${chosen}::uuid[]`)
      .executeTakeFirst()
    if (isSame === undefined) throw editIdTaken()
  })
  return id
}

async function refuseUnworkable(app: Pick<CatalogueApp, 'db' | 'config'>, changes: BulkChanges): Promise<void> {
  const refuse = (field: string, message: string): never => {
    throw badChanges(message, { field })
  }
  const { category } = changes
  if (category !== undefined && (await findCategories(app.db, [category])).size === 0)
    refuse('category', `The category '${category}' does not exist.`)
  // An item that takes what any item takes.
  const {
    status: _status,
    shiftDays: _days,
    action: _action,
    separator: _at,
    host: _host,
    newHost: _new,
    ...given
  } = changes
  const texts = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
  const { error } = wholeItemText(app.config.timeZone).safeParse({ ...anyItem, ...texts })
  const [issue] = error?.issues ?? []
  if (issue !== undefined) refuse(issue.path.map(String).join('.'), `${issue.path.join('.')} ${issue.message}`)
}

const anyItem = {
  ...Object.fromEntries(itemColumns.map((column) => [column, lineOf(column).sample ?? ''])),
  // It has a file behind each link.
  ...Object.fromEntries(linkSlots.map((slot) => [slot, fields.link.sample])),
}

/**
 * Begins to apply an edit to the items of its preview that are switched on.
 * @param version that the caller saw; any, where they name none
 * @throws {AppError} `bulk.not_found`, `bulk.state` unless it is previewed, `bulk.overtaken`, `run.underway`
 */
export async function applyBulkEdit(
  app: Pick<CatalogueApp, 'db' | 'jobs'>,
  viewer: Viewer,
  { id, version }: { id: string; version?: number | undefined },
): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    const seen = await trx
      .selectFrom('bulk_edits')
      .select('version')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (version !== undefined && seen !== undefined && seen.version !== version) throw editOvertaken()
    const applying = await trx
      .updateTable('bulk_edits')
      .set({ state: 'applying', failure: null })
      .where('id', '=', id)
      // One that failed goes on with what is left.
      .where((where) =>
        where.or([
          where('state', '=', 'ready'),
          where.and([where('state', '=', 'failed'), where('applied_at', 'is not', null)]),
        ]),
      )
      .executeTakeFirst()
    if (applying.numUpdatedRows === 0n) throw await wrongState(trx, id, 'This edit cannot be applied any more.')
    await beginRun(app, trx, catalogueRuns, { subjectId: id, kind: 'bulk_apply', viewer })
  })
}

/**
 * Begins to take an edit back, within a day; again, where items were left.
 * @throws {AppError} `bulk.not_found`, `bulk.state` when it was not applied, nothing is left of it or its day is over,
 *   `run.underway`
 */
export async function undoBulkEdit(app: Pick<CatalogueApp, 'db' | 'jobs'>, viewer: Viewer, id: string): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    const undoing = await trx
      .updateTable('bulk_edits')
      .set({ state: 'undoing', failure: null })
      .where('id', '=', id)
      .where('state', 'in', ['done', 'failed', 'undone'])
      .where('applied_at', '>', sql<Date>`now() - ${undoFor}::interval`)
      .where(
        sql<boolean>`exists (select from bulk_edit_items i
                              where i.bulk_edit_id = bulk_edits.id and i.outcome in ('changed', 'left'))`,
      )
      .executeTakeFirst()
    if (undoing.numUpdatedRows === 0n) throw await wrongState(trx, id, 'This edit cannot be undone any more.')
    // Repeats the items that an earlier undo has left: their obstacle may be gone.
    await trx
      .updateTable('bulk_edit_items')
      .set({ outcome: 'changed', reasons: '[]' })
      .where('bulk_edit_id', '=', id)
      .where('outcome', '=', 'left')
      .execute()
    await beginRun(app, trx, catalogueRuns, { subjectId: id, kind: 'bulk_undo', viewer })
  })
}

/**
 * Gives up a preview, or stops an edit or its undo after the current step. Changed items stay changed, and can be
 * undone.
 * @throws {AppError} `bulk.not_found`
 */
export async function cancelBulkEdit(app: Pick<CatalogueApp, 'db'>, viewer: Viewer, id: string): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    await endRun(trx, catalogueRuns, { subjectId: id, kinds: ['bulk_preview', 'bulk_apply', 'bulk_undo'] })
    const edit = await trx.selectFrom('bulk_edits').select('state').where('id', '=', id).forUpdate().executeTakeFirst()
    if (edit === undefined) throw noSuchEdit()
    const next = { previewing: 'cancelled', ready: 'cancelled', applying: 'done', undoing: 'done' } as const
    if (!(edit.state in next)) return
    const state = next[edit.state as keyof typeof next]
    await trx
      .updateTable('bulk_edits')
      .set({ state, ...(edit.state === 'applying' ? { applied_at: sql<Date>`now()` } : {}) })
      .where('id', '=', id)
      .execute()
    if (state !== 'done') return
    const action = edit.state === 'applying' ? 'items.bulk_edited' : 'items.bulk_undone'
    await recordBulkEdit(trx, id, { action, memberId: requireMember(viewer).id, outcome: 'cancelled' })
  })
}

async function wrongState(db: Transaction<CatalogueDatabase>, id: string, message: string): Promise<AppError> {
  const edit = await db.selectFrom('bulk_edits').select('id').where('id', '=', id).executeTakeFirst()
  return edit === undefined ? noSuchEdit() : editNotPossible(message)
}

export const noSuchEdit = defineError({
  code: 'bulk.not_found',
  status: 404,
  sentence: 'There is no such edit.',
  remedy: 'Take the id from the list of edits.',
})

export const editIdTaken = defineError({
  code: 'bulk.id',
  status: 409,
  sentence: 'Another edit has this id. Choose a new one.',
  remedy: 'Send a new id, or none.',
})

export const badChanges = defineError({
  code: 'bulk.changes',
  status: 422,
  remedy: 'Correct the field that the answer names.',
})

export const editOvertaken = defineError({
  code: 'bulk.overtaken',
  status: 409,
  sentence: 'Entries of this preview were switched on or off since you looked at it. Look at it again.',
  remedy: 'Read the edit again, and send its version.',
})

export const editNotPossible = defineError({
  code: 'bulk.state',
  status: 409,
  remedy: 'Make a new edit. One that was applied can be undone for 24 hours.',
})

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

export async function recordBulkEdit(
  trx: Transaction<CatalogueDatabase>,
  id: string,
  {
    action,
    memberId,
    outcome,
  }: { action: 'items.bulk_edited' | 'items.bulk_undone'; memberId: string; outcome?: 'cancelled' | 'failed' },
): Promise<void> {
  const { filter, changes } = await trx
    .selectFrom('bulk_edits')
    .select(['filter', 'changes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const counts = await trx
    .selectFrom('bulk_edit_items')
    .select(['outcome', sql<number>`count(*)::int`.as('count')])
    .where('bulk_edit_id', '=', id)
    .groupBy('outcome')
    .execute()
  const { status }: BulkChanges = changes
  const changed = counts.find((each) => each.outcome === 'changed')?.count ?? 0
  await recordAuditEvent(trx, {
    action,
    by: { memberId },
    subject: { kind: 'bulk_edit', id },
    details: {
      filter,
      changes,
      ...(outcome === undefined ? {} : { outcome }),
      ...Object.fromEntries(counts.map((each) => [each.outcome, each.count])),
      ...checksOf(status === 'published' ? changed : 0),
    },
  })
}
