import { sql } from 'kysely'
import { defineError } from '../../../platform/errors.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { type InstantPlace, writeInstantPlace } from '../../../platform/time/instant-place.ts'
import type { AccountsApp } from '../app.ts'
import { foldEmail } from '../user/email.ts'
import type { EmailFateName, EmailStop, SentEmail, SentEmails } from './sent-email-schema.ts'

const emailsOfAPart = 50

/** The log of emails, the newest first. */
export async function listSentEmails(
  { db, mail }: Pick<AccountsApp, 'db' | 'mail'>,
  { search, fate, after }: { search: string; fate: EmailFateName | 'all'; after?: InstantPlace | undefined },
): Promise<SentEmails> {
  const words = foldEmail(search)
  const rows = await db
    .selectFrom('sent_emails')
    .leftJoin('email_stops', (join) =>
      join
        .onRef('email_stops.user_id', '=', 'sent_emails.user_id')
        .onRef('email_stops.email_folded', '=', 'sent_emails.address'),
    )
    .select(['id', 'kind', 'address', 'sent_emails.user_id', 'fate', 'answer', 'at', 'email_stops.reason'])
    .select(sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('place'))
    .$if(fate !== 'all', (query) => query.where('fate', '=', fate as EmailFateName))
    .$if(words !== '', (query) => query.where(sql<boolean>`strpos(address, ${words}) > 0`))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(emailsOfAPart + 1)
    .execute()
  const shown = rows.slice(0, emailsOfAPart)
  const last = rows.length > emailsOfAPart ? shown.at(-1) : undefined
  return {
    emails: shown.map((row) => ({
      id: row.id,
      words: mail.titleOf(row.kind),
      address: row.address,
      memberId: row.user_id,
      fate: row.fate,
      answer: row.answer,
      at: row.at.toISOString(),
      stop: row.reason,
    })),
    next: last === undefined ? null : writeInstantPlace({ at: last.place, id: last.id }),
  }
}

/** The last email to a member, and whether their address is stopped. */
export async function readLastEmail(
  { db, mail }: Pick<AccountsApp, 'db' | 'mail'>,
  { userId, emailFolded }: { userId: string; emailFolded: string },
): Promise<{ lastEmail: Pick<SentEmail, 'words' | 'fate' | 'answer' | 'at'> | null; emailStop: EmailStop | null }> {
  const [last, stop] = await Promise.all([
    db
      .selectFrom('sent_emails')
      .select(['kind', 'fate', 'answer', 'at'])
      .where('user_id', '=', userId)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst(),
    db
      .selectFrom('email_stops')
      .select('reason')
      .where('user_id', '=', userId)
      .where('email_folded', '=', emailFolded)
      .executeTakeFirst(),
  ])
  return {
    lastEmail:
      last === undefined
        ? null
        : { words: mail.titleOf(last.kind), fate: last.fate, answer: last.answer, at: last.at.toISOString() },
    emailStop: stop?.reason ?? null,
  }
}

/** Has emails go to the caller's address again; nothing happens where they do. */
export async function resumeOwnEmails({ db }: Pick<AccountsApp, 'db'>, viewer: Viewer): Promise<void> {
  await db.deleteFrom('email_stops').where('user_id', '=', requireMember(viewer).id).execute()
}

/**
 * Has emails go to the address of a member again.
 * @throws {AppError} `mail.no_stop`, 404, where they do
 */
export async function resumeEmailsOf(app: Pick<AccountsApp, 'db'>, viewer: Viewer, userId: string): Promise<void> {
  const by = requireMember(viewer).id
  await app.db.transaction().execute(async (trx) => {
    const ended = await trx
      .deleteFrom('email_stops')
      .where('user_id', '=', userId)
      .returning('reason')
      .executeTakeFirstOrThrow(() => noStop())
    await recordMemberEvent(trx, 'account.emails_resumed', { of: userId, by, details: { reason: ended.reason } })
  })
}

export const noStop = defineError({
  code: 'mail.no_stop',
  status: 404,
  sentence: 'Emails go to this member already.',
  remedy: 'Load the list again.',
})

/** The part of the caller's data export. */
export async function exportSentEmails({ db }: Pick<AccountsApp, 'db'>, viewer: Viewer) {
  const rows = await db
    .selectFrom('sent_emails')
    .select(['kind', 'fate', 'at'])
    .where('user_id', '=', requireMember(viewer).id)
    .orderBy('at', 'desc')
    .execute()
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}
