import { sql } from 'kysely'
import type { NoticesApp } from '../app.ts'
import { noticeMails } from '../notice/notice-mails.ts'
import { daysLeft, dueReminders } from './agent.ts'

/**
 * Emails the administrators that the registration of the agent ends: 60, 14 and 1 days before, and when it has ended,
 * each once. Reminders that fell due while nothing ran become one email. The day is the database's.
 */
export async function remindRegistration({
  db,
  mail,
  texts,
  config,
}: Pick<NoticesApp, 'db' | 'mail' | 'texts' | 'config'>): Promise<void> {
  const endsOn = texts.get('agent.until')
  if (endsOn === '') return
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ today: string }>`
      select to_char(now() at time zone ${config.timeZone}, 'YYYY-MM-DD') as today`.execute(trx)
    const due = dueReminders(daysLeft(endsOn, rows[0]?.today ?? endsOn))
    const last = due.at(-1)
    if (last === undefined) return
    const administrators = await trx
      .selectFrom('users')
      .select('id as userId')
      .where('is_admin', '=', true)
      .orderBy('id')
      .execute()
    // There was nobody to read it.
    if (administrators.length === 0) return
    // The second of two processes finds them sent.
    const sent = await trx
      .insertInto('agent_reminders')
      .values(due.map((days) => ({ registration_ends_on: endsOn, days_before: days })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('days_before')
      .execute()
    if (!sent.some(({ days_before: days }) => days === last)) return
    await mail.queueMany(
      trx,
      noticeMails.registrationEnds,
      administrators.map(({ userId }) => ({ userId, endsOn })),
    )
  })
}
