import { type Expression, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { countCategories, createCategories, findCategories, maxCategories } from '../item/categories.server.ts'
import { categoryName } from '../item/field-readers.ts'
import { foldText } from '../item/name-text.ts'
import type { ProhibitedTerms } from '../publishing/prohibited-terms.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'
import { missingCategoryCode, noRoomForCategory, prohibitedCategory, sentenceOf } from './import-reasons.ts'
import { beginImport } from './start-import.server.ts'
import { readProhibitedTerms } from '../publishing/read-gate.server.ts'

interface MissingCategory {
  name: string
  rows: number
  spellings: string[]
  /** Why it cannot be created, in a sentence; null where it can. */
  refusal: string | null
}

export function lacksCategory(reason: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${reason} ->> 0 = 'category' and starts_with(${reason} ->> 1, ${`${missingCategoryCode}: `}))`
}

export async function findMissingCategories(
  db: Queryable<CatalogueDatabase>,
  importId: string,
): Promise<MissingCategory[]> {
  const { rows } = await sql<{ name: string; rows: number }>`
    select p.cells ->> 'category' as name, count(*)::int as rows
      from import_problems p
     where p.import_id = ${importId}
       and exists (select from json_array_elements(p.reasons) reason where ${lacksCategory(sql.ref('reason'))})
     group by 1 order by min(p.place)`.execute(db)
  const found = new Map<string, Pick<MissingCategory, 'name' | 'rows' | 'spellings'>>()
  for (const { name: given, rows: count } of rows) {
    const { data: name } = categoryName.safeParse(given)
    if (name === undefined) continue
    const folded = foldText(name)
    const known = found.get(folded)
    found.set(folded, {
      name: known?.name ?? name,
      rows: (known?.rows ?? 0) + count,
      spellings: [...(known?.spellings ?? []), given],
    })
  }
  // Somebody may have created some since.
  const names = [...found.values()].map(({ name }) => name)
  for (const folded of (await findCategories(db, names)).keys()) found.delete(folded)
  const terms = await readProhibitedTerms(db)
  let room = found.size === 0 ? 0 : maxCategories - (await countCategories(db))
  const wanted = [...found.values()].toSorted((a, b) => b.rows - a.rows || (a.name < b.name ? -1 : 1))
  return wanted.map(({ name, rows: count, spellings }) => {
    const refusal = refusalOf(name, terms, room)
    if (refusal === null) room -= 1
    return { name, rows: count, spellings, refusal }
  })
}

function refusalOf(name: string, terms: ProhibitedTerms, room: number): string | null {
  const found = terms.findInCategory(name)
  if (found !== undefined) return sentenceOf(prohibitedCategory(name, found))
  return room > 0 ? null : sentenceOf(noRoomForCategory(name, maxCategories))
}

/**
 * Creates the missing categories that the gate allows, and begins to check the file again: both, or neither.
 * @throws {AppError} those of `startImport`
 */
export async function createMissingCategories(
  app: Pick<CatalogueApp, 'db' | 'jobs'>,
  viewer: Viewer,
  id: string,
  { publish }: { publish: boolean },
): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const names = (await findMissingCategories(trx, id)).flatMap(({ name, refusal }) =>
      refusal === null ? [name] : [],
    )
    await beginImport(app, trx, viewer, id, { kind: 'check', publish, createCategories: false })
    await createAll(trx, viewer, names)
  })
}

async function createAll(trx: Transaction<CatalogueDatabase>, viewer: Viewer, names: string[]): Promise<void> {
  const created = await createCategories(trx, names)
  const by = { memberId: requireMember(viewer).id }
  for (const name of names) {
    await recordAuditEvent(trx, {
      action: 'category.created',
      by,
      subject: { kind: 'category', id: String(created.get(foldText(name))) },
      details: { name, import: true },
    })
  }
}
