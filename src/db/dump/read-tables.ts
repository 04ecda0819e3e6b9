import { sql } from 'kysely'
import type { SqlRunner } from '../queryable.ts'
import type { SiteTable } from './list-tables.ts'

/** Rows of a table, each as PostgreSQL writes a row as text. */
interface DumpedRows {
  count: number
  /** A JSON list of texts. */
  json: string
}

/** How large the texts of one step are, about. */
const stepCharacters = 200_000
/** The first step is short: nothing is known of the width of the rows. */
const firstRows = 16
const mostRows = 2_000

/**
 * Reads a table in steps of some 200 KB; the database gathers the next one meanwhile. The transaction is the caller's, and says
 * which instant is read.
 */
export async function* readRows(trx: SqlRunner, { name, columns }: SiteTable): AsyncGenerator<DumpedRows> {
  const written = sql.join(columns.map((column) => sql.id(column.name)))
  await sql`declare dumped_rows no scroll cursor for select row(${written})::text as row from ${sql.id(name)}`.execute(
    trx,
  )
  const fetch = (rows: number) => sql<{ row: string }>`fetch forward ${sql.lit(rows)} from dumped_rows`.execute(trx)
  let atOnce = firstRows
  let next = fetch(atOnce)
  try {
    for (;;) {
      const { rows } = await next
      if (rows.length === 0) break
      const json = JSON.stringify(rows.map(({ row }) => row))
      const fitting = Math.ceil((rows.length * stepCharacters) / json.length)
      atOnce = Math.min(fitting, atOnce * 2, mostRows)
      next = fetch(atOnce)
      next.catch(() => {
        // Thrown where it is awaited.
      })
      yield { count: rows.length, json }
    }
  } finally {
    // After an early stop comes the end of the transaction: nothing is under way in it by then.
    await next.catch(() => {})
  }
  await sql`close dumped_rows`.execute(trx)
}

export interface SequencePlace {
  name: string
  value: string
  isCalled: boolean
}

/** Sequences go on beside every transaction: read after the tables, they are never behind them. */
export async function readSequences(trx: SqlRunner): Promise<SequencePlace[]> {
  const { rows: names } = await sql<{ name: string }>`
    select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1`.execute(trx)
  const places: SequencePlace[] = []
  for (const { name } of names) {
    const { rows } = await sql<SequencePlace>`
      select ${name} as name, last_value::text as value, is_called as "isCalled" from ${sql.id(name)}`.execute(trx)
    places.push(...rows)
  }
  return places
}
