import { PGlite } from '@electric-sql/pglite'
import { readFile } from 'node:fs/promises'

/** The engine's own parameters, and a memory that need not be filled with zeros for half a second first. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

/** The state of a prepared database, to which an engine is brought back. */
interface Prepared {
  schema: string
  /** The tables that have rows, and the statement that inserts them. */
  filled: { table: string; insert: string }[]
  /** The statement that sets them back. */
  sequences: string
}

/** Engines of this worker that are as prepared. Two are enough: few tests open more databases at once. */
const idle: PGlite[] = []
const mostIdle = 2
let prepared: Prepared | undefined

/**
 * An embedded engine with the database of `dumpFile`. Closing it brings its database back to that state for the next
 * test, in a tenth of the time that a new engine takes; one whose schema was changed is really closed.
 */
export async function openPooledEngine(dumpFile: string): Promise<PGlite> {
  let engine = idle.pop()
  if (engine === undefined) {
    engine = await PGlite.create({ loadDataDir: new Blob([await readFile(dumpFile)]), startParams })
    prepared ??= await readPrepared(engine)
  }
  return lend(engine)
}

/** The engine under another close: after it, whoever still holds it is refused, as by a closed engine. */
function lend(engine: PGlite): PGlite {
  let isClosed = false
  const listening: (() => Promise<void>)[] = []
  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    for (const stop of listening) await stop()
    if (idle.length < mostIdle && (await reset(engine))) idle.push(engine)
    else await engine.close()
  }
  return new Proxy(engine, {
    get(target, name) {
      if (name === 'close') return close
      if (name === 'closed') return isClosed
      const found: unknown = Reflect.get(target, name, target)
      if (typeof found !== 'function') return found
      return async (...args: unknown[]): Promise<unknown> => {
        if (isClosed) throw new Error('PGlite is closed')
        const answer: unknown = await Reflect.apply(found, target, args)
        if (name === 'listen') listening.push(answer as () => Promise<void>)
        return answer
      }
    },
  })
}

/** @returns false when the database can't be brought back */
async function reset(engine: PGlite): Promise<boolean> {
  if (prepared === undefined) return false
  const { schema, filled, sequences } = prepared
  try {
    // A test may have ended in the middle of a transaction.
    await engine.exec('rollback')
    await engine.exec('discard all')
    if ((await readSchema(engine)) !== schema) return false
    const { rows } = await engine.query<{ table: string }>(findWithRows)
    const toEmpty = new Set([...rows, ...filled].map(({ table }) => table))
    await engine.exec(
      [
        'begin',
        // The tables of the ledger let nobody delete.
        'set local session_replication_role = replica',
        `truncate ${[...toEmpty].join(', ')} cascade`,
        ...filled.map(({ insert }) => insert),
        sequences,
        'commit',
      ].join(';\n'),
    )
    return true
  } catch {
    return false
  }
}

async function readPrepared(engine: PGlite): Promise<Prepared> {
  const schema = await readSchema(engine)
  const { rows: tables } = await engine.query<{ table: string; columns: string }>(findWithRows)
  const filled = await Promise.all(
    tables.map(async ({ table, columns }) => {
      const { rows } = await engine.query<{ insert: string }>(`
        select format('insert into ${table} (${columns}) overriding system value select ${columns}
          from jsonb_populate_recordset(null::${table}, %L)', jsonb_agg(to_jsonb(t))) as insert from ${table} t`)
      return { table, insert: rows[0]?.insert ?? '' }
    }),
  )
  const { rows: sequences } = await engine.query<{ set: string }>(`
    select format('setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
      coalesce(last_value, start_value), last_value is not null) as set from pg_sequences`)
  return { schema, filled, sequences: `select ${sequences.map(({ set }) => set).join(', ')}` }
}

/** Objects that initdb did not make. */
const firstOwnOid = 16_384

/** The tables that rows were written to, and their columns but the generated ones. */
const findWithRows = `
  select format('%I.%I', n.nspname, c.relname) as table,
    (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.oid >= ${firstOwnOid} and pg_relation_size(c.oid) > 0`

/** A digest of everything but rows: tables, columns, constraints, indexes, functions, triggers, roles and their settings. */
async function readSchema(engine: PGlite): Promise<string> {
  const own = (from: string, columns: string, oid = 'oid'): string =>
    `select '${from}' as from, concat_ws(' ', ${columns}) as line from ${from} where ${oid} >= ${firstOwnOid}`
  const { rows } = await engine.query<{ digest: string }>(`
    select md5(string_agg(line, ';' order by "from", line)) as digest from (
      ${[
        own('pg_class', 'oid, relname, relkind, relowner, relacl, relrowsecurity, reloptions'),
        own('pg_attribute', 'attrelid, attnum, attname, atttypid, attnotnull, attisdropped', 'attrelid'),
        own('pg_attrdef', 'oid'),
        own('pg_constraint', 'oid, conname, convalidated'),
        own('pg_proc', 'oid, proname, md5(prosrc)'),
        own('pg_trigger', 'oid, tgname, tgenabled'),
        own('pg_namespace', 'oid, nspname, nspacl'),
        own('pg_authid', 'oid, rolname'),
        own('pg_extension', 'oid, extname, extversion'),
        `select 'settings', concat_ws(' ', setdatabase, setrole, setconfig) from pg_db_role_setting`,
      ].join(' union all ')}) every`)
  return rows[0]?.digest ?? ''
}
