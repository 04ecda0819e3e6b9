import { DialogForm } from '../../accounts/parts/dialog-form.tsx'
import { networkRefusal, useSubmission } from '../../accounts/parts/use-submission.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import type { MemberBilling } from '../read-member-billing.server.ts'
import { askBilling } from './billing-question.ts'

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
  const submission = useSubmission({
    check: () => undefined,
    async send() {
      const outcome = await askBilling<MemberBilling>(`/api/billing/members/${member.id}/review`, { method: 'POST' })
      if ('refusal' in outcome) return { message: outcome.refusal.sentence }
      onReviewed(outcome.answer)
      return undefined
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
