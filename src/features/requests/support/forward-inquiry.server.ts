import { sql } from 'kysely'
import type { RequestsApp } from '../app.ts'
import type { TypedInquiry } from './inquiry-rules.ts'
import { notifyOperator } from './notify-operator.server.ts'

const answersWithinMs = 10_000
/** After so long without an answer the inquiry goes to the operator's own list. */
const forwardingMs = 86_400_000
/** Within this time the sender's own request still tries. */
const ownTryMs = 60_000
const atOnce = 50
/** A run ends after this many calls without an answer: together they wait less than the minute to the next run. */
const maxUnanswered = 5

export type Forwarded = 'taken' | 'refused' | 'unanswered'

/**
 * Sends an inquiry to the form service, as JSON in the way of Formspree, Basin and the like. An accepted inquiry is
 * deleted here; an unanswered one waits for the next attempt.
 */
export async function forwardInquiry(
  app: Pick<RequestsApp, 'config' | 'db' | 'log' | 'rehearsal'>,
  { id, name, email, message }: TypedInquiry & { id: string },
): Promise<Forwarded> {
  const { supportFormUrl } = app.config
  if (supportFormUrl === undefined || app.rehearsal.isOn) return 'refused'
  let status: number
  try {
    const answer = await fetch(supportFormUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        // An attempt whose answer is lost is made again: who knows this header takes it once.
        'idempotency-key': id,
      },
      body: JSON.stringify({ name, email, message }),
      // Some services lead to a page that says thank you.
      redirect: 'manual',
      signal: AbortSignal.timeout(answersWithinMs),
    })
    await answer.body?.cancel()
    status = answer.status
  } catch (error) {
    app.log.warn({ err: error }, 'The form service of SUPPORT_FORM_URL does not answer. The inquiry waits.')
    return 'unanswered'
  }
  // A redirect with the same method has not accepted it, whatever stands there.
  if ((status >= 200 && status < 300) || status === 302 || status === 303) {
    await app.db.deleteFrom('inquiries').where('id', '=', id).where('state', '=', 'forwarding').execute()
    return 'taken'
  }
  if (status >= 500 || status === 408 || status === 429) {
    app.log.warn({ status }, 'The form service of SUPPORT_FORM_URL has a problem. The inquiry waits.')
    return 'unanswered'
  }
  app.log.error({ status }, 'The form service of SUPPORT_FORM_URL refuses inquiries. Check the address.')
  await app.db.updateTable('inquiries').set({ refused_status: status }).where('id', '=', id).execute()
  return 'refused'
}

/**
 * Repeats unanswered inquiries. Refused ones, and those that are a day old, go to the operator's own list and address:
 * nothing is lost, also after the setting was removed.
 */
export async function forwardWaitingInquiries(app: RequestsApp): Promise<void> {
  const now = app.clock.now()
  const waiting = await app.db
    .selectFrom('inquiries')
    .select(['id', 'name', 'email', 'message', 'created_at'])
    .where('state', '=', 'forwarding')
    .where('created_at', '<=', new Date(now - ownTryMs))
    .orderBy(sql`tried_at nulls first`)
    .orderBy('inquiries.id')
    .limit(atOnce)
    .execute()
  let unanswered = 0
  for (const { created_at, ...inquiry } of waiting) {
    const outcome = unanswered < maxUnanswered ? await forwardInquiry(app, inquiry) : 'untried'
    if (outcome === 'taken') continue
    const isGivenUp = now - created_at.getTime() >= forwardingMs
    if (outcome === 'refused' || isGivenUp) await storeHere(app, inquiry.id)
    else if (outcome === 'unanswered') await recordTry(app, inquiry.id)
    if (outcome === 'unanswered') unanswered += 1
  }
}

/** The next run asks again, those first that have waited longest for their turn: none stands in the way of others. */
async function recordTry({ db, clock }: Pick<RequestsApp, 'db' | 'clock'>, id: string): Promise<void> {
  await db
    .updateTable('inquiries')
    .set({ tried_at: new Date(clock.now()) })
    .where('id', '=', id)
    .where('state', '=', 'forwarding')
    .execute()
}

/** For the operator's own list and address. */
export async function storeHere(app: Pick<RequestsApp, 'db' | 'mail' | 'clock'>, id: string): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    const stored = await trx
      .updateTable('inquiries')
      .set({ state: 'open' })
      .where('id', '=', id)
      .where('state', '=', 'forwarding')
      .returning('is_vip')
      .executeTakeFirst()
    if (stored !== undefined) await notifyOperator(trx, app, { id, isVip: stored.is_vip })
  })
}

const storedDays = 400
const deletedAtOnce = 1_000

/** Deletes inquiries that were closed long ago (docs/spec/notices.md#support). */
export async function deleteOldInquiries({ db, clock }: Pick<RequestsApp, 'db' | 'clock'>): Promise<void> {
  const oldest = new Date(clock.now() - storedDays * 86_400_000)
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('inquiries')
      .where(
        sql<boolean>`id in (select id from inquiries where state = 'closed' and closed_at < ${oldest} limit ${deletedAtOnce})`,
      )
      .executeTakeFirstOrThrow()
    if (numDeletedRows < deletedAtOnce) return
  }
}
