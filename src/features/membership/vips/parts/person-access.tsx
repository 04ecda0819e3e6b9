import { useState } from 'react'
import { Link } from 'react-router'
import { Badge } from '../../../../ui/badge.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { WorkSection, WorkWaiting } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { RetryButton } from '../../../../ui/retry-button.tsx'
import { type PersonPageProps, personPath } from '../../../accounts/people/person-page.ts'
import { AccessOfMember } from '../vip-schema.ts'
import { type VipAction, VipActionDialog } from './vip-action-dialog.tsx'

/** Whether a member is VIP and why, and what can be done about it. */
export function PersonAccess({ person }: PersonPageProps) {
  const { data, error, isFetching, refetch } = useAdminQuery(`${personPath(person.id)}/access`, AccessOfMember)
  const [asked, setAsked] = useState<VipAction>()
  const opener = (action: VipAction, label: string) => (
    <button type="button" className="button" aria-haspopup="dialog" onClick={() => setAsked(action)}>
      {label}
    </button>
  )
  return (
    <WorkSection title="VIP access">
      {data === undefined && error === undefined ? <WorkWaiting /> : null}
      {error === undefined ? null : (
        <>
          <Notice tone="failed">{error.message}</Notice>
          <div>
            <RetryButton isFetching={isFetching} onRetry={refetch} />
          </div>
        </>
      )}
      {data === undefined ? null : (
        <>
          <p>
            {data.isVip ? (
              <span className="accent-vip">
                <Badge icon="crown">VIP</Badge>{' '}
              </span>
            ) : null}
            {data.sentence}
          </p>
          <div className="person-actions">
            <Link className="button" to={`/admin/billing/${person.id}`}>
              Billing
            </Link>
            {opener('month', '30 Days')}
            {opener('year', '1 Year')}
            {data.isDisabled ? null : opener('disable', 'Disable VIP')}
          </div>
        </>
      )}
      {asked === undefined || data === undefined ? null : (
        <VipActionDialog
          action={asked}
          user={{ ...person, vipDisabled: data.isDisabled }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </WorkSection>
  )
}
