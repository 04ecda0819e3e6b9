import { defineError } from '../../../platform/errors.ts'
import type { EmailKind } from '../../../platform/email/email-kind.ts'
import type { EmailFate } from '../../../platform/email/mail.ts'
import type { AccountsApp, AccountsTransaction } from '../app.ts'
import { foldEmail } from '../user/email.ts'
import type { MailEvent } from './mail-providers.server.ts'

type Needs = Pick<AccountsApp, 'db' | 'clock'>

const longestAnswer = 300

/**
 * A server's words as they are kept and shown: on one line, without marks that turn its direction, and without what may be the
 * secret of a link. Some servers quote the email, which whoever reads the log must not open an account with.
 */
function wordsToKeep(said: string | null | undefined): string | null {
  const plain = said?.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/[\w-]{32,}/g, '***')
  return plain?.slice(0, longestAnswer).trim() ?? null
}
/** The log names emails of so many days (docs/spec/email.md#fates). */
export const loggedForMs = 30 * 86_400_000

/**
 * Whether an email of the kind may go to an address: unconfirmed ones get no news, and the stop of a member's address is
 * kept (docs/spec/email.md#stops). Nobody else's address is ever stopped, nor an administrator's.
 */
export async function mayReceive(
  { db }: Needs,
  address: string,
  { purpose, urgency, isDiscreet }: EmailKind,
): Promise<boolean> {
  // The law asks for emails about notices.
  if (purpose === 'work' || urgency === 'needed' || isDiscreet === true) return true
  const user = await db
    .selectFrom('users')
    .leftJoin('email_stops', (join) =>
      join.onRef('email_stops.user_id', '=', 'users.id').onRef('email_stops.email_folded', '=', 'users.email_folded'),
    )
    .select(['users.email_confirmed_at', 'users.is_admin', 'email_stops.reason'])
    .where('users.email_folded', '=', foldEmail(address))
    .executeTakeFirst()
  if (user === undefined) return true
  const stop = user.is_admin ? null : user.reason
  if (stop === 'bounce') return false
  return purpose !== 'news' || (user.email_confirmed_at !== null && stop === null)
}

/**
 * Notes in the log what became of an email. A receiving server that knows no such mailbox stops the address. Discreet
 * emails are not noted and stop nothing: nobody reads here that somebody has sent a notice, or that there is one.
 */
export async function recordFate(
  app: Needs,
  { id, kind, address, fate, answer, isNoMailbox = false }: EmailFate,
): Promise<void> {
  if (kind.isDiscreet === true) return
  const at = new Date(app.clock.now())
  const folded = foldEmail(address)
  await app.db.transaction().execute(async (trx) => {
    const user = await trx.selectFrom('users').select('id').where('email_folded', '=', folded).executeTakeFirst()
    const noted = { fate, answer: wordsToKeep(answer), at }
    await trx
      .insertInto('sent_emails')
      .values({
        id,
        kind: kind.name,
        user_id: user?.id ?? null,
        // It goes with the account.
        address: user === undefined ? null : folded,
        ...noted,
        // A refusal quotes the address.
        ...(user === undefined ? { answer: null } : {}),
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(noted))
      .execute()
    if (isNoMailbox) await stopAddress(trx, { folded, reason: 'bounce', at })
  })
}

/** The clocks of a provider and of this site may differ by so much. */
const clocksDifferByMs = 60_000

/**
 * Stops the address that a mail provider reports, where it is a member's, and notes it at the email that it names, or else at the
 * last one that had gone there. A report of a fate that is noted already changes nothing, whatever became of the stop since: anybody
 * may send a delivery again.
 * @throws {AppError} `mail.under_way`, 503, while that email is being sent: it is not in the log yet
 */
export async function applyMailEvent(
  app: Needs & Pick<AccountsApp, 'jobs'>,
  { reason, address, emailId, words, at: reportedAt }: MailEvent,
): Promise<void> {
  const at = new Date(app.clock.now())
  const folded = foldEmail(address)
  // Before the log is read: it is written while the job goes on.
  const isUnderWay = emailId !== undefined && (await app.jobs.desk.isUnderWay(emailId))
  await app.db.transaction().execute(async (trx) => {
    const id = emailId ?? (await lastEmailTo(trx, folded, new Date((reportedAt ?? at.getTime()) + clocksDifferByMs)))
    if (id === undefined) return
    const logged = await trx
      .updateTable('sent_emails')
      .set(({ fn, val, ref }) => ({
        fate: reason === 'bounce' ? ('bounced' as const) : ('complained' as const),
        answer: fn.coalesce(val(wordsToKeep(words)), ref('answer')),
      }))
      .where('id', '=', id)
      .where('address', '=', folded)
      .where('fate', 'not in', reason === 'bounce' ? ['bounced'] : ['bounced', 'complained'])
      .returning('id')
      .executeTakeFirst()
    if (logged !== undefined) return stopAddress(trx, { folded, reason, at })
    // Otherwise about an email that the log does not have, such as one about a notice, or reported before.
    if (isUnderWay) throw emailUnderWay()
  })
}

async function lastEmailTo(trx: AccountsTransaction, folded: string, before: Date): Promise<string | undefined> {
  const email = await trx
    .selectFrom('users')
    .innerJoin('sent_emails', 'sent_emails.user_id', 'users.id')
    .select('sent_emails.id')
    .where('users.email_folded', '=', folded)
    .where('sent_emails.address', '=', folded)
    .where('sent_emails.at', '<=', before)
    .where('sent_emails.fate', 'not in', ['refused', 'withheld'])
    .orderBy('sent_emails.at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return email?.id
}

export const emailUnderWay = defineError({
  code: 'mail.under_way',
  status: 503,
  sentence: 'The email of this report is still being sent.',
  remedy: 'Send the report again.',
  retryAfterSeconds: 30,
})

/** A bounce weighs more than a complaint: a complaint does not take its place. */
async function stopAddress(
  trx: AccountsTransaction,
  { folded, reason, at }: { folded: string; reason: 'bounce' | 'complaint'; at: Date },
): Promise<void> {
  await trx
    .insertInto('email_stops')
    .columns(['user_id', 'email_folded', 'reason', 'stopped_at'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(['id', 'email_folded', eb.val(reason).as('reason'), eb.val(at).as('stopped_at')])
        .where('email_folded', '=', folded),
    )
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ email_folded: folded, reason, stopped_at: at })
        .where(({ or, eb }) =>
          or([eb('email_stops.email_folded', '!=', folded), eb('email_stops.reason', '=', 'complaint')]),
        ),
    )
    .execute()
}
