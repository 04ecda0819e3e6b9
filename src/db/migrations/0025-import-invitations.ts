import { type Kysely, sql } from 'kysely'

/** The import of a waiting invitation, so that it can be stopped (docs/spec/accounts.md#invitations). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: accounts know nothing of files of members.
  await sql`alter table member_invitations add column import_id uuid`.execute(db)
  await sql`create index member_invitations_import on member_invitations (import_id)`.execute(db)
  await sql`
    update member_invitations set import_id = r.import_id
      from users u join member_import_rows r on r.email_folded = u.email_folded and r.outcome = 'made'
     where u.id = member_invitations.user_id`.execute(db)
}
