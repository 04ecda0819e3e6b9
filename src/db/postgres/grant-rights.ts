import { sql } from 'kysely'
import type { SqlRunner } from '../queryable.ts'

/** Tables that the site's role only reads: the database writes them, or the migrating role. */
const onlyRead = ['audit_chain', 'audit_head', 'kysely_migration', 'kysely_migration_lock']
/** Written once, and never changed. */
const onlyAdded = ['audit_events']

/**
 * Gives the role that runs the site its rights in every schema of the caller, which owns the tables: rows, but neither
 * the schema nor the record (docs/spec/security.md#database-roles). Earlier rights beyond these are revoked.
 */
export async function grantRights(owner: SqlRunner, role: string): Promise<void> {
  const { rows: schemas } = await sql<{ name: string }>`
    select distinct n.nspname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and pg_get_userbyid(c.relowner) = current_user and n.nspname !~ '^pg_'`.execute(
    owner,
  )
  const to = sql.id(role)
  for (const { name } of schemas) {
    const schema = sql.id(name)
    await sql`revoke create on schema ${schema} from public, ${to}`.execute(owner)
    await sql`grant usage on schema ${schema} to ${to}`.execute(owner)
    await sql`revoke all on all tables in schema ${schema} from ${to}`.execute(owner)
    await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${to}`.execute(owner)
    await sql`grant usage, select on all sequences in schema ${schema} to ${to}`.execute(owner)
    await sql`grant execute on all functions in schema ${schema} to ${to}`.execute(owner)
  }
  const { rows: kept } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relname in (${sql.join([...onlyRead, ...onlyAdded])})`.execute(owner)
  for (const { schema, name } of kept) {
    const rights = onlyAdded.includes(name) ? sql`update, delete` : sql`insert, update, delete`
    await sql`revoke ${rights} on ${sql.id(schema, name)} from ${to}`.execute(owner)
  }
}

/**
 * The excessive rights of a connection's role, in words; undefined without any. Rights may come from elsewhere: the
 * role may be a superuser, own tables, or be a member of such a role, also without inheriting its rights.
 */
export async function findTooManyRights(connection: SqlRunner): Promise<string | undefined> {
  const { rows } = await sql<{ problem: string }>`
    select 'it is a superuser' as problem from pg_roles where rolname = current_user and rolsuper
    union all
    select 'it owns the table ' || c.relname || ', or is a member of the role that does'
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relname = 'audit_events' and pg_has_role(c.relowner, 'member')
    union all
    select 'it may make tables in the schema ' || current_schema()
     where has_schema_privilege(current_schema(), 'create')
    union all
    select 'it may make schemas' where has_database_privilege(current_database(), 'create')
    union all
    select 'it may change the audit log'
     where has_table_privilege('audit_events', 'update, delete, truncate')
        or has_table_privilege('audit_chain', 'insert, update, delete, truncate')
        or has_table_privilege('audit_head', 'insert, update, delete, truncate')`.execute(connection)
  return rows[0]?.problem
}

export async function roleOf(connection: SqlRunner): Promise<string> {
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(connection)
  return rows[0]?.role ?? ''
}
