import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { WorkPage, WorkWaiting } from '../../../../ui/work-page.tsx'
import { BillingDrift } from '../parts/billing-drift.tsx'
import { BillingMembers } from '../parts/billing-members.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { driftPath } from '../parts/billing-paths.ts'
import { BillingRefused } from '../parts/billing-refused.tsx'
import { DriftReport } from '../billing-schema.ts'
import '../parts/billing.css'

export const handle = { title: 'Billing' } satisfies TitledPage

export const meta = guardedMeta

/** Billing for administrators: members and why they are VIPs, and how equal our tables are to Stripe's. */
export default function BillingRoute() {
  const query = useAdminQuery(driftPath, DriftReport)
  const { data: report, error } = query
  return (
    <WorkPage title="Billing" lead="Members' payments, the reason for their access, and the comparison with Stripe.">
      <BillingMembers />
      {report !== undefined ? <BillingDrift report={report} query={query} /> : null}
      {report === undefined && error === undefined ? <WorkWaiting /> : null}
      {report === undefined && error !== undefined ? (
        <BillingRefused title="The comparison with Stripe could not be loaded" query={query} />
      ) : null}
    </WorkPage>
  )
}
