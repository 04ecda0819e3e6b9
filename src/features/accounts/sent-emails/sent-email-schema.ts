import * as z from 'zod/mini'
import { TextOrNull } from '../../../platform/text-schema.ts'
import { Instant } from '../../../platform/time/instant-schema.ts'

/** Bounced and complained are reported by the mail provider, after the mail server had taken the email. */
export const emailFates = ['sent', 'file', 'refused', 'withheld', 'bounced', 'complained'] as const
export type EmailFateName = (typeof emailFates)[number]

/** Why an address gets no more emails of some kinds (docs/spec/email.md#stops). */
export const EmailStop = z.enum(['bounce', 'complaint'])
export type EmailStop = z.infer<typeof EmailStop>

/** An email that went out, or was to; nothing of its content. */
export const SentEmail = z.object({
  id: z.string(),
  /** 'Confirm address' */
  words: z.string(),
  /** Null where no account has it. */
  address: TextOrNull,
  memberId: TextOrNull,
  fate: z.enum(emailFates),
  /** The words of the mail server or of the receiving side. */
  answer: TextOrNull,
  at: Instant,
  stop: z.nullable(EmailStop),
})
export type SentEmail = z.infer<typeof SentEmail>

/** A part of the log of emails, the newest first (GET /api/sent-emails). */
export const SentEmails = z.object({ emails: z.array(SentEmail), next: TextOrNull })
export type SentEmails = z.infer<typeof SentEmails>

/** A member's emails of the last 30 days in the export of their data. */
export const SentEmailExport = z.object({ kind: z.string(), fate: z.enum(emailFates), at: Instant })
