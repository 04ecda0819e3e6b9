import { mayBeRequested } from './notice-elements.ts'
import { type NoticeKind, type NoticeStatus, openStatuses, type Outcome } from './notice-kinds.ts'
import { type NoticeEventInput, noticeEventTypes } from './notice-event.ts'

/**
 * The one function by which a notice changes (docs/spec/notices.md#states). It is pure: the ledger holds the events, and a notice
 * is what its events make of it, one after the other.
 */

/** How it stands with the appeal against the decision in force. */
export const appealStates = ['none', 'open', 'answered'] as const
export type AppealState = (typeof appealStates)[number]

/**
 * How it stands with a counter-notice. `accepted`: an administrator has forwarded it to the sender. `action`: a court action was notified. `overtaken`: another
 * decision has settled what it was about.
 */
export const counterNoticeStates = ['received', 'accepted', 'refused', 'action', 'restored', 'overtaken'] as const
export type CounterNoticeState = (typeof counterNoticeStates)[number]

/** The limit of open counter-notices at one notice: senders cannot fill the desk. */
export const maxOpenCounterNotices = 20

/** The effect of a notice on its entries. */
export const holdStates = ['none', 'holds', 'hides'] as const
export type HoldState = (typeof holdStates)[number]

export interface NoticeState {
  kind: NoticeKind
  status: NoticeStatus
  /** The elements of its form that are missing, by their form names. */
  missing: readonly string[]
  /**
   * Whether it has had every element that the law requires of its kind. A later request leaves it whole: the legal time
   * runs on.
   */
  isWhole: boolean
  /** The outcome of the decision in force; null before the first. */
  outcome: Outcome | null
  appeal: AppealState
  /** Every counter-notice to it, by its id. */
  counterNotices: Readonly<Record<string, CounterNoticeState>>
  /** The effect on its entries while it is open: none may be edited or published, and they may be hidden. */
  holds: HoldState
  /**
   * Whether it leaves its entries as they are although it hides them otherwise: too much came at once, and a person is to hide them
   * (docs/spec/notices.md#hidden-at-once).
   */
  isWithheld: boolean
  duplicateOf: string | null
}

export interface Transition {
  isRefused: false
  state: NoticeState
  /** Whether the row gets a new version. */
  raisesVersion: boolean
}

/** It may not happen now; nothing is written. */
export interface RefusedTransition {
  isRefused: true
  sentence: string
}

/** @param state null before the first event */
export function transition(state: NoticeState | null, event: NoticeEventInput): Transition | RefusedTransition {
  if (event.type === 'received') return receive(state, event)
  if (state === null) return refused('There is no such notice.')
  const next = step(state, event)
  if (typeof next === 'string') return refused(next)
  return {
    isRefused: false,
    state: boundedBy(event, { ...state, ...next }),
    raisesVersion: noticeEventTypes[event.type].raisesVersion,
  }
}

/**
 * A state under the bound. If it would only hold its entries, it holds none; if it would hide them, it is withheld
 * until it hides them, whatever the sender is asked or adds.
 */
function boundedBy(event: NoticeEventInput, state: NoticeState): NoticeState {
  const isWithheld = 'isWithheld' in event ? event.isWithheld : undefined
  if (state.holds !== 'hides') return { ...state, holds: isWithheld === true ? 'none' : state.holds, isWithheld: false }
  return { ...state, isWithheld: isWithheld ?? (event.type === 'hidden' ? false : state.isWithheld) }
}

/** The ledger of a notice from its first event. */
export function replay(events: readonly NoticeEventInput[]): { state: NoticeState; version: number } {
  let state: NoticeState | null = null
  let version = 0
  for (const event of events) {
    const next = transition(state, event)
    if (next.isRefused) throw new Error(`The ledger holds an event that cannot have happened: ${event.type}.`)
    state = next.state
    version += next.raisesVersion ? 1 : 0
  }
  if (state === null) throw new Error('The ledger is empty.')
  return { state, version }
}

function receive(
  state: NoticeState | null,
  event: NoticeEventInput & { type: 'received' },
): Transition | RefusedTransition {
  if (state !== null) return refused('A notice is received once.')
  const { kind, missing } = event
  return {
    isRefused: false,
    state: boundedBy(event, {
      kind,
      status: missing.length === 0 ? 'received' : 'needs-info',
      missing,
      isWhole: missing.length === 0,
      outcome: null,
      appeal: 'none',
      counterNotices: {},
      holds: holdsAtOnce(kind, missing),
      isWithheld: false,
      duplicateOf: null,
    }),
    raisesVersion: true,
  }
}

/**
 * Child safety does not wait for a whole form; an intimate image waits for the elements of the law. An incomplete
 * notice of another kind holds nothing: the operator keeps access to their entry.
 */
function holdsAtOnce(kind: NoticeKind, missing: readonly string[]): HoldState {
  if (kind === 'child-safety') return 'hides'
  if (missing.length > 0) return kind === 'intimate-image' ? 'holds' : 'none'
  return kind === 'intimate-image' ? 'hides' : 'holds'
}

const notOpen = 'This notice is no longer open.'
const notDecided = 'This notice has not been decided.'
const settled = 'This counter-notice does not wait for that.'

/** The change, or the sentence that refuses it. */
function step(
  state: NoticeState,
  event: Exclude<NoticeEventInput, { type: 'received' }>,
): Partial<NoticeState> | string {
  const { kind, status, missing, appeal, counterNotices, outcome, holds } = state
  const isOpen = openStatuses.includes(status)
  const isDecided = status === 'decided' || status === 'closed'
  const counterNoticeId = 'counterNoticeId' in event ? event.counterNoticeId : undefined
  const countered = counterNoticeId === undefined ? undefined : counterNotices[counterNoticeId]
  const counter = (next: CounterNoticeState): NoticeState['counterNotices'] => ({
    ...counterNotices,
    ...statesOf(counterNoticeId === undefined ? [] : [counterNoticeId], next),
  })
  switch (event.type) {
    case 'answered':
      if (!isOpen) return notOpen
      // A complete answer is another event, with which clocks begin.
      return missing.length > 0 && event.missing.length === 0
        ? 'Nothing is missing any more.'
        : { missing: event.missing }
    case 'completed': {
      if (!isOpen) return notOpen
      if (missing.length === 0) return 'Nothing is missing.'
      return {
        missing: [],
        isWhole: true,
        status: status === 'needs-info' ? 'received' : status,
        holds: holds === 'hides' ? holds : holdsAtOnce(kind, []),
      }
    }
    case 'asked':
      if (!isOpen) return notOpen
      if (event.missing.length === 0) return 'Say what is missing.'
      return event.missing.every((name) => mayBeRequested(kind, name))
        ? { status: 'needs-info', missing: event.missing }
        : 'The law does not ask for that in a notice of this kind.'
    case 'reviewed':
      if (status === 'in-review') return 'This notice is in review already.'
      return isOpen ? { status: 'in-review' } : notOpen
    case 'reclassified':
      if (status === 'duplicate' && event.with === state.duplicateOf && event.kind !== kind) return { kind: event.kind }
      if (!isOpen) return notOpen
      if (event.kind === kind) return 'This notice is of that kind already.'
      return {
        kind: event.kind,
        missing: event.missing,
        isWhole: event.missing.length === 0,
        // A safety officer must review it again, also after another person's review.
        status: status === 'in-review' && event.kind !== 'child-safety' ? status : statusOfNew(event.missing),
        // A hidden entry is released only by a decision, or by its sender.
        holds: holds === 'hides' ? holds : holdsAtOnce(event.kind, event.missing),
      }
    case 'entries-changed':
      // An appeal for a removal may need an address that is found only now.
      if (!isOpen && !(appeal === 'open' && outcome === 'keep')) return notOpen
      return {}
    case 'marked-duplicate':
      return isOpen ? { status: 'duplicate', duplicateOf: event.of, holds: 'none' } : notOpen
    case 'joined':
      return isOpen ? { holds: event.hides ? 'hides' : holds } : notOpen
    case 'withdrawn':
      if (kind === 'child-safety')
        return 'A notice about a child at risk cannot be withdrawn. We work on it in any case.'
      return isOpen ? { status: 'withdrawn', holds: 'none' } : notOpen
    case 'decided':
      return isOpen ? { status: 'decided', outcome: event.outcome, holds: 'none' } : notOpen
    case 'reversed':
      if (!isDecided) return notDecided
      if (appeal === 'open') return 'An appeal is waiting. Answer it to change the decision.'
      return { status: 'decided', ...newDecision(state, event.outcome) }
    case 'appealed':
      if (!isDecided) return notDecided
      if (appeal !== 'none') return 'This decision was appealed already.'
      return { status: 'decided', appeal: 'open' }
    case 'appeal-answered':
      if (appeal !== 'open') return 'No appeal is waiting.'
      return event.decisionId === null ? { appeal: 'answered' } : newDecision(state, event.outcome)
    case 'counter-received':
      if (!isDecided) return notDecided
      if (kind !== 'copyright') return 'A counter-notice answers a copyright notice alone.'
      if (outcome === 'keep') return 'The decision keeps nothing off the site.'
      if (hasFullDesk(state)) return 'Too many counter-notices wait.'
      return { status: 'decided', counterNotices: counter('received') }
    case 'counter-accepted':
      return countered === 'received' ? { counterNotices: counter('accepted') } : settled
    case 'counter-refused':
      return countered === 'received' ? { counterNotices: counter('refused') } : settled
    case 'action-notified': {
      const { stops = [] } = event
      return [countered, ...stops.map((id) => counterNotices[id])].every((one) => isCounterNoticeOpen(one))
        ? { counterNotices: { ...counter('action'), ...statesOf(stops, 'action') } }
        : settled
    }
    case 'restored':
      if (countered !== 'accepted') return settled
      return {
        outcome: event.outcome,
        counterNotices: { ...counter('restored'), ...statesOf(event.overtakes, 'overtaken') },
        // The appealed decision is in force no more.
        appeal: event.outcome === 'keep' && appeal === 'open' ? 'answered' : appeal,
      }
    case 'hidden':
      if (!isOpen) return notOpen
      return event.clock === undefined && !state.isWithheld
        ? 'This notice has nothing left to hide.'
        : { holds: 'hides' }
    case 'overdue':
      return isWaiting(state) ? {} : 'Nothing is waited for.'
    case 'second-wanted':
      if (kind !== 'child-safety') return 'This notice takes one person alone.'
      return isOpen || isDecided ? {} : notOpen
    case 'closed':
      if (status !== 'decided') return status === 'closed' ? 'This notice is closed already.' : notDecided
      if (appeal === 'open') return 'An appeal is waiting for an answer.'
      if (openCounterNotices(state).length > 0) return 'A counter-notice is waiting for an answer.'
      return { status: 'closed' }
  }
}

/** Objections to the previous decision do not carry over. */
function newDecision(state: NoticeState, outcome: Outcome): Pick<NoticeState, 'outcome' | 'appeal' | 'counterNotices'> {
  const counterNotices = { ...state.counterNotices, ...statesOf(openCounterNotices(state), 'overtaken') }
  return { outcome, appeal: 'none', counterNotices }
}

function statesOf(ids: readonly string[], state: CounterNoticeState): Record<string, CounterNoticeState> {
  return Object.fromEntries(ids.map((id) => [id, state]))
}

function statusOfNew(missing: readonly string[]): NoticeStatus {
  return missing.length === 0 ? 'received' : 'needs-info'
}

/** Whether a counter-notice waits: for an administrator, or for the day on which its entries are given back. */
export function isCounterNoticeOpen(state: CounterNoticeState | undefined): boolean {
  return state === 'received' || state === 'accepted'
}

export function hasFullDesk(state: Pick<NoticeState, 'counterNotices'>): boolean {
  return openCounterNotices(state).length >= maxOpenCounterNotices
}

export function openCounterNotices({ counterNotices }: Pick<NoticeState, 'counterNotices'>): string[] {
  return Object.keys(counterNotices).filter((id) => isCounterNoticeOpen(counterNotices[id]))
}

/** Whether somebody waits for the site: for a decision, for the answer to an appeal, or for what a counter-notice asks. */
function isWaiting(state: NoticeState): boolean {
  return openStatuses.includes(state.status) || state.appeal === 'open' || openCounterNotices(state).length > 0
}

function refused(sentence: string): RefusedTransition {
  return { isRefused: true, sentence }
}
