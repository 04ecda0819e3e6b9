import { sql } from 'kysely'
import type { SqlRunner } from '../queryable.ts'

export interface ServerFacts {
  version: string
  encoding: string
  /** Its clock, in milliseconds since 1970. */
  now: number
}

export async function readServer(connection: SqlRunner): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
           (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(connection)
  return rows[0] as ServerFacts
}
