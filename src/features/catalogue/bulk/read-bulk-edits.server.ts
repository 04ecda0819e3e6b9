import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { noSuchEdit, undoFor } from './begin-bulk-edit.server.ts'
import type { Difference } from './bulk-edit.ts'
import type { BulkEditForAdmin, BulkItems, BulkOutcome } from './bulk-schema.ts'

type App = Pick<CatalogueApp, 'db'>

const editsInList = 20
const itemsInPage = 50

function selectEdits({ db }: App) {
  return db
    .selectFrom('bulk_edits as e')
    .leftJoin('runs as r', 'r.subject_id', 'e.id')
    .select([
      'e.id',
      'e.filter',
      'e.changes',
      'e.state',
      'e.selected',
      'e.unchanged',
      'e.version',
      'e.failure',
      'e.made_at',
      'e.applied_at',
      'r.position',
      sql<Date | null>`case when e.state in ('done', 'failed', 'undone') and e.applied_at > now() - ${undoFor}::interval
                            then e.applied_at + ${undoFor}::interval end`.as('undo_until'),
      sql<number>`(select coalesce(max(no), 0) from items)`.as('last_no'),
    ])
}

type StoredEdit = Awaited<ReturnType<ReturnType<typeof selectEdits>['execute']>>[number]

const none = { planned: 0, excluded: 0, refused: 0, changed: 0, skipped: 0, undone: 0, left: 0 }

async function countsOf({ db }: App, ids: string[]): Promise<Map<string, BulkEditForAdmin['counts']>> {
  const counts = new Map(ids.map((id) => [id, { ...none }]))
  if (ids.length === 0) return counts
  const rows = await db
    .selectFrom('bulk_edit_items')
    .select(['bulk_edit_id', 'outcome', sql<number>`count(*)::int`.as('count')])
    .where('bulk_edit_id', 'in', ids)
    .groupBy(['bulk_edit_id', 'outcome'])
    .execute()
  for (const { bulk_edit_id, outcome, count } of rows) {
    const ofEdit = counts.get(bulk_edit_id)
    if (ofEdit !== undefined) ofEdit[outcome] = count
  }
  return counts
}

function progressOf(row: StoredEdit, counts: BulkEditForAdmin['counts']): number | null {
  const share = (done: number, total: number): number => (total === 0 ? 1 : Math.min(1, done / total))
  const { planned, changed, skipped, undone, left } = counts
  if (row.state === 'previewing') return share(row.position ?? 0, row.last_no)
  if (row.state === 'applying') return share(changed + skipped, planned + changed + skipped)
  if (row.state === 'undoing') return share(undone + left, changed + undone + left)
  return null
}

function editOf(row: StoredEdit, counts: BulkEditForAdmin['counts']): BulkEditForAdmin {
  return {
    id: row.id,
    filter: row.filter as BulkEditForAdmin['filter'],
    changes: row.changes as BulkEditForAdmin['changes'],
    state: row.state,
    selected: row.selected,
    unchanged: row.unchanged,
    version: row.version,
    counts,
    progress: progressOf(row, counts),
    failure: row.failure,
    madeAt: row.made_at.toISOString(),
    appliedAt: row.applied_at?.toISOString() ?? null,
    undoUntil: counts.changed + counts.left > 0 ? (row.undo_until?.toISOString() ?? null) : null,
  }
}

export async function readBulkEdits(app: App): Promise<BulkEditForAdmin[]> {
  const rows = await selectEdits(app).orderBy('e.made_at', 'desc').orderBy('e.id', 'desc').limit(editsInList).execute()
  const counts = await countsOf(
    app,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => editOf(row, counts.get(row.id) ?? none))
}

/** @throws {AppError} `bulk.not_found` */
export async function readBulkEdit(app: App, id: string): Promise<BulkEditForAdmin> {
  const row = await selectEdits(app).where('e.id', '=', id).executeTakeFirst()
  if (row === undefined) throw noSuchEdit()
  return editOf(row, (await countsOf(app, [id])).get(id) ?? none)
}

/**
 * Items of an edit with one outcome, in the order they were added. Those of a preview that would change stand together with
 * those that were switched off.
 * @throws {AppError} `bulk.not_found`
 */
export async function readBulkItems(
  { db }: App,
  id: string,
  { outcome, after }: { outcome: BulkOutcome; after: number },
): Promise<BulkItems> {
  const edit = await db.selectFrom('bulk_edits').select('state').where('id', '=', id).executeTakeFirst()
  if (edit === undefined) throw noSuchEdit()
  const rows = await db
    .selectFrom('bulk_edit_items')
    .select(['item_no', 'item_id as id', 'name', 'slug', 'outcome', 'difference', 'reasons'])
    .where('bulk_edit_id', '=', id)
    .where('outcome', 'in', outcome === 'planned' && edit.state === 'ready' ? ['planned', 'excluded'] : [outcome])
    .where('item_no', '>', after)
    .orderBy('item_no')
    .limit(itemsInPage + 1)
    .execute()
  const shown = rows.slice(0, itemsInPage)
  return {
    items: shown.map(({ item_no: _number, difference, ...item }) => ({
      ...item,
      difference: difference as Difference[],
    })),
    next: rows.length > itemsInPage ? (shown.at(-1)?.item_no ?? null) : null,
  }
}
