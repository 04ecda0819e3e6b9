import { request } from '../../../../browser/api-client.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { UserText } from '../../../office/parts/user-text.tsx'
import { MemberBilling } from '../billing-schema.ts'
import { memberBillingPath } from './billing-paths.ts'

/** Asks once more before a member who has lost a dispute may buy again. */
export function BillingReviewDialog({
  member,
  onReviewed,
  onClose,
}: {
  member: MemberBilling['member']
  onReviewed: (billing: MemberBilling) => void
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      title="Allow purchases again"
      label="Allow purchases"
      labelWhileSending="Allowing..."
      otherwise="An error occurred. Please try again."
      act={async () =>
        onReviewed(await request(`${memberBillingPath(member.id)}/review`, MemberBilling, { method: 'POST' }))
      }
      onClose={onClose}
    >
      <p className="billing-lead">
        A payment of <UserText>{member.name}</UserText> (<UserText>{member.email}</UserText>) was disputed, and the bank
        returned it. All lost disputes of this member now count as reviewed, and they can buy a plan again.
      </p>
    </ConfirmDialog>
  )
}
