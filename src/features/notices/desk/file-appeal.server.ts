import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { defineError } from '../../../platform/errors.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { appealDays } from '../notice/clocks.ts'
import { invalidNotice } from '../notice/notice-errors.ts'
import { applyEvent, lockNotice } from '../notice/record-event.server.ts'
import { maxDecisionText } from './desk-schema.ts'
import { lastDecision } from './decide.server.ts'
import { limitFollowUps } from '../intake/notice-limits.server.ts'
import { noticeOfToken } from '../intake/read-tracked-notice.server.ts'
import { refuseFaults } from '../intake/send-notice.server.ts'
import { faultsIn, fieldsIn, type Typed } from '../intake/typed-notice.ts'

/**
 * Takes in an appeal of a notice's sender against the decision in force, in the caller's transaction.
 * @throws {AppError} `notice.not_found`, 404; `notice.invalid`, 422; `notice.too_late`, 409, more than 183 days after the decision;
 * `notice.transition`, 409, where there is nothing to appeal, or an appeal already
 */
export async function fileAppeal(
  app: NoticesApp,
  trx: NoticesTransaction,
  { noticeId, statement }: { noticeId: string; statement: string },
): Promise<void> {
  const text = statement.replaceAll('\r\n', '\n').trim()
  if (text === '' || [...text].length > maxDecisionText || !text.isWellFormed() || text.includes('\0')) {
    throw invalidNotice(
      `Say in 1 to ${maxDecisionText.toLocaleString('en-US')} characters why the decision is wrong.`,
      { field: 'statement' },
    )
  }
  const notice = await lockNotice(trx, noticeId)
  const appealId = uuidv7()
  const decision = await lastDecision(trx, noticeId)
  if (decision !== undefined) {
    const { rows } = await sql<{ isLate: boolean }>`
      select now() > ${decision.decidedAt}::timestamptz + make_interval(days => ${appealDays}) as "isLate"`.execute(trx)
    if (rows[0]?.isLate === true) throw tooLate()
  }
  await applyEvent(app, trx, { notice, event: { type: 'appealed', appealId }, by: { kind: 'sender' } })
  await trx
    .insertInto('notice_appeals')
    .values({ id: appealId, notice_id: noticeId, decision_id: decision?.id ?? '', statement: text })
    .execute()
}

const tooLate = defineError({
  code: 'notice.too_late',
  status: 409,
  sentence: `A decision can only be appealed within ${appealDays} days.`,
  remedy: 'Go to a court, or send another notice if something new has happened.',
})

/**
 * The appeal of a sender against the decision in force, sent from the private page of the notice.
 * @throws {AppError} `notice.not_found`, 404; `notice.invalid`, 422; `notice.transition`, 409; `notice.too_late`, 409; `limit.exceeded`, 429
 */
export async function sendAppeal(
  app: NoticesApp,
  { token, typed, address }: { token: string; typed: Typed; address: string },
): Promise<void> {
  const noticeId = await noticeOfToken(app, token)
  const statement = fieldsIn(typed).explanation
  refuseFaults(faultsIn(typed))
  if (statement === null) return refuseFaults([{ field: 'explanation', message: 'Write why you disagree.' }])
  await limitFollowUps(app, address)
  await app.db.transaction().execute((trx) => fileAppeal(app, trx, { noticeId, statement }))
}
