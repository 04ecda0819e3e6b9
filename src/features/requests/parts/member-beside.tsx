import { type RefObject, useEffect, useRef, useState } from 'react'
import { TextLink } from '../../../ui/button.tsx'
import { dayInWords } from '../../../browser/format-instant.ts'
import { Moment } from '../../../browser/moment.tsx'
import { personPath } from '../../accounts/people/person-page.ts'
import { AccessOfMember } from '../../membership/vips/vip-schema.ts'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import type { InquiryForAdmin } from '../support/inquiry-schema.ts'

/** The member who sent an inquiry: access, payments and when they were here, asked for once the inquiry is in sight. */
export function MemberBeside({ account, now }: { account: NonNullable<InquiryForAdmin['account']>; now: number }) {
  const { id, createdAt, lastSeenAt } = account
  const root = useRef<HTMLDivElement>(null)
  const isEnabled = useIsSeen(root)
  const { data, error } = useAdminQuery(`${personPath(id)}/access`, AccessOfMember, { isEnabled })
  return (
    <div ref={root} className="inquiry-member" role="group" aria-label={`About ${account.name}`}>
      <dl>
        <div>
          <dt>Access</dt>
          <dd>{data?.sentence ?? (error === undefined ? 'Loading…' : error.message)}</dd>
        </div>
        <div>
          <dt>Payments</dt>
          <dd>{data === undefined ? '—' : paymentsInWords(data)}</dd>
        </div>
        {lastSeenAt === null ? null : (
          <div>
            <dt>Last seen</dt>
            <dd>
              <Moment at={lastSeenAt} now={now} />
            </dd>
          </div>
        )}
        <div>
          <dt>Member since</dt>
          <dd>{dayInWords(createdAt)}</dd>
        </div>
      </dl>
      <p>
        <TextLink to={`/admin/billing/${id}`}>
          Billing<span className="sr-only">{` of ${account.name}`}</span>
        </TextLink>
      </p>
    </div>
  )
}

function paymentsInWords({ hasPaid, hasPayments, hasSubscription }: AccessOfMember): string {
  const paid = hasPaid ? 'Has paid' : hasPayments ? 'Refunded or failed' : 'None'
  return hasSubscription ? `${paid}, with a subscription` : paid
}

/** Whether an element was in sight: a list of fifty does not ask for all of its members at once. */
function useIsSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    if (isSeen || element.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element, isSeen])
  return isSeen
}
