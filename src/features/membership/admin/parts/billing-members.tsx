import { Link, useLocation } from 'react-router'
import { ButtonLink } from '../../../../ui/button.tsx'
import { counted } from '../../../../platform/counted.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { WorkEmpty, WorkWaiting } from '../../../../ui/work-page.tsx'
import { BillingMembersForAdmin } from '../billing-schema.ts'
import { plans } from '../../plans/plans.ts'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { AddressSearch } from '../../../../ui/list-page/address-search.tsx'
import { BillingRefused } from './billing-refused.tsx'
import { BillingSection } from './billing-section.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'

/**
 * Members by name or address; without a search, those whose state changed last. The address of the page holds the
 * search.
 */
export function BillingMembers() {
  const requested = new URLSearchParams(useLocation().search).get('search') ?? ''
  const query = useAdminQuery(
    `/api/billing/members?${new URLSearchParams({ search: requested }).toString()}`,
    BillingMembersForAdmin,
    { keepsPrevious: true },
  )
  const { data: members, error, isFetching } = query
  return (
    <BillingSection title="Members">
      <search>
        <AddressSearch label="Search members by name or email" placeholder="Name or email" />
      </search>
      <p className="billing-aside" role="status">
        {members === undefined || isFetching || error !== undefined
          ? null
          : requested === ''
            ? members.length === 0
              ? null
              : 'The customers with the latest changes.'
            : `${counted(members.length, 'member')} found${members.length === 20 ? '; there may be more' : ''}.`}
      </p>
      {members === undefined && error === undefined ? <WorkWaiting /> : null}
      {error === undefined ? null : <BillingRefused title="The members could not be loaded" query={query} />}
      {members === undefined || error !== undefined ? null : members.length === 0 ? (
        <WorkEmpty
          step={
            requested === '' ? (
              <ButtonLink label="See the plans" to="/plans" />
            ) : (
              <ButtonLink label="Show the latest changes" to={{ search: '' }} />
            )
          }
        >
          {requested === '' ? 'Nobody has bought anything yet.' : 'Nobody has this in their name or email.'}
        </WorkEmpty>
      ) : (
        <ul className="billing-members" aria-busy={isFetching}>
          {members.map((member) => (
            <li key={member.id}>
              <Link to={`/admin/billing/${member.id}`}>
                <span className="billing-who">
                  <UserText className="billing-name">{member.name}</UserText>
                  <UserText className="billing-aside">{member.email}</UserText>
                </span>
                <span className="billing-has">
                  {member.isVip ? (
                    <span className="accent-vip">
                      <Badge icon="crown">VIP</Badge>
                    </span>
                  ) : null}
                  {member.planType === null ? null : (
                    <span className="billing-aside">{plans[member.planType].type}</span>
                  )}
                </span>
                <span className="soft-label">{member.sentence}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </BillingSection>
  )
}
