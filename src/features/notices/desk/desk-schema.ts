import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { itemStatuses } from '../../catalogue/editing/content-sections.ts'
import { appealStates, counterNoticeStates } from '../notice/transition.ts'
import { clockNames, grounds, noticeKinds, noticeStatuses, outcomes } from '../notice/notice-kinds.ts'
import { secondActs } from '../notice/notice-event.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/** The answers of the desk (docs/spec/notices.md#desk). Browser-safe. */

export const NoticeKind = z.enum(noticeKinds)
export const NoticeOutcome = z.enum(outcomes)

/** A clock that runs, the next one to end first. */
export const Clock = z.object({
  name: z.enum(clockNames),
  dueAt: Instant,
  /** It has ended, and the event that it waited for has not happened. */
  isOverdue: z.boolean(),
})
export type Clock = z.infer<typeof Clock>

/** An administrator who works on a notice. */
export const Assignee = z.object({ id: z.string(), name: z.string(), isSelf: z.boolean() })
export type Assignee = z.infer<typeof Assignee>

export const assignedFilters = ['all', 'mine', 'nobody'] as const

export const NoticeInQueue = z.object({
  reference: z.string(),
  kind: NoticeKind,
  status: z.enum(noticeStatuses),
  version: z.int(),
  /** The sender's name, else organization, email address or telephone number; null without any of them. */
  sender: TextOrNull,
  receivedAt: Instant,
  /** The next clock to end; null while none runs. */
  clock: z.nullable(Clock),
  /** A deadline has passed without the event that it waited for. */
  isOverdue: z.boolean(),
  /** How many addresses it names, and the first entry among them. */
  addresses: z.int(),
  item: z.nullable(z.object({ name: z.string(), path: z.string() })),
  /** It is open, of the two gravest kinds, and no entry was found at what it names: nothing is hidden. */
  isNothingFound: z.boolean(),
  missing: z.array(z.string()),
  /** Its sender was asked for something and has not answered since. */
  isAsked: z.boolean(),
  /** Some of its entries are on the site until a person hides them: too many came at once. */
  isWithheld: z.boolean(),
  /** Its sender has added addresses since an administrator last acted on it. */
  /** It is about a child at risk, and one safety officer waits for a second. */
  waitsForSecond: z.boolean(),
  hasAppeal: z.boolean(),
  counterNotices: z.int(),
  assignee: z.nullable(Assignee),
})
export type NoticeInQueue = z.infer<typeof NoticeInQueue>

/** GET /api/notices */
export const NoticesForDesk = z.object({
  notices: z.array(NoticeInQueue),
  /** The parameter `after` of the next part; null at the end. */
  next: TextOrNull,
  counts: z.object({
    open: z.int(),
    /** Never complete, in a list of their own. */
    incomplete: z.int(),
    /** In both lists. */
    overdue: z.int(),
    appeals: z.int(),
    counterNotices: z.int(),
    /** Counter-notices that wait without a notice. */
  }),
})
export type NoticesForDesk = z.infer<typeof NoticesForDesk>

/**
 * The list shows notices that wait (also for an appeal or a counter-notice), incomplete ones that are not urgent,
 * decided ones, or all others.
 */
export const queueStates = ['open', 'incomplete', 'decided', 'closed'] as const
export type QueueState = (typeof queueStates)[number]

export const ReportedEntry = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  path: z.string(),
  category: z.string(),
  contentType: z.string(),
  status: z.enum(itemStatuses),
  version: z.int(),
  postDate: Instant,
  /** Each with the field that it stands in. */
  links: z.array(z.object({ slot: z.string(), address: z.string() })),
  rights: z.object({
    basis: TextOrNull,
    holder: TextOrNull,
    licence: TextOrNull,
    evidence: TextOrNull,
    attestedBy: TextOrNull,
  }),
  people: TextOrNull,
})
export type ReportedEntry = z.infer<typeof ReportedEntry>

export const ReportedAddress = z.object({
  id: z.string(),
  /** As it was typed. */
  url: z.string(),
  /** Null where the address led to no entry. */
  asReported: z.nullable(ReportedEntry),
  /** Null where there is none, or none any more. */
  asItIs: z.nullable(ReportedEntry),
})
export type ReportedAddress = z.infer<typeof ReportedAddress>

export const GateReason = z.object({ code: z.string(), message: z.string(), remedy: z.string() })

export const Decision = z.object({
  id: z.string(),
  outcome: NoticeOutcome,
  ground: z.enum(grounds),
  legalGround: z.string(),
  facts: z.string(),
  explanation: z.string(),
  /** The name of the administrator; null for the site itself. */
  decidedBy: TextOrNull,
  decidedAt: Instant,
  /** The id of the decision that it took the place of. */
  reverses: TextOrNull,
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      path: z.string(),
      wasReported: z.boolean(),
      effect: z.enum(['removed', 'restricted', 'published', 'draft', 'unchanged']),
      reasons: z.array(GateReason),
    }),
  ),
})
export type Decision = z.infer<typeof Decision>

export const NoticeEvent = z.object({
  at: Instant,
  type: z.string(),
  /** In plain words, such as 'Ada Admin began the review.' */
  sentence: z.string(),
})
export type NoticeEvent = z.infer<typeof NoticeEvent>

/** GET /api/notices/{reference}, and the answer of everything that changes one. */
export const NoticeForDesk = z.object({
  reference: z.string(),
  kind: NoticeKind,
  status: z.enum(noticeStatuses),
  version: z.int(),
  receivedAt: Instant,
  completedAt: InstantOrNull,
  decidedAt: InstantOrNull,
  /** When postal address, telephone and signature of the sender were forgotten. */
  forgottenAt: InstantOrNull,
  sender: z.object({
    name: TextOrNull,
    organization: TextOrNull,
    address: TextOrNull,
    phone: TextOrNull,
    email: TextOrNull,
  }),
  workDescription: TextOrNull,
  explanation: TextOrNull,
  lawCited: TextOrNull,
  signature: TextOrNull,
  /** The elements that the law asks of this kind, each with whether it is there. */
  elements: z.array(z.object({ name: z.string(), label: z.string(), isGiven: z.boolean() })),
  addresses: z.array(ReportedAddress),
  isNothingFound: z.boolean(),
  isOverdue: z.boolean(),
  clocks: z.array(Clock),
  events: z.array(NoticeEvent),
  /** The oldest first; the last one is in force. */
  decisions: z.array(Decision),
  duplicateOf: TextOrNull,
  isWithheld: z.boolean(),
  assignee: z.nullable(Assignee),
  /** Those who can work on it, by name. */
  assignable: z.array(Assignee),
  /** How many others that wait came from the network of its sender, as far as this administrator may know of them. */
  sameNetwork: z.int(),
  /** As in the queue. The call of the first of two answers 202. */
  waitsForSecond: z.boolean(),
  /** The act of the first safety officer, the latest if several wait. */
  firstAct: z.nullable(
    z.object({
      act: z.enum(secondActs),
      /** The other kind, or the address that is taken off. */
      of: TextOrNull,
      by: z.string(),
      /** It is this administrator's: another one has to do the same. */
      isOwn: z.boolean(),
      at: Instant,
      legalGround: TextOrNull,
      facts: TextOrNull,
      explanation: TextOrNull,
    }),
  ),
  appeal: z.nullable(
    z.object({
      /** How it stands with an appeal against the decision in force: `none` where this one was against another decision. */
      state: z.enum(appealStates),
      statement: z.string(),
      filedAt: Instant,
      answeredAt: InstantOrNull,
      isUpheld: z.nullable(z.boolean()),
      answer: TextOrNull,
      /** Whether this administrator may answer it: they made the decision, and there is somebody else. */
      mayAnswer: z.boolean(),
    }),
  ),
  /** The oldest first. */
  counterNotices: z.array(
    z.object({
      id: z.string(),
      state: z.enum(counterNoticeStates),
      /** Its entries that were off the site when it came. */
      entries: z.array(z.object({ id: z.string(), name: z.string(), path: z.string() })),
      name: z.string(),
      address: z.string(),
      phone: z.string(),
      email: z.string(),
      explanation: z.string(),
      signature: z.string(),
      receivedAt: Instant,
      /** When it was accepted, and so forwarded to the sender. */
      acceptedAt: InstantOrNull,
      refusedAt: InstantOrNull,
      refusal: TextOrNull,
      actionNotifiedAt: InstantOrNull,
      actionNote: TextOrNull,
      restoredAt: InstantOrNull,
      overtakenAt: InstantOrNull,
      /**
       * When its entries are restored, if it is accepted now where it is not yet, and the end of the law's fourteen
       * business days, which may come earlier; null where nothing is restored.
       */
      restoreFrom: InstantOrNull,
      restoreUntil: InstantOrNull,
    }),
  ),
})
export type NoticeForDesk = z.infer<typeof NoticeForDesk>

/** The email that a decision would send (POST /api/notices/{reference}/decision/preview). */
export const DecisionPreview = z.object({
  emails: z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() })),
  items: z.array(z.object({ id: z.string(), name: z.string(), path: z.string(), becomes: z.string() })),
})
export type DecisionPreview = z.infer<typeof DecisionPreview>

export const maxDecidedAtOnce = 200

/** The results of one decision about several notices, in the order of the call (POST /api/notices/decisions). */
export const DecidedNotices = z.object({
  results: z.array(
    z.object({
      reference: z.string(),
      /** `overtaken`: somebody has changed it since it was read. `gone`: it is not there for this administrator. */
      result: z.enum(['decided', 'overtaken', 'refused', 'gone']),
      /** Why nothing was decided about it; null where it was. */
      reason: TextOrNull,
      notice: z.nullable(NoticeInQueue),
    }),
  ),
})
export type DecidedNotices = z.infer<typeof DecidedNotices>

export const maxDecisionText = 5_000
