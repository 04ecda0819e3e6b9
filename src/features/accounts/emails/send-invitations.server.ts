import { sql } from 'kysely'
import type { AccountsApp } from '../app.ts'
import { accountMails } from '../account-mails.ts'

/** How many go out each minute: an import of thousands must not look like a flood to mail servers. */
const perMinute = 60

/** Queues the invitations that wait longest, each once: it waits no longer when its email is queued, in one transaction. */
export async function sendInvitations(app: Pick<AccountsApp, 'db' | 'mail'>): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ user_id: string }>`
      delete from member_invitations where user_id in (
        select user_id from member_invitations order by requested_at, user_id limit ${perMinute} for update skip locked
      ) returning user_id`.execute(trx)
    const emails = rows.map(({ user_id: userId }) => ({ userId }))
    await app.mail.queueMany(trx, accountMails.invitation, emails)
  })
}
