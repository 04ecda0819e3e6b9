import { Link } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'
import { pageMeta } from '../../../ui/page-meta.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { BillingMember } from '../parts/billing-member.tsx'
import { useBillingQuestion } from '../parts/billing-question.ts'
import { BillingRefused } from '../parts/billing-refused.tsx'
import type { MemberBilling } from '../read-member-billing.server.ts'
import type { Route } from './+types/member-billing.ts'
import '../parts/billing.css'

/** Its title tells nobody what is in there. */
export function meta({ matches: [root] }: Route.MetaArgs) {
  const brand = root.loaderData?.brandName ?? 'Members only'
  return pageMeta({ title: 'Members only', brand, indexed: false })
}

/** One member's billing for administrators. */
export default function MemberBillingRoute({ params: { id } }: Route.ComponentProps) {
  return (
    <div className="column billing">
      <p className="billing-back">
        <Link className="button button-quiet" to="/admin/billing">
          <Icon name="back" size={16} />
          Back to Billing
        </Link>
      </p>
      {/* Another member is another page: nothing of one is shown for the other. */}
      <Loaded key={id} id={id} />
    </div>
  )
}

function Loaded({ id }: { id: string }) {
  const question = useBillingQuestion<MemberBilling>(`/api/billing/members/${encodeURIComponent(id)}`)
  const { answer: billing, refusal, replace } = question
  return (
    <>
      {/* Always there, so that what takes the spinner's place is read out. */}
      <div aria-live="polite">
        {billing === undefined && refusal === undefined ? (
          <div className="billing-waiting">
            <Spinner />
          </div>
        ) : null}
        {billing === undefined && refusal !== undefined ? (
          <BillingRefused title="This member's billing could not be loaded" question={question} />
        ) : null}
      </div>
      {billing === undefined ? null : <BillingMember billing={billing} onTold={replace} />}
    </>
  )
}
