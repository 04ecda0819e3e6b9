import { sql } from 'kysely'
import type { CatalogueApp } from '../../app.ts'
import { itemColumns } from '../../item/item.ts'
import { rejectsHeader, rejectsLines } from '../../transfer/rejects-file.server.ts'
import { noRows, sentenceOf } from '../../transfer/import-items.server.ts'
import { noSuchImport } from '../../transfer/start-import.server.ts'
import type { ImportForAdmin, ImportProblems } from './import-schema.ts'

type App = Pick<CatalogueApp, 'db'>

const importsInList = 50
const problemsInPage = 100
const rejectsAtOnce = 500

function selectImports({ db }: App) {
  return db
    .selectFrom('imports as i')
    .selectAll()
    .select([
      sql<boolean>`exists (select from import_pieces p where p.import_id = i.id and p.place = 0)`.as('has_file'),
      sql<boolean>`exists (select from import_problems p where p.import_id = i.id and p.place = 0)`.as('has_rejects'),
    ])
}

type StoredImport = Awaited<ReturnType<ReturnType<typeof selectImports>['execute']>>[number]

function importOf(row: StoredImport): ImportForAdmin {
  const columns = row.columns.filter((column) => itemColumns.some((known) => known === column))
  const inOrder = itemColumns.filter((column) => columns.includes(column))
  return {
    id: row.id,
    fileName: row.file_name,
    format: row.format,
    bytes: Number(row.byte_size),
    columns: row.columns,
    columnsLeftOut: itemColumns.filter((column) => !columns.includes(column)),
    isInOrder: inOrder.every((column, i) => columns[i] === column),
    state: row.state,
    publish: row.publishes,
    createCategories: row.creates_categories,
    wasChecked: row.was_checked,
    rowsDone: row.rows_done,
    bytesDone: Number(row.bytes_done),
    tally: row.tally === null ? null : { ...noRows(), ...row.tally },
    problems: row.problem_count,
    hasFile: row.has_file,
    hasRejects: row.has_rejects,
    failure: row.failure,
    uploadedAt: row.uploaded_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  }
}

/** The imports, the last first. */
export async function readImports(app: App): Promise<ImportForAdmin[]> {
  const rows = await selectImports(app)
    .orderBy('uploaded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(importsInList)
    .execute()
  return rows.map(importOf)
}

/** @throws {AppError} `import.not_found` */
export async function readImport(app: App, id: string): Promise<ImportForAdmin> {
  const row = await selectImports(app).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw noSuchImport()
  return importOf(row)
}

/** @throws {AppError} `import.not_found` */
export async function readProblems(app: App, id: string, page: number): Promise<ImportProblems> {
  const { problems: total } = await readImport(app, id)
  const rows = await app.db
    .selectFrom('import_problems')
    .select(['line', 'reasons'])
    .where('import_id', '=', id)
    .where('place', '>=', (page - 1) * problemsInPage)
    .where('place', '<', page * problemsInPage)
    .orderBy('place')
    .execute()
  return {
    problems: rows.map(({ line, reasons }) => ({
      line,
      reasons: reasons.map(([column, reason]) => ({ column, sentence: sentenceOf(reason) })),
    })),
    total,
    totalPages: Math.ceil(total / problemsInPage),
  }
}

/** The rejects file of an import, piece by piece. */
export async function* rejectsOf({ db }: App, { id, columns, format }: ImportForAdmin): AsyncGenerator<string> {
  yield rejectsHeader({ columns, format })
  for (let after = -1; ;) {
    const rows = await db
      .selectFrom('import_problems')
      .select(['place', 'line', 'reasons', 'cells'])
      .where('import_id', '=', id)
      .where('place', '>', after)
      .orderBy('place')
      .limit(rejectsAtOnce)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.place
    yield rejectsLines(
      { columns, format },
      rows.map(({ line, reasons, cells }) => ({ line, cells, reasons: reasons.map(([, sentence]) => sentence) })),
    )
  }
}
