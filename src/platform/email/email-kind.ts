import type { z } from 'zod'

/**
 * Which emails go first. `needed`: somebody can do nothing without it (a reset link). `awaited`: somebody waits for it, or must
 * know at once. `usual`: the next minutes will do. `bulk`: one of many alike.
 */
export type EmailUrgency = 'needed' | 'awaited' | 'usual' | 'bulk'

/**
 * Why an email is sent (docs/spec/email.md#purposes). `security`: how somebody gets into their account, and who else did.
 * `receipt`: about the reader's own payments. `requested`: what the reader has asked for themselves. `work`: to those who
 * run the site. `news`: everything else, which goes to confirmed addresses alone.
 */
export type EmailPurpose = 'security' | 'receipt' | 'requested' | 'work' | 'news'

/** A kind of email, defined once: by it an email is queued, and written when it is sent. */
export interface EmailKind<Data extends z.ZodType = z.ZodType> {
  name: string
  /** How administrators read of it, where the name says too little: two features may each have an email `received`. */
  title?: string
  urgency: EmailUrgency
  purpose: EmailPurpose
  /** The log of emails has nothing of it; the list of jobs, and the line about one that is refused, do not tell it from others. */
  isDiscreet?: boolean
  /** It is in the database until the email is sent, so it holds no secret. */
  data: Data
}

export function defineEmail<Data extends z.ZodType>(
  name: string,
  traits: Pick<EmailKind, 'title' | 'urgency' | 'purpose' | 'isDiscreet'>,
  data: Data,
): EmailKind<Data> {
  return { name, ...traits, data }
}
