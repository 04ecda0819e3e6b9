import { type BusinessCalendar, endOfBusinessDay } from './business-days.ts'
import { type ClockName, gravityOf, type NoticeKind } from './notice-kinds.ts'
import { isCounterNoticeOpen, type NoticeState } from './transition.ts'
import type { NoticeEventInput } from './notice-event.ts'

/** Which clocks a notice has (docs/spec/notices.md#deadlines). Pure. */

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How much later the site tries again to hide what did not fit (docs/spec/notices.md#hidden-at-once). */
const hideAgain: Length = { hours: 1 }

/** The length of a deadline from its start. */
export type Length = { hours: number } | { days: number } | { businessDays: number }

/** The clocks that begin with a notice: for copyright when it is complete, for all others at its receipt. */
export const clocksOfKind: Record<NoticeKind, Partial<Record<ClockName, Length>>> = {
  'child-safety': { person: { hours: 4 } },
  // The law gives 48 hours: this leaves time to do it.
  'intimate-image': { decide: { hours: 24 }, hide: { hours: 44 } },
  consent: { hide: { hours: 20 }, decide: { businessDays: 5 } },
  copyright: { triage: { businessDays: 1 }, hide: { days: 3 }, decide: { days: 3 } },
  privacy: { decide: { days: 7 } },
  other: { decide: { businessDays: 5 } },
}

/** How soon the entries of a withdrawn consent are hidden, as senders read; its clock is shorter. */
export const consentHiddenWithinHours = 24

export const appealLength: Length = { businessDays: 5 }
export const forwardLength: Length = { businessDays: 1 }
/** 17 U.S.C. 512(g)(2)(C): not less than 10 and not more than 14 business days after the counter-notice. */
export const restoreLength: Length = { businessDays: 10 }
export const restoreAtTheLatest: Length = { businessDays: 14 }
/** How long the sender of the notice has had the copy, at least (docs/decisions/2026-11-23-counter-notices-accepted-late.md). */
const forwardedLength: Length = { businessDays: 1 }

/** How long after a decision it may be appealed, in days (Regulation (EU) 2022/2065, article 20: six months). */
export const appealDays = 183

/** The instant at which a deadline ends, in milliseconds since 1970. */
function endOf(length: Length, from: number, calendar: BusinessCalendar): number {
  if ('hours' in length) return from + length.hours * hourMs
  if ('days' in length) return from + length.days * dayMs
  return endOfBusinessDay(from, length.businessDays, calendar)
}

/**
 * When a counter-notice restores entries, in milliseconds since 1970: ten business days after receipt, when the sender
 * has had the copy for a whole one, within the law's fourteen.
 * @param acceptedAt when it is forwarded; now, where it is not yet
 * @returns `until`: the end of the fourteen days; `from` is later after a late acceptance
 */
export function restoreTimes(
  { receivedAt, acceptedAt }: { receivedAt: number; acceptedAt: number },
  calendar: BusinessCalendar,
): { from: number; until: number } {
  const until = endOf(restoreAtTheLatest, receivedAt, calendar)
  const from = Math.max(endOf(restoreLength, receivedAt, calendar), endOf(forwardedLength, acceptedAt, calendar))
  return { from: acceptedAt < until ? Math.min(from, until) : from, until }
}

/** A clock that begins, in milliseconds since 1970. */
export interface StartedClock {
  name: ClockName
  /** The counter-notice that it counts for; null where it counts for the notice. */
  counterNoticeId: string | null
  gravity: number
  startedAt: number
  dueAt: number
}

/**
 * How a clock ends. `met`: its event has happened; too late if it has expired. `done`: the site acted at its end.
 * `cancelled`: it is no longer needed.
 */
export type ClockEnd = 'met' | 'done' | 'cancelled'

export interface ClockChanges {
  start: StartedClock[]
  /** The running clocks that end, of the notice or of a counter-notice. */
  end: { name: ClockName; counterNoticeId: string | null; outcome: ClockEnd }[]
}

export interface RunningClock {
  name: ClockName
  counterNoticeId: string | null
  /** In milliseconds since 1970. */
  dueAt: number
}

/**
 * The effect of an event on the clocks of a notice. The clock `hide` runs until every entry is hidden.
 * @param now the instant of the event, in milliseconds since 1970
 * @param receivedAt that of the notice's receipt
 * @param wasWhole whether the notice had been whole before the event
 * @param running those that have not ended
 */
export function changeClocks(change: Change): ClockChanges {
  const { after, running, event, now } = change
  const { start, end } = changesBy(change)
  const isHide = ({ name }: { name: ClockName }): boolean => name === 'hide'
  const ends = end.some(isHide)
  if (after.holds === 'hides' && !after.isWithheld) {
    const hidden: ClockChanges['end'] =
      ends || !running.some(isHide) ? [] : [{ name: 'hide', counterNoticeId: null, outcome: 'done' }]
    return { start: start.filter((clock) => !isHide(clock)), end: [...end, ...hidden] }
  }
  const length = event.type === 'hidden' ? hideAgain : clocksOfKind[after.kind].hide
  const runs = start.some(isHide) || (!ends && running.some(isHide))
  if (!after.isWithheld || length === undefined || runs) return { start, end }
  return { start: [...start, started(change, 'hide', length, now)], end }
}

interface Change {
  after: NoticeState
  wasWhole: boolean
  event: NoticeEventInput
  now: number
  receivedAt: number
  running: readonly RunningClock[]
  calendar: BusinessCalendar
}

function changesBy(change: Change): ClockChanges {
  const { after, wasWhole, event, now, receivedAt, running } = change
  const runs = running.map(({ name }) => name)
  const all = Object.keys(clocksOfKind[after.kind]) as ClockName[]
  const met = (...names: ClockName[]) => ended(running, 'met', names)
  const cancelled = (...names: ClockName[]) => ended(running, 'cancelled', names)
  const none: ClockChanges = { start: [], end: [] }
  switch (event.type) {
    case 'received':
      return { ...none, start: waitsForWhole(after) ? [] : ofKind(change, now, all) }
    case 'completed': {
      // A request about a complete notice stopped no clock, so its answer starts none.
      if (wasWhole || after.kind !== 'copyright') return none
      const names = all.filter((name) => name !== 'triage' || after.status !== 'in-review')
      return { ...none, start: ofKind(change, now, names) }
    }
    case 'asked':
    case 'reviewed':
    // Somebody has looked at it.
    case 'second-wanted':
      return { ...none, end: met('person', 'triage') }
    case 'reclassified': {
      if (after.status === 'duplicate') return none
      const isReviewed = after.status === 'in-review'
      const names = all.filter((name) => !(isReviewed && (name === 'triage' || name === 'person')))
      // The safety officer has not been notified before.
      const from = after.kind === 'child-safety' ? now : receivedAt
      return { start: waitsForWhole(after) ? [] : ofKind(change, from, names), end: cancelled(...runs) }
    }
    case 'marked-duplicate':
    case 'withdrawn':
      return { ...none, end: cancelled(...runs) }
    case 'decided':
      return { ...none, end: met(...runs) }
    case 'appealed':
      return { ...none, start: [started(change, 'appeal', appealLength, now)] }
    case 'appeal-answered':
      return { ...none, end: [...met('appeal'), ...overtaken(change)] }
    case 'reversed':
      return { ...none, end: overtaken(change) }
    case 'counter-received':
      return { ...none, start: [started(change, 'forward', forwardLength, now, event.counterNoticeId)] }
    case 'counter-accepted':
      return {
        start: [restoring(change, event)],
        end: ended(running, 'met', ['forward'], event.counterNoticeId),
      }
    case 'counter-refused':
      return { ...none, end: ended(running, 'met', ['forward'], event.counterNoticeId) }
    case 'action-notified':
      return { ...none, end: overtaken(change) }
    case 'restored':
      return {
        ...none,
        end: [
          ...ended(running, 'done', ['restore'], event.counterNoticeId),
          ...(after.appeal === 'open' ? [] : met('appeal')),
          ...overtaken(change, event.counterNoticeId),
        ],
      }
    case 'hidden':
      return { ...none, end: event.clock === undefined ? [] : ended(running, 'done', ['hide']) }
    case 'entries-changed':
    case 'joined':
    // It goes on, overdue, until its event happens.
    case 'overdue':
    case 'answered':
    case 'closed':
      return none
  }
}

function started(
  { after, calendar }: Change,
  name: ClockName,
  length: Length,
  startedAt: number,
  counterNoticeId: string | null = null,
): StartedClock {
  const dueAt = endOf(length, startedAt, calendar)
  return { name, counterNoticeId, gravity: gravityOf(after.kind), startedAt, dueAt }
}

function ofKind(change: Change, from: number, names: readonly ClockName[]): StartedClock[] {
  return names.flatMap((name) => {
    const length = clocksOfKind[change.after.kind][name]
    return length === undefined ? [] : [started(change, name, length, from)]
  })
}

function restoring(
  { after, now, calendar }: Change,
  { counterNoticeId, receivedAt }: { counterNoticeId: string; receivedAt: string },
): StartedClock {
  const startedAt = Date.parse(receivedAt)
  const { from: dueAt } = restoreTimes({ receivedAt: startedAt, acceptedAt: now }, calendar)
  return { name: 'restore', counterNoticeId, gravity: gravityOf(after.kind), startedAt, dueAt }
}

function ended(
  running: readonly RunningClock[],
  outcome: ClockEnd,
  names: readonly ClockName[],
  counterNoticeId: string | null = null,
): ClockChanges['end'] {
  return running
    .filter((clock) => clock.counterNoticeId === counterNoticeId && names.includes(clock.name))
    .map(({ name }) => ({ name, counterNoticeId, outcome }))
}

/** Those of counter-notices that no longer wait. */
function overtaken({ running, after }: Change, except?: string): ClockChanges['end'] {
  return running.flatMap(({ name, counterNoticeId: id }) =>
    id === null || id === except || isCounterNoticeOpen(after.counterNotices[id])
      ? []
      : [{ name, counterNoticeId: id, outcome: 'cancelled' as const }],
  )
}

/** Only a complete copyright notice has legal effect (17 U.S.C. 512(c)(3)(B)). */
function waitsForWhole({ kind, isWhole }: Pick<NoticeState, 'kind' | 'isWhole'>): boolean {
  return kind === 'copyright' && !isWhole
}
