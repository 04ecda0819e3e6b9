import { addDays, dayOf, startOfDay } from '../../../platform/time/site-time.ts'

/** The months of instants in a time zone, as numbers: `year * 12 + month - 1`. Those that were met are remembered. */
export class Months {
  readonly #timeZone: string
  /** By their order in time: number, first instant, and first instant behind it. */
  readonly #known: { number: number; start: number; end: number }[] = []
  /** The place of the one that was asked for last: instants come in their order. */
  #last = 0

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** @param instant milliseconds since 1970 */
  numberOf(instant: number): number {
    const last = this.#known[this.#last]
    if (last !== undefined && instant >= last.start && instant < last.end) return last.number
    let low = 0
    let high = this.#known.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#known[middle]?.end ?? Infinity) <= instant) low = middle + 1
      else high = middle
    }
    this.#last = low
    const found = this.#known[low]
    if (found !== undefined && found.start <= instant) return found.number
    const made = this.#monthOf(instant)
    this.#known.splice(low, 0, made)
    return made.number
  }

  #monthOf(instant: number) {
    const startOf = (first: string): number => startOfDay(first, this.#timeZone)
    let first = firstOfMonth(dayOf(instant, this.#timeZone))
    // Where the clocks go back over midnight, the last hour of a day comes once more after the next has begun.
    if (startOf(nextMonth(first)) <= instant) first = nextMonth(first)
    const [year, month] = first.split('-').map(Number) as [number, number]
    return { number: year * 12 + month - 1, start: startOf(first), end: startOf(nextMonth(first)) }
  }
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

function nextMonth(first: string): string {
  return firstOfMonth(addDays(first, 31))
}
