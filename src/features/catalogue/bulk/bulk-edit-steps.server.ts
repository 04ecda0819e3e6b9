import { sql, type Transaction } from 'kysely'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { Queryable } from '../../../db/queryable.ts'
import { findCategories } from '../item/categories.server.ts'
import type { ItemLinks } from '../item/link-slots.ts'
import { wholeItemText } from '../item/item.ts'
import { foldText } from '../item/name-text.ts'
import { isRefusedByDatabase, type ChangedItem, lockCatalogue, updateItems } from '../publishing/save-items.server.ts'
import { blockedLinkRefusals, findRefusals } from '../publishing/publication-checks.ts'
import { readGate, readBlockedLinks } from '../publishing/read-gate.server.ts'
import { restrictLapsedItems } from '../publishing/restrict-lapsed-items.server.ts'
import { tidyAfter } from '../publishing/tidy-after.server.ts'
import type { HeldRun, RunSteps } from '../../office/runs/work-on-run.server.ts'
import { editNotPossible, recordBulkEdit } from './begin-bulk-edit.server.ts'
import { type BulkChanges, BulkFilter } from './bulk-edit.ts'
import { type EditRules, evaluateEdit, heldSentence, linksAfter } from './evaluate-edit.server.ts'
import { conditionsOf } from './matching-items.server.ts'
import { type ChangeableItem, readChangeableItems } from '../publishing/stored-item.server.ts'

/** In one transaction, for which edits of other administrators wait (docs/spec/performance.md#p19). */
export const itemsInStep = 75

interface Edit {
  id: string
  filter: object
  itemIds: string[] | null
  changes: BulkChanges
}

async function readEdit({ db }: Pick<CatalogueApp, 'db'>, id: string): Promise<Edit> {
  const { filter, item_ids, changes } = await db
    .selectFrom('bulk_edits')
    .select(['filter', 'item_ids', 'changes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, filter, itemIds: item_ids, changes }
}

/**
 * The conditions of an edit, which another version may have begun: one that is not known must not select more.
 * @throws {AppError} `bulk.state`
 */
function filterOf({ filter }: Edit): BulkFilter {
  const { chosen: _count, ...conditions } = filter as { chosen?: number }
  const { data } = BulkFilter.safeParse(conditions)
  if (data === undefined)
    throw editNotPossible(
      'It was begun by another version of the software, with conditions that this one does not know. Make a new edit.',
    )
  return data
}

async function rulesOf(app: CatalogueApp, { changes }: Edit): Promise<EditRules> {
  const { timeZone } = app.config
  return {
    changes,
    schema: wholeItemText(timeZone),
    // Which links are blocked is asked anew in each step.
    gate: await readGate(app.config, app.db, []),
    timeZone,
    now: app.clock.now(),
  }
}

/** Writes down which items the edit selects, at which version, and what it makes of them. */
export const previewSteps: RunSteps<CatalogueApp> = {
  async fail(trx, { subjectId }, failure) {
    await trx.updateTable('bulk_edits').set({ state: 'failed', failure }).where('id', '=', subjectId).execute()
  },

  async *open(app, held) {
    const edit = await readEdit(app, held.subjectId)
    const filter = filterOf(edit)
    const rules = await rulesOf(app, edit)
    let after = held.position
    for (;;) {
      const items = await readChangeableItems(
        app.db,
        (where) => where.and([where('items.no', '>', after), ...conditionsOf(where, filter, edit.itemIds, rules)]),
        itemsInStep,
      )
      const last = items.at(-1)
      await app.db.transaction().execute(async (trx) => {
        if (last === undefined) {
          await held.finish(trx)
          await trx.updateTable('bulk_edits').set({ state: 'ready' }).where('id', '=', edit.id).execute()
        } else {
          await held.advance(trx, last.no)
          await recordPlans(trx, edit, items, rules)
        }
      })
      if (last === undefined) return
      after = last.no
      yield
    }
  },
}

/** The same rules, with what is blocked among the links of these items, as they are and as the edit has them. */
async function withBlocked(
  db: Queryable<CatalogueDatabase>,
  rules: EditRules,
  items: readonly { item: ItemLinks }[],
): Promise<EditRules> {
  const edited = items.map(({ item }) => ({ item: linksAfter(item, rules.changes) }))
  return { ...rules, gate: { ...rules.gate, blocked: await readBlockedLinks(db, [...items, ...edited]) } }
}

async function recordPlans(
  trx: Transaction<CatalogueDatabase>,
  { id }: Edit,
  items: ChangeableItem[],
  edited: EditRules,
): Promise<void> {
  const rules = await withBlocked(trx, edited, items)
  const rows = items.flatMap((before) => {
    const verdict = evaluateEdit(before, rules)
    if (verdict.kind === 'unchanged') return []
    return [
      {
        bulk_edit_id: id,
        item_no: before.no,
        item_id: before.id,
        name: before.item.name,
        slug: before.slug,
        version: before.version,
        outcome: verdict.kind === 'refused' ? ('refused' as const) : ('planned' as const),
        difference: JSON.stringify(verdict.difference),
        reasons: JSON.stringify(verdict.kind === 'refused' ? verdict.reasons : []),
      },
    ]
  })
  if (rows.length > 0) await trx.insertInto('bulk_edit_items').values(rows).execute()
  await trx
    .updateTable('bulk_edits')
    .set({
      selected: sql<number>`selected + ${items.length}`,
      unchanged: sql<number>`unchanged + ${items.length - rows.length}`,
    })
    .where('id', '=', id)
    .execute()
}

interface Outcome {
  item_no: number
  outcome: 'changed' | 'skipped' | 'refused' | 'undone' | 'left'
  reasons?: string[]
  before?: { status: ChangeableItem['status']; item: ChangeableItem['item'] }
  version_after?: number
}

interface Step {
  from: 'planned' | 'changed'
  rules: EditRules
  decide: (
    recorded: RecordedItem,
    now: ChangeableItem | undefined,
    categoryId: (name: string) => number | undefined,
    rules: EditRules,
  ) => { outcome: Outcome; write?: ChangedItem }
  /** The result of an item that passes the checks and is refused by the database. */
  otherwise: 'refused' | 'left'
}

interface RecordedItem {
  item_no: number
  item_id: string
  version: number
  before: Outcome['before'] | null
  version_after: number | null
}

/** Takes the previewed items that are still at their previewed version, clears them anew, and keeps what they were. */
export const applySteps: RunSteps<CatalogueApp> = {
  async fail(trx, { subjectId, begunBy }, failure) {
    // Changed items can be undone.
    await trx
      .updateTable('bulk_edits')
      .set({ state: 'failed', failure, applied_at: sql<Date>`now()` })
      .where('id', '=', subjectId)
      .execute()
    await recordBulkEdit(trx, subjectId, { action: 'items.bulk_edited', memberId: begunBy, outcome: 'failed' })
  },

  async *open(app, held) {
    const edit = await readEdit(app, held.subjectId)
    await restrictLapsedItems(app)
    yield* inSteps(app, held, edit, {
      from: 'planned',
      rules: await rulesOf(app, edit),
      otherwise: 'refused',
      decide(recorded, now, categoryId, rules) {
        const item_no = recorded.item_no
        const skip = (reason: string) => ({ outcome: { item_no, outcome: 'skipped' as const, reasons: [reason] } })
        if (now === undefined) return skip('It was deleted since the preview.')
        if (now.version !== recorded.version) return skip('It was changed since the preview.')
        const verdict = evaluateEdit(now, rules)
        if (verdict.kind === 'unchanged') return skip('It already matches.')
        if (verdict.kind === 'refused') return { outcome: { item_no, outcome: 'refused', reasons: verdict.reasons } }
        const { item, isPublished, otherwise } = verdict
        const category = categoryId(item.category)
        if (category === undefined) return skip(`The category '${item.category}' does not exist any more.`)
        return {
          outcome: {
            item_no,
            outcome: 'changed',
            before: { status: now.status, item: now.item },
            version_after: now.version + 1,
          },
          write: { id: now.id, item, categoryId: category, isPublished, otherwise, importDigest: now.importDigest },
        }
      },
    })
    await finish(app, held, edit, { state: 'done', applied_at: sql<Date>`now()` })
  },
}

/** Gives the changed items that nobody has changed since what they were. */
export const undoSteps: RunSteps<CatalogueApp> = {
  async fail(trx, { subjectId, begunBy }, failure) {
    await trx.updateTable('bulk_edits').set({ state: 'done', failure }).where('id', '=', subjectId).execute()
    await recordBulkEdit(trx, subjectId, { action: 'items.bulk_undone', memberId: begunBy, outcome: 'failed' })
  },

  async *open(app, held) {
    const edit = await readEdit(app, held.subjectId)
    await restrictLapsedItems(app)
    yield* inSteps(app, held, edit, {
      from: 'changed',
      rules: await rulesOf(app, edit),
      otherwise: 'left',
      decide({ item_no, before, version_after }, now, categoryId, { gate, now: at }) {
        const leave = (...reasons: string[]) => ({ outcome: { item_no, outcome: 'left' as const, reasons } })
        if (now === undefined) return leave('It was deleted since.')
        if (now.version !== version_after || before === null || before === undefined)
          return leave('It was changed since.')
        const { status } = before
        // A field that was not known then stays as it is.
        const item = { ...now.item, ...before.item }
        const category = categoryId(item.category)
        if (category === undefined) return leave(`Its category '${item.category}' does not exist any more.`)
        const isPublished = status === 'published'
        if (now.hold !== null) return leave(heldSentence)
        const refusals = isPublished
          ? findRefusals({ ...now, item }, gate, at)
          : blockedLinkRefusals(item, gate.blocked)
        if (refusals.length > 0) return leave(...refusals.map(({ message }) => message))
        // Why it was restricted is not known any more once it was something else.
        const otherwise = status === 'restricted' && now.status === 'restricted' ? 'restricted' : 'draft'
        return {
          outcome: { item_no, outcome: 'undone' },
          write: { id: now.id, item, categoryId: category, isPublished, otherwise, importDigest: now.importDigest },
        }
      },
    })
    await finish(app, held, edit, { state: 'undone', undone_at: sql<Date>`now()` })
  },
}

async function* inSteps(app: CatalogueApp, held: HeldRun, edit: Edit, step: Step): AsyncGenerator<void> {
  // The items of a refused step are repeated one by one.
  let alone = 0
  let taken = 0
  let after = held.position
  for (;;) {
    const limit = alone > 0 ? 1 : itemsInStep
    const next = { edit, step, after, limit }
    try {
      const reached = await app.db.transaction().execute((trx) => takeStep(app, trx, held, next))
      if (reached === undefined) return await tidyAfter(app.db, taken)
      after = reached
      taken += limit
      alone = Math.max(0, alone - 1)
    } catch (error) {
      if (!isRefusedByDatabase(error)) throw error
      if (limit === 1) await refuseOne(app, held, next, error as Error)
      alone = limit === 1 ? Math.max(0, alone - 1) : itemsInStep
    }
    yield
  }
}

interface NextItems {
  edit: Edit
  step: Step
  /** Items up to this number have been taken. PostgreSQL would pass over each of them: they stay in the index until it is vacuumed. */
  after: number
  limit: number
}

/** @returns the number of the last item that it took; undefined where none is left */
async function takeStep(
  app: CatalogueApp,
  trx: Transaction<CatalogueDatabase>,
  held: HeldRun,
  next: NextItems,
): Promise<number | undefined> {
  const { edit, step, limit } = next
  await lockCatalogue(trx)
  const recorded = await readNext(trx, next)
  const last = recorded.at(-1)?.item_no
  if (last === undefined) return undefined
  await held.advance(trx, last)
  const ids = recorded.map(({ item_id }) => item_id)
  const items = await readChangeableItems(trx, (where) => where('items.id', 'in', ids), limit)
  const byId = new Map(items.map((item) => [item.id, item]))
  const names = [
    ...items.map(({ item }) => item.category),
    ...recorded.flatMap(({ before }) => before?.item.category ?? []),
    ...(edit.changes.category === undefined ? [] : [edit.changes.category]),
  ]
  const categories = await findCategories(trx, names)
  const rules = await withBlocked(trx, step.rules, [...items, ...recorded.flatMap(({ before }) => before ?? [])])
  const decided = recorded.map((each) =>
    step.decide(each, byId.get(each.item_id), (name) => categories.get(foldText(name)), rules),
  )
  const writes = decided.flatMap(({ write }) => write ?? [])
  await updateItems(app, trx, writes, { by: held.begunBy, at: app.clock.now() })
  await recordOutcomes(
    trx,
    edit,
    decided.map(({ outcome }) => outcome),
  )
  return last
}

async function readNext(
  trx: Transaction<CatalogueDatabase>,
  { edit, step, after, limit }: NextItems,
): Promise<RecordedItem[]> {
  return trx
    .selectFrom('bulk_edit_items')
    .select(['item_no', 'item_id', 'version', 'version_after', 'before'])
    .where('bulk_edit_id', '=', edit.id)
    .where('outcome', '=', step.from)
    .where('item_no', '>', after)
    .orderBy('item_no')
    .limit(limit)
    .execute() as Promise<RecordedItem[]>
}

async function recordOutcomes(trx: Transaction<CatalogueDatabase>, edit: Edit, outcomes: Outcome[]): Promise<void> {
  await sql`
    update bulk_edit_items i
       set outcome = o.outcome, reasons = coalesce(o.reasons, '[]'),
           before = coalesce(o.before, i.before), version_after = coalesce(o.version_after, i.version_after)
      from json_to_recordset(${JSON.stringify(outcomes)}::json)
           as o(item_no integer, outcome text, reasons json, before json, version_after integer)
     where i.bulk_edit_id = ${edit.id}::uuid and i.item_no = o.item_no`.execute(trx)
}

async function refuseOne(app: CatalogueApp, held: HeldRun, next: NextItems, error: Error): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    const [recorded] = await readNext(trx, next)
    if (recorded === undefined) return
    await held.advance(trx, recorded.item_no)
    const reasons = [`The database refuses this: ${error.message}`]
    await recordOutcomes(trx, next.edit, [{ item_no: recorded.item_no, outcome: next.step.otherwise, reasons }])
  })
}

async function finish(
  app: CatalogueApp,
  held: HeldRun,
  edit: Edit,
  ended: { state: 'done'; applied_at: unknown } | { state: 'undone'; undone_at: unknown },
): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    await held.finish(trx)
    await trx
      .updateTable('bulk_edits')
      .set(ended as { state: 'done' | 'undone' })
      .where('id', '=', edit.id)
      .execute()
    const action = ended.state === 'done' ? 'items.bulk_edited' : 'items.bulk_undone'
    await recordBulkEdit(trx, edit.id, { action, memberId: held.begunBy })
  })
}
