import { DialogForm } from '../../../accounts/settings/dialog-form.tsx'
import { networkRefusal, refusalIn, useSubmission } from '../../../accounts/parts/use-submission.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { request } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { MemberBilling } from '../billing-schema.ts'
import { recheckAccess } from '../../../accounts/browser/admin-query.ts'
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
  const review = useApiMutation({
    mutationFn: () => request(`${memberBillingPath(member.id)}/review`, MemberBilling, { method: 'POST' }),
    onError: recheckAccess,
  })
  const submission = useSubmission({
    check: () => undefined,
    async send() {
      try {
        onReviewed(await review.mutateAsync())
        return undefined
      } catch (error) {
        return { message: refusalIn(error, 'An error occurred. Please try again.').message }
      }
    },
    unreachable: networkRefusal,
  })
  return (
    <Dialog title="Allow purchases again" isBusy={submission.isSending} onClose={onClose}>
      <p className="billing-lead">
        A payment of <bdi>{member.name}</bdi> (<bdi>{member.email}</bdi>) was disputed and given back by the bank. Every
        lost dispute of this member counts as reviewed from now on, and the plans are open to them again.
      </p>
      <DialogForm
        submission={submission}
        label="Allow purchases"
        labelWhileSending="Allowing..."
        done={undefined}
        onCancel={onClose}
      >
        {null}
      </DialogForm>
    </Dialog>
  )
}
