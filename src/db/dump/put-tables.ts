import { sql } from 'kysely'
import type { SqlRunner } from '../queryable.ts'
import { listTables, type SiteTable, spellAlike } from './list-tables.ts'
import type { SequencePlace } from './read-tables.ts'

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/**
 * Puts the rows of a dump into tables that the migrations have just made, all in the caller's transaction, whose role owns them.
 * The triggers that count, chain and refuse are at rest meanwhile: the rows are taken as they were. At the end the foreign
 * keys look at all rows at once.
 */
export class TableLoad {
  readonly #trx: SqlRunner
  readonly #tables: Map<string, SiteTable>
  readonly #keys: ForeignKey[]

  private constructor(trx: SqlRunner, tables: SiteTable[], keys: ForeignKey[]) {
    this.#trx = trx
    this.#tables = new Map(tables.map((table) => [table.name, table]))
    this.#keys = keys
  }

  /** Empties all tables: the migrations have put some rows into them. */
  static async begin(trx: SqlRunner): Promise<TableLoad> {
    await spellAlike(trx)
    const tables = await listTables(trx)
    const { rows: keys } = await sql<ForeignKey>`
      select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
        from pg_constraint k join pg_class c on c.oid = k.conrelid
       where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace`.execute(trx)
    for (const { table, name } of keys)
      await sql`alter table ${sql.id(table)} drop constraint ${sql.id(name)}`.execute(trx)
    for (const { name } of tables) await sql`alter table ${sql.id(name)} disable trigger user`.execute(trx)
    await sql`truncate ${sql.join(tables.map(({ name }) => sql.id(name)))}`.execute(trx)
    return new TableLoad(trx, tables, keys)
  }

  /**
   * Prepares a table for its rows.
   * @param columns those of the dump, in the order of its rows
   * @returns how its rows are put in; undefined where this version has no such table
   */
  async open(name: string, columns: readonly string[]): Promise<((json: string) => Promise<void>) | undefined> {
    const types = new Map(this.#tables.get(name)?.columns.map((column) => [column.name, column.type]))
    if (types.size === 0) return undefined
    const fields = columns.map((column) => {
      const type = types.get(column)
      if (type === undefined) throw new Error(`It holds a column ${name}.${column}, which this version does not know.`)
      return sql`${sql.id(column)} ${sql.raw(type)}`
    })
    await sql`drop type if exists pg_temp.dumped_row`.execute(this.#trx)
    await sql`create type pg_temp.dumped_row as (${sql.join(fields)})`.execute(this.#trx)
    const written = sql.join(columns.map((column) => sql.id(column)))
    const read = sql.join(columns.map((column) => sql`(dumped).${sql.id(column)}`))
    return async (json) => {
      // Without the offset the text would be read once for each column.
      await sql`
        insert into ${sql.id(name)} (${written}) overriding system value
        select ${read} from (select one::pg_temp.dumped_row as dumped
                               from json_array_elements_text(${json}::text::json) as one offset 0) as put`.execute(
        this.#trx,
      )
    }
  }

  /** @throws the database's error where rows name others that are not there */
  async finish(sequences: readonly SequencePlace[]): Promise<void> {
    const trx = this.#trx
    await sql`drop type if exists pg_temp.dumped_row`.execute(trx)
    const { rows: known } = await sql<{ name: string }>`
      select relname as name from pg_class
       where relnamespace = current_schema()::regnamespace and relkind = 'S'`.execute(trx)
    const names = new Set(known.map(({ name }) => name))
    for (const { name, value, isCalled } of sequences.filter((sequence) => names.has(sequence.name)))
      await sql`select setval(quote_ident(${name})::regclass, ${value}::bigint, ${isCalled})`.execute(trx)
    for (const name of this.#tables.keys()) await sql`alter table ${sql.id(name)} enable trigger user`.execute(trx)
    for (const { table, name, definition } of this.#keys)
      await sql`alter table ${sql.id(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(trx)
  }
}
