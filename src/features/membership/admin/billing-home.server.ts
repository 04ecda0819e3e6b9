import { sql } from 'kysely'
import { counted } from '../../../platform/counted.ts'
import type { FirstStep, Problem, Waiting } from '../../office/contributions.ts'
import type { MetricsPart } from '../../../platform/metrics/metric.ts'
import type { MembershipApp } from '../app.ts'
import { isUnhealed } from './read-drift-report.server.ts'

const dayMs = 86_400_000
const toBilling = '/admin/billing'

export function readPaymentsStep({ payments }: Pick<MembershipApp, 'payments'>): Promise<FirstStep> {
  const { isOff, isSandbox, isLive } = payments.config
  const help = isOff
    ? 'Payments are off: nothing is sold. Set STRIPE_SECRET_KEY and the prices, then restart the server.'
    : isSandbox
      ? 'The sandbox plays Stripe, and no money moves. Set STRIPE_SECRET_KEY and the prices, then restart the server.'
      : isLive
        ? 'Members pay by card at Stripe.'
        : 'Stripe is in test mode, and no money moves. Set a live key, then restart the server.'
  return Promise.resolve({ title: 'Take payments', isDone: isLive && !isOff && !isSandbox, help, to: toBilling })
}

/** How many differences to Stripe of the last week no run can mend by itself. */
async function countUnhealedDrift({ db, clock }: Pick<MembershipApp, 'db' | 'clock'>): Promise<number> {
  const { count } = await db
    .selectFrom('billing_changes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('is_drift', '=', true)
    .where('changed_at', '>', new Date(clock.now() - 7 * dayMs))
    .where(isUnhealed)
    .executeTakeFirstOrThrow()
  return count
}

/** The same as work that waits. */
export async function readUnhealedDrift(app: Pick<MembershipApp, 'db' | 'clock'>): Promise<Waiting | undefined> {
  const count = await countUnhealedDrift(app)
  if (count === 0) return undefined
  const sentence = `${counted(count, 'difference')} to Stripe to look at`
  return { group: 'other', sentence, count, verb: 'Compare', to: toBilling }
}

/** 'Stripe: in sync' */
export async function readStripeStanding(app: Pick<MembershipApp, 'db' | 'clock' | 'payments'>): Promise<string> {
  const { isOff, isSandbox } = app.payments.config
  if (isOff) return 'Payments: off'
  const name = isSandbox ? 'Stripe (sandbox)' : 'Stripe'
  const last = await app.db
    .selectFrom('billing_runs')
    .select('failure')
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return `${name}: not compared yet`
  if (last.failure !== null) return `${name}: last comparison failed`
  const differences = await countUnhealedDrift(app)
  return differences === 0 ? `${name}: in sync` : `${name}: ${counted(differences, 'difference')}`
}

/** Settings that Stripe refuses, and a comparison that came to no end. */
export async function readPaymentProblems({
  db,
  payments,
}: Pick<MembershipApp, 'db' | 'payments'>): Promise<Problem[]> {
  if (payments.config.isOff) return []
  const fault = payments.fault?.message
  const last = await db
    .selectFrom('billing_runs')
    .select(['failure', 'started_at'])
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return [
    ...(fault === undefined ? [] : [{ sentence: `Nothing is sold: ${fault}`, to: toBilling }]),
    ...(last === undefined || last.failure === null
      ? []
      : [
          {
            sentence: `The last comparison with Stripe came to no end: ${last.failure.replace(/\.?$/, '.')}`,
            since: last.started_at,
            to: toBilling,
          },
        ]),
  ]
}

export const billingMetrics: MetricsPart<Pick<MembershipApp, 'db' | 'clock'>> = {
  metrics: {
    daybook_billing_drift: { help: 'Differences to Stripe of a week that no run can mend by itself.', type: 'gauge' },
  },
  asksDatabase: true,
  read: async (app) => ({ daybook_billing_drift: await countUnhealedDrift(app) }),
}
