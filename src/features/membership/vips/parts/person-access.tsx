import { useState } from 'react'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { WorkAwaited } from '../../../../ui/work-awaited.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { type PersonPageProps, personPath } from '../../../accounts/people/person-page.ts'
import { AccessOfMember } from '../vip-schema.ts'
import { type VipAction, VipActionDialog } from './vip-action-dialog.tsx'

export function PersonAccess({ person }: PersonPageProps) {
  const query = useAdminQuery(`${personPath(person.id)}/access`, AccessOfMember)
  const { data, error } = query
  const [asked, setAsked] = useState<VipAction>()
  const opener = (action: VipAction, label: string) => (
    <Button label={label} aria-haspopup="dialog" onClick={() => setAsked(action)} />
  )
  return (
    <WorkSection title="VIP access">
      {data === undefined || error !== undefined ? <WorkAwaited query={query} /> : null}
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
          <div className="button-row">
            <ButtonLink label="Billing" to={`/admin/billing/${person.id}`} />
            {opener('month', 'Give 30 days')}
            {opener('year', 'Give 1 year')}
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
