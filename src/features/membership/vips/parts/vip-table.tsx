import { Button, ButtonLink, TextLink } from '../../../../ui/button.tsx'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { RowMenu } from '../../../../ui/row-menu.tsx'
import { notDefined, type VipUser } from '../vip-schema.ts'
import type { VipAction } from './vip-action-dialog.tsx'
import { hasEnded, vipStatusOf, vipTints } from './vip-status.ts'
import { UserText } from '../../../office/parts/user-text.tsx'

const labels = { disable: 'Disable VIP', month: 'Give 30 days', year: 'Give 1 year' } as const

export interface RequestedVipAction {
  action: VipAction
  user: VipUser
}

export function VipTable({
  label,
  users,
  dateHead,
  actionsOf,
  now,
  isBusy,
  onAsk,
}: {
  label: string
  users: readonly VipUser[]
  dateHead: string
  actionsOf: (user: VipUser) => readonly VipAction[]
  now: number
  isBusy: boolean
  onAsk: (asked: RequestedVipAction) => void
}) {
  return (
    <DataTable label={label} heads={['User', 'Status', dateHead, 'Actions']} isBusy={isBusy}>
      {users.map((user) => {
        const status = vipStatusOf(user, now)
        const [first, ...rest] = actionsOf(user)
        return (
          <tr key={user.id} className={vipTints[status]}>
            <td>
              <TextLink to={`/admin/people/${user.id}`}>
                <UserText>{user.name}</UserText>
              </TextLink>
              <UserText className="vip-email">{user.email}</UserText>
            </td>
            <td>{status}</td>
            <td>
              {user.vipExpirationDate === notDefined ? (
                notDefined
              ) : (
                <time dateTime={user.vipExpirationDate}>{dayInWords(user.vipExpirationDate)}</time>
              )}
            </td>
            <td>
              <span className="data-actions">
                {first === undefined ? (
                  <ButtonLink look="link" label="Billing" about={`: ${user.name}`} to={`/admin/billing/${user.id}`} />
                ) : (
                  <>
                    <Button
                      label={labels[first]}
                      about={`: ${user.name}`}
                      aria-haspopup="dialog"
                      onClick={() => onAsk({ action: first, user })}
                    />
                    <RowMenu
                      about={`: ${user.name}`}
                      items={[
                        ...rest.map((action) => ({ label: labels[action], onSelect: () => onAsk({ action, user }) })),
                        { label: 'Open billing', to: `/admin/billing/${user.id}` },
                      ]}
                    />
                  </>
                )}
              </span>
            </td>
          </tr>
        )
      })}
    </DataTable>
  )
}

/** The next step first. Only what is over can be renewed or disabled here; a disabled membership is only renewed. */
export function actionsOfVip(user: VipUser, now: number): readonly VipAction[] {
  if (!hasEnded(user.vipExpirationDate, now)) return []
  return user.vipDisabled ? ['month', 'year'] : ['month', 'year', 'disable']
}
