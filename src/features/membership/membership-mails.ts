import { z } from 'zod'
import { defineEmail } from '../../platform/email/email-kind.ts'

const receipt = { urgency: 'awaited', purpose: 'receipt' } as const
const news = { urgency: 'bulk', purpose: 'news' } as const

const Invoice = z.object({ invoiceId: z.string() })
const Member = z.object({ userId: z.string() })

export const membershipMails = {
  receipt: defineEmail('membership.receipt', receipt, Invoice),
  paymentFailed: defineEmail('membership.payment-failed', receipt, Invoice),
  endsSoon: defineEmail(
    'membership.ends-soon',
    { ...news, title: 'Membership ends soon' },
    Member.extend({ endsAt: z.iso.datetime() }),
  ),
  ended: defineEmail('membership.ended', { ...news, title: 'Membership ended' }, Member),
}
