import { dayInWords } from '../../../../browser/format-instant.ts'
import type { AuditEventForAdmin } from '../audit-log-schema.ts'

/** Events that somebody caused as one thing, newest first. */
export interface AuditAct {
  /** The event that tells it: the one of the rarest action. */
  head: AuditEventForAdmin
  events: AuditEventForAdmin[]
}

/** How far the events of one act may lie apart: of one transaction, of one action, of one action on one thing. */
const apartMs = { transaction: 10_000, action: 2_000, thing: 60_000 }

/**
 * The acts of a list of events, newest first. Consecutive events by the same person are one act where a transaction wrote them, where
 * they do the same at the same time, such as a decision over many notices, or where they go on with the same thing, such as an import.
 */
export function actsOf(events: readonly AuditEventForAdmin[]): AuditAct[] {
  const acts: AuditEventForAdmin[][] = []
  for (const event of events) {
    const act = acts.at(-1)
    if (act !== undefined && belongsTo(act, event)) act.push(event)
    else acts.push([event])
  }
  return acts.map((act) => ({ head: headOf(act), events: act }))
}

/** The days of a list of acts with their acts, by the clock of the site. */
export function daysOf(acts: readonly AuditAct[]): { day: string; acts: AuditAct[] }[] {
  const days: { day: string; acts: AuditAct[] }[] = []
  for (const act of acts) {
    const day = dayInWords(act.head.at)
    const last = days.at(-1)
    if (last?.day === day) last.acts.push(act)
    else days.push({ day, acts: [act] })
  }
  return days
}

function belongsTo(act: readonly AuditEventForAdmin[], event: AuditEventForAdmin): boolean {
  const last = act.at(-1)
  if (last === undefined || last.by.kind !== event.by.kind || last.by.id !== event.by.id) return false
  const apart = Date.parse(last.at) - Date.parse(event.at)
  if (last.act === event.act && apart <= apartMs.transaction) return true
  const alike = act.findLast(({ action }) => action === event.action)
  if (alike === undefined) return false
  const isSameThing = event.subject !== null && alike.subject?.id === event.subject.id
  return apart <= (isSameThing ? apartMs.thing : apartMs.action)
}

function headOf(events: readonly AuditEventForAdmin[]): AuditEventForAdmin {
  const times = new Map<string, number>()
  for (const { action } of events) times.set(action, (times.get(action) ?? 0) + 1)
  const [first, ...rest] = events
  if (first === undefined) throw new Error('An act has an event.')
  return rest.reduce(
    (head, event) => ((times.get(event.action) ?? 0) < (times.get(head.action) ?? 0) ? event : head),
    first,
  )
}
