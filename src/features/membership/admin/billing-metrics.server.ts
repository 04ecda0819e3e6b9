import type { MetricsPart } from '../../../platform/metrics/metric.ts'
import type { MembershipApp } from '../app.ts'
import { countUnhealedDrift } from './billing-home.server.ts'

export const billingMetrics: MetricsPart<Pick<MembershipApp, 'db' | 'clock'>> = {
  metrics: {
    daybook_billing_drift: { help: 'Differences to Stripe of a week that no run can mend by itself.', type: 'gauge' },
  },
  asksDatabase: true,
  read: async (app) => ({ daybook_billing_drift: await countUnhealedDrift(app) }),
}
