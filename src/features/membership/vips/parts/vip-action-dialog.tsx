import { useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { refetchAnswersUnder } from '../../../../browser/queries.ts'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { personPath } from '../../../accounts/people/person-page.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'
import { SuccessDialog } from '../../../accounts/parts/success-dialog.tsx'
import { AccessOfMember } from '../vip-schema.ts'
import { disablingEffects } from './vip-effects.ts'

export type VipAction = 'disable' | 'month' | 'year'

const actions = {
  disable: {
    path: '/auth/disable-user',
    title: 'Disable VIP',
    failure: 'Failed to disable VIP access. Please try again.',
    labelWhileSending: 'Disabling...',
  },
  month: {
    path: '/auth/renew-vip',
    title: 'Renew for 30 days',
    failure: 'Failed to renew VIP access. Please try again.',
    labelWhileSending: 'Renewing...',
  },
  year: {
    path: '/auth/renew-vip-year',
    title: 'Renew for 1 year',
    failure: 'Failed to renew VIP access. Please try again.',
    labelWhileSending: 'Renewing...',
  },
} as const

/**
 * Asks before an action on a member's VIP access, and says that it is done.
 * @param onDone called once it is done, while the last word still stands
 */
export function VipActionDialog({
  action,
  user,
  onDone,
  onClose,
}: {
  action: VipAction
  user: { id: string; name: string; email: string; vipDisabled: boolean }
  onDone?: () => void
  onClose: () => void
}) {
  const [message, setMessage] = useState<string>()
  const { path, title, failure, labelWhileSending } = actions[action]
  if (message !== undefined) return <SuccessDialog message={message} onClose={onClose} />
  return (
    <ConfirmDialog
      title={title}
      labelWhileSending={labelWhileSending}
      isGrave={action === 'disable'}
      otherwise={failure}
      saysBoth
      act={async () => {
        const answer = await request(`${path}/${encodeURIComponent(user.email)}`, MessageAnswer, { method: 'PUT' })
        setMessage(answer.message)
        // Both lists, and what stands on the page of the member.
        refetchAnswersUnder('/auth/vip-', '/api/people')
        onDone?.()
      }}
      onClose={onClose}
    >
      {action === 'disable' ? (
        <DisablingEffects user={user} />
      ) : (
        <p>
          <UserText>{user.name}</UserText> (<UserText>{user.email}</UserText>) gets{' '}
          {action === 'month' ? '30 days' : '1 year'} of VIP access, from today or from the end of what they have.
          {user.vipDisabled ? ' Their membership is enabled again.' : ''}
        </p>
      )}
    </ConfirmDialog>
  )
}

/** The effects of a disabling on this member; until they are loaded, those that hold for everybody. */
function DisablingEffects({ user }: { user: { id: string; name: string; email: string } }) {
  const { data } = useAdminQuery(`${personPath(user.id)}/access`, AccessOfMember)
  const [first, ...others] = disablingEffects(data)
  return (
    <>
      <p>
        <UserText>{user.name}</UserText> (<UserText>{user.email}</UserText>) {first}
      </p>
      {others.length === 0 ? null : <p>{others.join(' ')}</p>}
    </>
  )
}
