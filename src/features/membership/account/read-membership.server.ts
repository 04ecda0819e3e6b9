import { isoOf } from '../../../platform/time/iso-of.ts'
import type { MembershipApp } from '../app.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { hasOpenDispute, readPurchaseBlock } from '../checkout/purchase-block.server.ts'
import { readAccessStatus } from '../access/read-access-status.server.ts'
import { sentenceOf } from '../access/access-status.ts'
import { isLive } from '../stripe/stripe-state.ts'
import type { MembershipForMember, PaymentForMember } from './membership-schema.ts'
import { dayInWords } from '../plans/format-day.ts'

const maxPayments = 60

/** The caller's own membership. */
export async function readMembership(
  app: Pick<MembershipApp, 'db' | 'clock' | 'config'>,
  viewer: Viewer,
): Promise<MembershipForMember> {
  const { id: userId, isVipDisabled: isDisabled } = requireMember(viewer)
  const accessStatus = await readAccessStatus(app, { userId, isDisabled })
  const customer = await app.db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const subscriptions = await app.db
    .selectFrom('subscriptions')
    .select('status')
    .where('user_id', '=', userId)
    .execute()
  const { timeZone } = app.config
  const endsAt = accessStatus.endsAt === null ? null : isoOf(accessStatus.endsAt)
  return {
    isVip: accessStatus.isVip,
    reason: accessStatus.reason,
    sentence: sentenceOf(accessStatus, (instant) => dayInWords(instant, timeZone)),
    planType: accessStatus.planType,
    endsAt,
    renewsAt: accessStatus.plan?.does === 'renew' ? isoOf(accessStatus.plan.endsAt) : null,
    // A checkout that was only opened has made the customer already: there is nothing in the portal yet.
    canManage: customer?.stripe_customer_id != null && (subscriptions.length > 0 || accessStatus.isVip),
    hasLiveSubscription: subscriptions.some(isLive),
    pastDueUntil: accessStatus.plan?.does === 'wait_for_card' ? isoOf(accessStatus.plan.endsAt) : null,
    bans: {
      vipDisabled: isDisabled,
      purchasesBlocked:
        (await readPurchaseBlock(app.db, userId)) !== undefined || (await hasOpenDispute(app.db, userId)),
    },
    payments: await readPayments(app, userId),
  }
}

/** The latest first; what is only a draft is nobody's business yet. */
async function readPayments({ db }: Pick<MembershipApp, 'db'>, userId: string): Promise<PaymentForMember[]> {
  const rows = await db
    .selectFrom('payments')
    .select(['number', 'plan_type', 'amount_cents', 'refunded_cents', 'currency', 'status', 'invoiced_at', 'paid_at'])
    .where('user_id', '=', userId)
    .orderBy('invoiced_at', 'desc')
    .limit(maxPayments)
    .execute()
  return rows.flatMap(({ status, ...row }) =>
    status === 'draft'
      ? []
      : [
          {
            number: row.number,
            planType: row.plan_type,
            amountCents: row.amount_cents,
            refundedCents: row.refunded_cents,
            currency: row.currency,
            status,
            invoicedAt: row.invoiced_at.toISOString(),
            paidAt: row.paid_at?.toISOString() ?? null,
          },
        ],
  )
}
