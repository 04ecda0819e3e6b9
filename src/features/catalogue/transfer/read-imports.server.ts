import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { itemColumns } from '../item/item.ts'
import { rejectsHeader, rejectsLines } from './rejects-file.server.ts'
import { sentenceOf } from './import-reasons.ts'
import { findMissingCategories, lacksCategory } from './missing-categories.server.ts'
import { noSuchImport } from './start-import.server.ts'
import type { ImportForAdmin, ImportProblemGroups, ImportProblems } from './import-schema.ts'
import { noRows } from './open-import-run.server.ts'

type App = Pick<CatalogueApp, 'db'>

const importsInList = 50
const problemsInPage = 100
const rejectsAtOnce = 500
const groupsShown = 100
const missingShown = 1_000
const linesShown = 5

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

/**
 * A page of the rows with problems, in the order of the file.
 * @param group only those with this problem, by its key
 * @throws {AppError} `import.not_found`
 */
export async function readProblems(
  app: App,
  id: string,
  { page, group }: { page: number; group?: string | undefined },
): Promise<ImportProblems> {
  const { problems: all } = await readImport(app, id)
  const isOfGroup = sql<boolean>`exists (select from json_array_elements(reasons) reason
                                          where md5(reason::text) = ${group ?? ''})`
  const of = app.db.selectFrom('import_problems').where('import_id', '=', id)
  const total =
    group === undefined
      ? all
      : (
          await of
            .select(sql<number>`count(*)::int`.as('count'))
            .where(isOfGroup)
            .executeTakeFirstOrThrow()
        ).count
  const first = (page - 1) * problemsInPage
  const shown = of.select(['line', 'reasons', sql<string>`coalesce(cells ->> 'name', '')`.as('name')]).orderBy('place')
  const rows = await (
    group === undefined
      ? shown.where('place', '>=', first).where('place', '<', first + problemsInPage)
      : shown.where(isOfGroup).offset(first).limit(problemsInPage)
  ).execute()
  return {
    problems: rows.map(({ line, name, reasons }) => ({
      line,
      name,
      reasons: reasons.map(([column, reason]) => ({ column, sentence: sentenceOf(reason) })),
    })),
    total,
    totalPages: Math.ceil(total / problemsInPage),
  }
}

/**
 * The problems of the rows, each sentence once, and the categories that they lack. Problems with categories that can
 * still be created stand among the categories alone.
 * @throws {AppError} `import.not_found`
 */
export async function readProblemGroups(app: App, id: string): Promise<ImportProblemGroups> {
  const { hasFile } = await readImport(app, id)
  const missing = await findMissingCategories(app.db, id)
  const creatable = hasFile ? missing.flatMap(({ spellings, refusal }) => (refusal === null ? spellings : [])) : []
  const { rows } = await sql<{
    key: string
    reason: [column: string | null, sentence: string]
    rows: number
    lines: number[]
    total: number
  }>`
    select md5(reason) as key, reason::json as reason, count(*)::int as rows,
           (array_agg(line order by place))[1:${sql.lit(linesShown)}] as lines, (count(*) over ())::int as total
      from (select p.place, p.line, value::text as reason
              from import_problems p, json_array_elements(p.reasons)
             where p.import_id = ${id}
               and (${lacksCategory(sql.ref('value'))} and p.cells ->> 'category' = any(${creatable}::text[])) is not true) as told
     group by reason order by 3 desc, min(place) limit ${groupsShown}`.execute(app.db)
  return {
    groups: rows.map(({ key, reason: [column, sentence], rows: count, lines }) => ({
      key,
      column,
      sentence: sentenceOf(sentence),
      rows: count,
      lines,
    })),
    total: rows[0]?.total ?? 0,
    missingCategories: missing
      .slice(0, missingShown)
      .map(({ name, rows: count, refusal }) => ({ name, rows: count, refusal })),
  }
}

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
