import { pageMeta } from '../../../ui/page-meta.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { BillingDrift } from '../parts/billing-drift.tsx'
import { BillingMembers } from '../parts/billing-members.tsx'
import { BillingMode } from '../parts/billing-mode.tsx'
import { useBillingQuestion } from '../parts/billing-question.ts'
import { BillingRefused } from '../parts/billing-refused.tsx'
import type { DriftReport } from '../read-drift-report.server.ts'
import type { Route } from './+types/billing.ts'
import '../parts/billing.css'

/** Its title tells nobody what is in there. */
export function meta({ matches: [root] }: Route.MetaArgs) {
  const brand = root.loaderData?.brandName ?? 'Members only'
  return pageMeta({ title: 'Members only', brand, indexed: false })
}

/** Billing for administrators: members and why they are VIPs, and how equal our tables are to Stripe's. */
export default function BillingRoute() {
  const question = useBillingQuestion<DriftReport>('/api/billing/drift')
  const { answer: report, refusal } = question
  return (
    <div className="column billing">
      <header className="billing-head">
        <h1>Billing</h1>
        {report === undefined ? null : <BillingMode {...report.payments} />}
      </header>
      <BillingMembers />
      {report !== undefined ? <BillingDrift report={report} question={question} /> : null}
      {report === undefined && refusal === undefined ? (
        <div className="billing-waiting">
          <Spinner />
        </div>
      ) : null}
      {report === undefined && refusal !== undefined ? (
        <BillingRefused title="The drift report could not be loaded" level={2} question={question} />
      ) : null}
    </div>
  )
}
