import { z } from 'zod'
import { defineEmail } from '../../../platform/email/email-kind.ts'
import { noticeKinds } from './notice-kinds.ts'

/** The reader of an email about a notice. They are looked up when it is written: the queue holds no address. */
export const EmailReader = z.discriminatedUnion('who', [
  z.object({ who: z.literal('sender') }),
  // The sender of a notice that repeats the one of the email.
  z.object({ who: z.literal('duplicate'), noticeId: z.string() }),
  z.object({ who: z.literal('administrator'), userId: z.string() }),
  z.object({ who: z.literal('contact') }),
])
export type EmailReader = z.infer<typeof EmailReader>

/** The named ones, and the number of all. */
const Waiting = z.object({ ids: z.array(z.string()), count: z.int() })

/** The desk alone knows of notices and of their senders. */
const requested = { urgency: 'usual', purpose: 'requested', isDiscreet: true } as const
const work = { urgency: 'awaited', purpose: 'work', isDiscreet: true } as const

export const noticeMails = {
  /** To the sender, with the reference and the private page. */
  received: defineEmail('notices.received', { ...requested, urgency: 'awaited' }, z.object({ noticeId: z.string() })),
  statement: defineEmail('notices.statement', requested, z.object({ decisionId: z.string(), to: EmailReader })),
  appealAnswered: defineEmail(
    'notices.appeal-answered',
    requested,
    z.object({ appealId: z.string(), to: EmailReader }),
  ),
  /** To the sender. */
  kindChanged: defineEmail(
    'notices.kind-changed',
    requested,
    z.object({ noticeId: z.string(), kind: z.enum(noticeKinds) }),
  ),
  asked: defineEmail(
    'notices.asked',
    requested,
    z.object({ noticeId: z.string(), eventNo: z.coerce.string<string>() }),
  ),
  /** To the sender of the notice. */
  counterForwarded: defineEmail('notices.counter-forwarded', requested, z.object({ counterNoticeId: z.string() })),
  /** To the sender of the counter-notice. */
  counterProgress: defineEmail(
    'notices.counter-progress',
    requested,
    z.object({
      counterNoticeId: z.string(),
      what: z.enum(['accepted', 'refused', 'action', 'restored', 'overtaken']),
    }),
  ),
  /** To the sender of the counter-notice. */
  counterReceipt: defineEmail(
    'notices.counter-receipt',
    requested,
    z.union([z.object({ counterNoticeId: z.string() }), z.object({ inquiryId: z.string() })]),
  ),
  /** To the other safety officers. */
  secondWanted: defineEmail('notices.second-wanted', work, z.object({ userId: z.string(), noticeId: z.string() })),
  /** To a desk, about everything that waits for it. */
  desk: defineEmail(
    'notices.desk',
    work,
    z.object({ userId: z.string(), notices: Waiting, clocks: Waiting, counterNotices: Waiting }),
  ),
  /** To the administrators, about the registration of the agent. */
  registrationEnds: defineEmail(
    'notices.registration-ending',
    { ...work, urgency: 'usual' },
    z.object({ userId: z.string(), endsOn: z.string() }),
  ),
}

export type NoticeMail<Kind extends keyof typeof noticeMails> = z.infer<(typeof noticeMails)[Kind]['data']>
