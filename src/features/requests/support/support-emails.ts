import { z } from 'zod'
import { defineEmail } from '../../../platform/email/email-kind.ts'

const work = { urgency: 'usual', purpose: 'work' } as const

/** To the operator, about an inquiry. */
export const receivedEmail = defineEmail(
  'support.received',
  { ...work, title: 'Inquiry received' },
  z.object({ inquiryId: z.string() }),
)

/** To the operator, about many inquiries at once. */
export const manyReceivedEmail = defineEmail(
  'support.many-received',
  { ...work, title: 'Inquiries received' },
  z.object({ count: z.int(), inquiryIds: z.array(z.string()) }),
)

export const replyEmail = defineEmail(
  'support.reply',
  { title: 'Answer to an inquiry', urgency: 'usual', purpose: 'requested' },
  z.object({ replyId: z.string() }),
)
