import { counted } from '../../../../platform/counted.ts'
import type { MembershipTables as Billing } from '../../../../db/tables/membership.ts'
import type { BillingRunForAdmin, DriftReport } from '../billing-schema.ts'

/* The contents of the tables, in words. */

const kinds: Record<string, string> = {
  subscription: 'Subscription',
  access: 'Access',
  payment: 'Payment',
  customer: 'Customer',
  price: 'Price',
}

const facts: Record<string, string> = {
  plan_type: 'plan',
  status: 'state',
  started_at: 'began',
  period_starts_at: 'period begins',
  period_ends_at: 'period ends',
  cancels_at: 'cancels on',
  ended_at: 'ended',
  past_due_since: 'past due since',
  basis: 'basis',
  renews: 'renews by itself',
  starts_at: 'from',
  ends_at: 'until',
  effective_until: 'in effect until',
  revoked_reason: 'revoked because',
  number: 'number',
  amount_cents: 'amount, in cents',
  refunded_cents: 'refunded, in cents',
  currency: 'currency',
  invoiced_at: 'invoiced',
  paid_at: 'paid',
  failed_at: 'card refused',
  dispute: 'dispute',
  unknown_price: 'price that is not in the settings',
  unknown: 'not in the settings',
}

/** `subscription.period_ends_at` is 'Subscription: period ends'; an unknown name is shown as it is. */
export function whatInWords(what: string): string {
  const [kind = '', fact] = what.split('.', 2)
  const named = kinds[kind] ?? kind
  return fact === undefined ? named : `${named}: ${factInWords(fact)}`
}

/** `period_ends_at` is 'period ends'. */
export function factInWords(fact: string): string {
  return facts[fact] ?? fact.replaceAll('_', ' ')
}

export const causes: Record<string, string> = {
  event: 'an event',
  checkout: 'a checkout',
  success: 'the success page',
  administrator: 'an administrator',
  reconciliation: 'a reconciliation',
  deletion: 'the deletion of the account',
} satisfies Record<NonNullable<Billing['billing_changes']['cause']>, string>

/** Why an event was left alone. */
export const outcomes: Record<string, string> = {
  synced: 'synced',
  other_account: 'from another account',
  other_mode: 'from the other mode (live or test)',
  other_product: 'about another product',
  unknown_customer: 'about an unknown customer',
  other_type: 'of a type that is not used',
} satisfies Record<NonNullable<Billing['stripe_events']['outcome']>, string>

/** How equal we are to Stripe, in one sentence that is never better than what was seen. */
export function driftSentence({ runs, counts }: Pick<DriftReport, 'runs' | 'counts'>): string {
  const { last24h, unhealed } = counts
  if (last24h > 0) {
    return `${counted(last24h, 'difference')} ${last24h === 1 ? 'was' : 'were'} fixed in the last 24 hours`
  }
  if (unhealed > 0)
    return `${counted(unhealed, 'difference')} at Stripe ${unhealed === 1 ? 'needs' : 'need'} your attention`
  const last = runs.find(({ state }) => state !== 'under_way')
  if (last === undefined) return 'Not compared with Stripe yet'
  return isWhole(last) ? 'No differences' : 'The last comparison with Stripe was not completed'
}

export function isWhole({ state, failed, failure }: BillingRunForAdmin): boolean {
  return state === 'finished' && failed === 0 && failure === null
}

export function runInWords(run: BillingRunForAdmin): string {
  if (run.state === 'under_way') return 'under way'
  if (run.state === 'broken_off') return 'interrupted'
  const failed = run.failed === 0 ? '' : `${counted(run.failed, 'member')} could not be compared. `
  return `${failed}${run.failure ?? ''}`.trim() || 'done'
}
