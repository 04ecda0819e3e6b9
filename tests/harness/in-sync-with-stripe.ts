import type { Stripe } from 'stripe'
import { expect } from 'vitest'
import type { MadeMember } from './members.ts'
import { customersOf } from './purchases.ts'
import type { SandboxServer } from './sandbox.ts'

const live: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])
const local: ReadonlySet<string> = new Set(['price_test_monthly', 'price_test_annual'])
const hourMs = 3_600_000
const graceMs = 7 * 24 * hourMs

/**
 * Fails unless our tables say of a member what the sandbox's objects say: every subscription with its status and its
 * dates, what each one gives and until when (docs/spec/billing.md#states), every invoice with what was paid and
 * given back, and never two that live.
 * @param reviewed subscriptions that were bought after a lost dispute had been reviewed
 */
export async function expectInSyncWithStripe(
  { app, sandbox }: Pick<SandboxServer, 'app' | 'sandbox'>,
  member: Pick<MadeMember, 'id'>,
  { reviewed = [] }: { reviewed?: string[] } = {},
): Promise<void> {
  const { control } = sandbox
  const customers = customersOf({ sandbox }, member)
  const subscriptions = customers.flatMap((customer) => control.subscriptionsOf(customer)).filter(isLocal)
  const invoices = customers.flatMap((customer) => control.invoicesOf(customer))
  const charges = customers.flatMap((customer) => control.chargesOf(customer))
  const disputes = await disputesOf(app, charges)

  const rows = await app.db.selectFrom('subscriptions').selectAll().where('user_id', '=', member.id).execute()
  const reported = rows.map(({ stripe_id, status, period_ends_at, cancels_at, ended_at }) => ({
    id: stripe_id,
    status: status as string,
    periodEndsAt: period_ends_at.getTime(),
    cancelsAt: cancels_at?.getTime() ?? null,
    endedAt: ended_at?.getTime() ?? null,
  }))
  const truth = subscriptions.map((subscription) => ({
    id: subscription.id,
    status: subscription.status,
    periodEndsAt: periodEndOf(subscription),
    cancelsAt: subscription.cancel_at === null ? null : subscription.cancel_at * 1_000,
    endedAt: subscription.ended_at === null ? null : subscription.ended_at * 1_000,
  }))
  expect(reported.toSorted(byId)).toEqual(truth.toSorted(byId))
  expect(rows.filter(({ status }) => live.has(status)).length, 'live subscriptions').toBeLessThanOrEqual(1)

  const payments = await app.db.selectFrom('payments').selectAll().where('user_id', '=', member.id).execute()
  const localInvoices = invoices.filter(({ parent }) =>
    subscriptions.some(({ id }) => id === parent?.subscription_details?.subscription),
  )
  const chargesOfInvoice = (invoice: Stripe.Invoice): Stripe.Charge[] => {
    const intents = new Set((invoice.payments?.data ?? []).map(({ payment }) => payment.payment_intent))
    return charges.filter(({ payment_intent }) => intents.has(payment_intent ?? ''))
  }
  const disputeOf = (invoice: Stripe.Invoice): string | null => {
    const own = new Set(chargesOfInvoice(invoice).map(({ id }) => id))
    const found = disputes.find(({ charge }) => own.has(charge as string))
    return found === undefined ? null : found.status === 'won' || found.status === 'lost' ? found.status : 'open'
  }
  expect(
    payments
      .map((row) => ({
        id: row.invoice_id,
        status: row.status as string,
        cents: row.amount_cents,
        refunded: row.refunded_cents,
        dispute: row.dispute as string | null,
      }))
      .toSorted(byId),
  ).toEqual(
    localInvoices
      .map((invoice) => ({
        id: invoice.id,
        status: invoice.status as string,
        cents: invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_due,
        refunded: chargesOfInvoice(invoice).reduce((sum, { amount_refunded }) => sum + amount_refunded, 0),
        dispute: disputeOf(invoice),
      }))
      .toSorted(byId),
  )

  const grants = await app.db
    .selectFrom('access_grants')
    .selectAll()
    .where('user_id', '=', member.id)
    .where('source', '=', 'stripe')
    .execute()
  const isDisputed = localInvoices.some((invoice) => disputeOf(invoice) === 'open')
  const isLost = localInvoices.some((invoice) => disputeOf(invoice) === 'lost')
  for (const subscription of subscriptions) {
    const grant = grants.find(({ subscription_id }) => subscription_id === subscription.id)
    const own = localInvoices.filter(({ parent }) => parent?.subscription_details?.subscription === subscription.id)
    const isRefunded = own.some((invoice) => {
      const refunded = chargesOfInvoice(invoice).reduce((sum, { amount_refunded }) => sum + amount_refunded, 0)
      const isCurrent = invoice.lines.data.some(({ period }) => period.end * 1_000 === periodEndOf(subscription))
      return isCurrent && invoice.amount_paid > 0 && refunded === invoice.amount_paid
    })
    const firstRefusal = own
      .filter(({ status }) => status === 'open')
      .flatMap(chargesOfInvoice)
      .filter(({ status }) => status === 'failed')
      .map(({ created }) => created * 1_000)
    const expected = truthOf(subscription, Math.min(...firstRefusal))
    const name = `${subscription.status} ${subscription.id}`
    if (expected === undefined) {
      // It may have given something before; then that is over.
      expect(grant === undefined || grant.effective_until.getTime() <= app.clock.now(), `${name} gives nothing`).toBe(
        true,
      )
      continue
    }
    const revokedReason =
      isLost && !reviewed.includes(subscription.id)
        ? 'dispute_lost'
        : isDisputed
          ? 'dispute'
          : isRefunded
            ? 'refund'
            : ['unpaid', 'paused'].includes(subscription.status)
              ? subscription.status
              : null
    expect(
      {
        endsAt: grant?.ends_at.getTime(),
        effectiveUntil: grant?.effective_until.getTime(),
        revokedReason: grant?.revoked_reason,
        isRevoked: grant !== undefined && grant.revoked_at !== null,
      },
      name,
    ).toEqual({ ...expected, revokedReason, isRevoked: revokedReason !== null })
  }
  const known = new Set(subscriptions.map(({ id }) => id))
  expect(grants.map(({ subscription_id }) => subscription_id).filter((id) => id === null || !known.has(id))).toEqual([])
}

/** When access ends, told and held, by docs/spec/billing.md#states; nothing for what gives nothing. */
function truthOf(
  subscription: Stripe.Subscription,
  firstRefusalAt: number,
): { endsAt: number; effectiveUntil: number } | undefined {
  const periodEnd = periodEndOf(subscription)
  const until = (endsAt: number, slackMs = 0) => ({ endsAt, effectiveUntil: endsAt + slackMs })
  switch (subscription.status) {
    case 'active':
    case 'trialing':
      return subscription.cancel_at === null ? until(periodEnd, 6 * hourMs) : until(subscription.cancel_at * 1_000)
    case 'past_due':
      return until(firstRefusalAt + graceMs)
    case 'canceled':
      // Stripe may give up later than the days of grace are over.
      return until(Math.min((subscription.ended_at ?? 0) * 1_000, firstRefusalAt + graceMs))
    case 'unpaid':
    case 'paused':
      return until(periodEnd)
    case 'incomplete':
    case 'incomplete_expired':
      return undefined
  }
}

function isLocal(subscription: Stripe.Subscription): boolean {
  return subscription.items.data.some(({ price }) => local.has(price.id))
}

function periodEndOf(subscription: Stripe.Subscription): number {
  return (subscription.items.data[0]?.current_period_end ?? 0) * 1_000
}

async function disputesOf(app: SandboxServer['app'], charges: readonly Stripe.Charge[]): Promise<Stripe.Dispute[]> {
  const stripe = await app.payments.stripe()
  const lists = await Promise.all(
    charges.filter(({ disputed }) => disputed).map(({ id }) => stripe.disputes.list({ charge: id })),
  )
  return lists.flatMap(({ data }) => data)
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}
