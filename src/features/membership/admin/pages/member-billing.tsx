import { useRef } from 'react'
import { WorkPage, WorkWaiting } from '../../../../ui/work-page.tsx'
import { Link } from 'react-router'
import { Icon } from '../../../../ui/icon.tsx'
import { guardedMeta, type TitledPage, usePageTitle } from '../../../../browser/page-title.ts'
import { BillingLead, BillingMember } from '../parts/billing-member.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { UserText } from '../../../office/parts/user-text.tsx'
import { memberBillingPath } from '../parts/billing-paths.ts'
import { BillingRefused } from '../parts/billing-refused.tsx'
import { MemberBilling } from '../billing-schema.ts'
import type { Route } from './+types/member-billing.ts'
import '../parts/billing.css'

export const handle = { title: "A member's billing" } satisfies TitledPage

export const meta = guardedMeta

/** One member's billing for administrators. */
export default function MemberBillingRoute({ params: { id } }: Route.ComponentProps) {
  // Another member is another page: nothing of one is shown for the other.
  return <Loaded key={id} id={id} />
}

function Loaded({ id }: { id: string }) {
  const query = useAdminQuery(memberBillingPath(id), MemberBilling)
  const { data: billing, error, setData } = query
  usePageTitle(billing === undefined ? undefined : `${billing.member.name}: billing`)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <WorkPage
      title={billing === undefined ? "A member's billing" : <UserText>{billing.member.name}</UserText>}
      heading={heading}
      lead={billing === undefined ? 'Payments, access, and the comparison with Stripe.' : <BillingLead {...billing} />}
      actions={
        <Link className="button" to="/admin/billing">
          <Icon name="back" size={16} />
          Back to Billing
        </Link>
      }
    >
      {/* Always there, so that what takes the spinner's place is read out. */}
      <div aria-live="polite">
        {billing === undefined && error === undefined ? <WorkWaiting /> : null}
        {billing === undefined && error !== undefined ? (
          <BillingRefused title="This member's billing could not be loaded" query={query} />
        ) : null}
      </div>
      {billing === undefined ? null : (
        <BillingMember billing={billing} heading={heading} onMessage={(message) => setData(() => message)} />
      )}
    </WorkPage>
  )
}
