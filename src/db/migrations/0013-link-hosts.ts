import { type Kysely, sql } from 'kysely'

/** The links of each host are counted by an index alone (docs/spec/links.md#administration). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index link_checks_host on link_checks (host, state)`.execute(db)
}
