import { sql } from 'kysely'
import type { SqlRunner } from '../queryable.ts'

export interface ServerFacts {
  version: string
  /** Its clock, in milliseconds since 1970. */
  now: number
}

/** The database, the role and the start of the server that a connection has, in words. */
export async function readIdentity(connection: SqlRunner): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select format('the database "%s" as "%s" on a server that was started %s', current_database(), current_user,
                  pg_postmaster_start_time() at time zone 'UTC') as identity`.execute(connection)
  return rows[0]?.identity ?? ''
}

export async function readServer(connection: SqlRunner): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(
    connection,
  )
  return rows[0] as ServerFacts
}
