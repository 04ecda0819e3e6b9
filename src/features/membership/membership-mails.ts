import { z } from 'zod'
import { defineEmail } from '../../platform/email/email-kind.ts'

const receipt = { urgency: 'awaited', purpose: 'receipt', data: z.object({ invoiceId: z.string() }) } as const

/** The emails about memberships. */
export const membershipMails = {
  receipt: defineEmail('membership.receipt', receipt),
  paymentFailed: defineEmail('membership.payment-failed', receipt),
  endsSoon: defineEmail('membership.ends-soon', {
    urgency: 'bulk',
    purpose: 'news',
    data: z.object({ userId: z.string(), endsAt: z.iso.datetime() }),
  }),
  ended: defineEmail('membership.ended', { urgency: 'bulk', purpose: 'news', data: z.object({ userId: z.string() }) }),
}
