import { memberOf, type Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import type { PlanType } from './plans.ts'
import { readStanding } from './read-standing.server.ts'
import { sentenceOf, type StandingReason } from './standing.ts'
import { dayInWords } from './day-in-words.ts'

/** One invoice, as its payer sees it. Instants are ISO texts, money is cents of the currency. */
export interface PaymentForMember {
  number: string | null
  planType: PlanType
  amountCents: number
  refundedCents: number
  currency: string
  status: 'open' | 'paid' | 'uncollectible' | 'void'
  invoicedAt: string
  paidAt: string | null
}

/** What the caller has, why, and until when. */
export interface MembershipForMember {
  isVip: boolean
  reason: StandingReason
  /** Why access is given or refused. */
  sentence: string
  planType: PlanType | null
  endsAt: string | null
  /** Whether it goes on by itself at that end. */
  renews: boolean
  /** Whether there is anything in the billing portal. */
  canManage: boolean
  /** The last payment failed: until then the card can be updated without a break. */
  pastDueUntil: string | null
  payments: PaymentForMember[]
}

const mostPayments = 60

/** The caller's own membership. */
export async function readMembership(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  viewer: Viewer,
): Promise<MembershipForMember> {
  const { id: userId, isVipDisabled: isDisabled } = memberOf(viewer)
  const standing = await readStanding(app, { userId, isDisabled })
  const customer = await app.db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const { timeZone } = app.config
  const endsAt = standing.endsAt === null ? null : new Date(standing.endsAt).toISOString()
  return {
    isVip: standing.isVip,
    reason: standing.reason,
    sentence: sentenceOf(standing, (instant) => dayInWords(instant, timeZone)),
    planType: standing.planType,
    endsAt,
    renews: standing.reason === 'plan',
    canManage: customer?.stripe_customer_id != null,
    pastDueUntil: standing.reason === 'grace' ? endsAt : null,
    payments: await readPayments(app, userId),
  }
}

/** The latest first; what is only a draft is nobody's business yet. */
async function readPayments({ db }: Pick<App, 'db'>, userId: string): Promise<PaymentForMember[]> {
  const rows = await db
    .selectFrom('payments')
    .select(['number', 'plan_type', 'amount_cents', 'refunded_cents', 'currency', 'status', 'invoiced_at', 'paid_at'])
    .where('user_id', '=', userId)
    .orderBy('invoiced_at', 'desc')
    .limit(mostPayments)
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
