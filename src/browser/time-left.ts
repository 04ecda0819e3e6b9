/** Deadlines in words, at the desk of notices and on the home of the administration (docs/spec/notices.md#time-left). */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The end of a clock, ISO 8601, and whether the server calls it overdue. */
interface Deadline {
  dueAt: string
  isOverdue: boolean
}

/**
 * '3 h left', 'Overdue by 2 days'. Time that is left is rounded down: nobody is promised more than there is. A clock that the
 * server calls overdue is so, whatever this browser's clock says.
 * @param now in milliseconds since 1970
 */
export function timeLeftInWords({ dueAt, isOverdue }: Deadline, now: number): string {
  const left = Date.parse(dueAt) - now
  if (Number.isNaN(left)) return isOverdue ? 'Overdue' : 'Time unknown'
  if (isOverdue || left <= 0) return left > -minuteMs ? 'Overdue' : `Overdue by ${lengthInWords(-left)}`
  return left < minuteMs ? 'Less than a minute left' : `${lengthInWords(left)} left`
}

/** '12 min', '47 h', '2 days': in hours up to two days, because deadlines of law are counted in hours up to there. */
export function lengthInWords(ms: number): string {
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)} h`
  return `${Math.floor(ms / dayMs).toLocaleString('en-US')} days`
}

export type Urgency = 'overdue' | 'soon' | 'calm'

/** 'soon' is less than four hours, which is the shortest deadline of all. */
export function urgencyOf({ dueAt, isOverdue }: Deadline, now: number): Urgency {
  const left = Date.parse(dueAt) - now
  if (isOverdue || left <= 0) return 'overdue'
  return left < 4 * hourMs ? 'soon' : 'calm'
}
