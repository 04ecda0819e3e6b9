import type { ClockName, Ground, NoticeKind, Outcome } from './notice-kinds.ts'

/**
 * The acts on a notice about a child at risk that take two safety officers, if there are two
 * (docs/spec/notices.md#second-officer): a decision to keep, another kind, an address that is taken off.
 */
export const secondActs = ['keep', 'kind', 'address'] as const

/** The reasons for a decision that stays. */
interface Reasons {
  ground: Ground
  legalGround: string
  facts: string
  explanation: string
}

export type NoticeEventInput =
  /** `isWithheld`, here and below, where the bound applies: its entries stay as they are. */
  | { type: 'received'; kind: NoticeKind; missing: readonly string[]; isWithheld?: boolean }
  /** The sender has given more; something is still missing, or nothing was. */
  | { type: 'answered'; missing: readonly string[]; given?: readonly string[]; isWithheld?: boolean }
  /** The sender has given what was missing. */
  | { type: 'completed'; given?: readonly string[]; isWithheld?: boolean }
  | { type: 'asked'; missing: readonly string[]; message: string }
  | { type: 'reviewed' }
  /**
   * `missing` by what the law asks of the new kind. `with`: the id of the notice that it repeats, whose kind it takes; a duplicate
   * follows that one and has no other way to another kind.
   */
  | { type: 'reclassified'; kind: NoticeKind; missing: readonly string[]; with?: string; isWithheld?: boolean }
  | { type: 'entries-changed'; added?: string; removed?: string; isWithheld?: boolean }
  /** `of`: the id of the notice that it repeats. */
  | { type: 'marked-duplicate'; of: string }
  /** Another notice repeats it: `duplicate` is its id, `added` the ids of the addresses that it alone named; `hides` whether it hid them. */
  | { type: 'joined'; duplicate: string; added: readonly string[]; hides: boolean; isWithheld?: boolean }
  | { type: 'withdrawn' }
  | { type: 'decided'; decisionId: string; outcome: Outcome }
  /** A decision that replaces the one in force. */
  | { type: 'reversed'; decisionId: string; outcome: Outcome }
  | { type: 'appealed'; appealId: string }
  /** The decision that replaced the appealed one; null with reasons where that one stays. */
  | ({ type: 'appeal-answered'; appealId: string; decisionId: string | null; outcome: Outcome } & Partial<Reasons>)
  | { type: 'counter-received'; counterNoticeId: string }
  /**
   * It is forwarded to the sender of the notice. Its entries are given back by the time since `receivedAt`, an ISO instant, and since
   * this event (`restoreTimes`).
   */
  | { type: 'counter-accepted'; counterNoticeId: string; receivedAt: string }
  | { type: 'counter-refused'; counterNoticeId: string; reasons: string }
  /**
   * A court action was notified: no counter-notice restores these entries. `stops`: the other counter-notices that name
   * nothing else.
   */
  | { type: 'action-notified'; counterNoticeId: string; note: string; stops?: readonly string[] }
  /**
   * The entries of a counter-notice are given back, because no court action was notified. `outcome`: the new decision,
   * `keep` if nothing stays off. `overtakes`: the counter-notices without an entry left to give back.
   */
  | { type: 'restored'; counterNoticeId: string; decisionId: string; outcome: Outcome; overtakes: readonly string[] }
  /** The site has hidden these entries by a clock; without one, a person has hidden what was withheld. */
  | { type: 'hidden'; clock?: ClockName; items: readonly string[]; isWithheld?: boolean }
  /** A deadline has passed without its event. */
  | { type: 'overdue'; clock: ClockName; counterNoticeId?: string }
  /** One safety officer has done it, and another has to do the same. `of`: the other kind, or the address. */
  | ({ type: 'second-wanted'; act: (typeof secondActs)[number]; of?: string } & Partial<Reasons>)
  | { type: 'closed' }

export type NoticeEventType = NoticeEventInput['type']

type BoundedEvent = Extract<NoticeEventInput, { isWithheld?: boolean }>

const recorded = { touchesEntries: false, isBounded: false, raisesVersion: false } as const
const changing = { ...recorded, raisesVersion: true } as const
const holding = { ...changing, touchesEntries: true } as const
const bounded = { ...holding, isBounded: true } as const

/**
 * The traits of an event by its type. `touchesEntries`: it may change holds of the catalogue, whose lock is taken before that of a
 * notice. `isBounded`: the bound has a say. `raisesVersion`: without it, a decision that is being written stays sendable.
 */
export const noticeEventTypes = {
  received: bounded,
  answered: bounded,
  completed: bounded,
  asked: changing,
  reviewed: changing,
  reclassified: bounded,
  'entries-changed': bounded,
  'marked-duplicate': holding,
  joined: bounded,
  withdrawn: holding,
  decided: holding,
  reversed: holding,
  appealed: changing,
  'appeal-answered': holding,
  'counter-received': changing,
  'counter-accepted': changing,
  'counter-refused': changing,
  'action-notified': changing,
  restored: holding,
  hidden: { ...bounded, raisesVersion: false },
  overdue: recorded,
  'second-wanted': recorded,
  closed: changing,
} satisfies {
  [Type in NoticeEventType]: {
    touchesEntries: boolean
    isBounded: Type extends BoundedEvent['type'] ? true : false
    raisesVersion: boolean
  }
}

export function isBounded(event: NoticeEventInput): event is BoundedEvent {
  return noticeEventTypes[event.type].isBounded
}
