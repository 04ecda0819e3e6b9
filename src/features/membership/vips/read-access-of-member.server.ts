import { findMember } from '../access/find-member.server.ts'
import { readAccessStatus } from '../access/read-access-status.server.ts'
import { sentenceOf } from '../access/access-status.ts'
import type { MembershipApp } from '../app.ts'
import { isCancellable } from '../stripe/stripe-state.ts'
import { keptCents } from '../plans/kept-cents.server.ts'
import { dayInWords } from '../plans/format-day.ts'
import type { AccessOfMember } from './vip-schema.ts'

/**
 * Why a member is VIP, or is not.
 * @throws {AppError} `member.unknown`, 404
 */
export async function readAccessOfMember(
  app: Pick<MembershipApp, 'db' | 'clock' | 'config'>,
  { id }: { id: string },
): Promise<AccessOfMember> {
  const { id: userId, isDisabled } = await findMember(app, { id })
  const status = await readAccessStatus(app, { userId, isDisabled })
  const [subscriptions, payments] = await Promise.all([
    app.db.selectFrom('subscriptions').select('status').where('user_id', '=', userId).execute(),
    app.db
      .selectFrom('payments')
      .select(['status', keptCents.as('kept')])
      .where('user_id', '=', userId)
      .execute(),
  ])
  return {
    isVip: status.isVip,
    isDisabled,
    sentence: sentenceOf(status, (instant) => dayInWords(instant, app.config.timeZone)),
    endsAt: status.endsAt === null ? null : new Date(status.endsAt).toISOString(),
    hasSubscription: subscriptions.some(isCancellable),
    hasPayments: payments.length > 0,
    hasPaid: payments.some((one) => one.status === 'paid' && one.kept > 0),
  }
}
