import { z } from 'zod'
import { defineEmail } from '../../../platform/email/email-kind.ts'

/** The email about an alarm, to each administrator. Accounts writes it, which knows how they are addressed. */
export const alarmMail = defineEmail(
  'office.alarm',
  { urgency: 'awaited', purpose: 'work' },
  z.object({
    userId: z.string(),
    headline: z.string(),
    sentence: z.string(),
    advice: z.string(),
    to: z.string().nullable(),
    times: z.int(),
    /** The time of the last email about it. */
    since: z.string().nullable(),
  }),
)
