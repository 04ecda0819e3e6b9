import { type Kysely, sql } from 'kysely'

/** The entries whose rights wait for a second person (docs/spec/publishing.md#second-person), counted for every administrator. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index items_to_verify on items (status, content_type, rights_attested_by)
      where rights_attested_by is not null and rights_verified_by is null and status in ('draft', 'restricted')`.execute(
    db,
  )
}
