import { sql, type Transaction } from 'kysely'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { findRefusals, type Refusal } from '../publishing/publication-checks.ts'
import { readGate } from '../publishing/read-gate.server.ts'
import { restrictLapsedItems } from '../publishing/restrict-lapsed-items.server.ts'
import { type ChangedItem, lockCatalogue, updateItems } from '../publishing/save-items.server.ts'
import { tidyAfter } from '../publishing/tidy-after.server.ts'
import type { HeldRun, RunSteps } from '../../office/runs/work-on-run.server.ts'
import { type ChangeableItem, readChangeableItems } from '../publishing/stored-item.server.ts'

/** In one transaction, for which edits of other administrators wait (docs/spec/performance.md#p19). */
const itemsInStep = 100
const refusedThatAreNamed = 20

interface Merge {
  id: string
  from_id: number
  from_name: string
  into_id: number
  into_name: string
}

/** The items of one category go into another, each cleared anew; those that the gate refuses stay, and the category with them. */
export const mergeSteps: RunSteps<CatalogueApp> = {
  async *open(app, held) {
    const merge = (await app.db
      .selectFrom('category_merges')
      .select(['id', 'from_id', 'from_name', 'into_id', 'into_name'])
      .where('id', '=', held.subjectId)
      .executeTakeFirstOrThrow()) as Merge
    await restrictLapsedItems(app)
    let position = held.position
    let steps = 0
    for (;;) {
      const reached = await app.db.transaction().execute((trx) => moveSome(app, trx, { merge, held, after: position }))
      if (reached === undefined) return await tidyAfter(app.db, steps * itemsInStep)
      position = reached
      steps += 1
      yield
    }
  },

  async fail(trx, { subjectId: id, begunBy }, sentence) {
    await trx
      .updateTable('category_merges')
      .set({ state: 'failed', failure: sentence, ended_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    const merge = await trx
      .selectFrom('category_merges')
      .select(['from_id', 'from_name', 'into_name', 'moved', 'refused_count'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await recordAuditEvent(trx, {
      action: 'category.merged',
      by: { memberId: begunBy },
      subject: { kind: 'category', id: String(merge.from_id) },
      details: {
        from: merge.from_name,
        into: merge.into_name,
        outcome: 'failed',
        moved: merge.moved,
        refused: merge.refused_count,
      },
    })
  },
}

/** @returns the number of the last item that was looked at; undefined when the merge is at its end */
async function moveSome(
  app: CatalogueApp,
  trx: Transaction<CatalogueDatabase>,
  { merge, held, after }: { merge: Merge; held: HeldRun; after: number },
): Promise<number | undefined> {
  await lockCatalogue(trx)
  const items = await readChangeableItems(
    trx,
    (where) => where.and([where('items.category_id', '=', merge.from_id), where('items.no', '>', after)]),
    itemsInStep,
  )
  const last = items.at(-1)
  if (last === undefined) return finishOrLookAgain(trx, { merge, held, after })
  await held.advance(trx, last.no)
  const gate = await readGate(app.config, trx, items)
  const now = app.clock.now()
  const moved: ChangedItem[] = []
  const refused: { name: string; reason: string }[] = []
  for (const each of items) {
    const item = { ...each.item, category: merge.into_name }
    const refusals = each.status === 'published' ? findRefusals({ ...each, item }, gate, now) : []
    if (refusals.length > 0) refused.push({ name: item.name, reason: inWords(refusals) })
    // A reported entry stays as it was.
    else if (each.hold !== null && each.status !== 'removed')
      refused.push({ name: item.name, reason: 'It is held by a notice, or by a decision on one.' })
    else moved.push(changedItemOf(each, item, merge.into_id))
  }
  await updateItems(app, trx, moved, { by: held.begunBy, at: now })
  await trx
    .updateTable('category_merges')
    .set({
      moved: sql<number>`moved + ${moved.length}`,
      refused_count: sql<number>`refused_count + ${refused.length}`,
      ...(refused.length === 0
        ? {}
        : {
            refused: sql<string>`(select json_agg(each) from (
              select each from json_array_elements(refused) each
              union all select each from json_array_elements(${JSON.stringify(refused)}::json) each
              limit ${refusedThatAreNamed}) named)`,
          }),
    })
    .where('id', '=', merge.id)
    .execute()
  return last.no
}

function changedItemOf(before: ChangeableItem, item: ChangeableItem['item'], categoryId: number): ChangedItem {
  return {
    id: before.id,
    item,
    categoryId,
    isPublished: before.status === 'published',
    importDigest: before.importDigest,
    otherwise: before.status === 'published' ? 'draft' : before.status,
  }
}

function inWords(refusals: Refusal[]): string {
  return refusals.map(({ message }) => message).join(' ')
}

async function finishOrLookAgain(
  trx: Transaction<CatalogueDatabase>,
  { merge, held, after }: { merge: Merge; held: HeldRun; after: number },
): Promise<number | undefined> {
  const { refused_count: refused, moved } = await trx
    .selectFrom('category_merges')
    .select(['refused_count', 'moved'])
    .where('id', '=', merge.id)
    .executeTakeFirstOrThrow()
  if (refused > 0) {
    await held.finish(trx)
    const sentence =
      refused === 1
        ? `An entry stays in '${merge.from_name}', because it may not be published in its new category.`
        : `${refused.toLocaleString('en-US')} entries stay in '${merge.from_name}', because they may not be published in their new category.`
    await mergeSteps.fail(trx, held, sentence)
    return undefined
  }
  const left = await trx
    .selectFrom('items')
    .select('no')
    .where('category_id', '=', merge.from_id)
    .limit(1)
    .executeTakeFirst()
  if (left !== undefined && after > 0) {
    // Moved into it meanwhile, by an edit.
    await held.advance(trx, 0)
    return 0
  }
  await held.finish(trx)
  await trx.deleteFrom('categories').where('id', '=', merge.from_id).execute()
  await trx
    .updateTable('category_merges')
    .set({ state: 'done', from_id: null, ended_at: sql<Date>`now()` })
    .where('id', '=', merge.id)
    .execute()
  await recordAuditEvent(trx, {
    action: 'category.merged',
    by: { memberId: held.begunBy },
    subject: { kind: 'category', id: String(merge.from_id) },
    details: { from: merge.from_name, into: merge.into_name, moved },
  })
  return undefined
}
