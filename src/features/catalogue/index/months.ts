import { addDays, dayOf } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'

const meanMonthMs = 30.436_875 * 86_400_000

/** A month with its place, its first instant, and the first one behind it. */
interface Month {
  place: number
  start: number
  end: number
}

/** The months of instants in a time zone. Those that were met have places, in the order in which they were met. */
export class Months {
  readonly #timeZone: string
  /** In their order in time. */
  readonly #known: Month[] = []
  readonly #names: string[] = []
  /** The place in `#known` of the one that was asked for last: instants come in their order. */
  #last = 0

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** Places are below this. */
  get count(): number {
    return this.#names.length
  }

  /** All that were met, in their order in time. */
  get all(): readonly Month[] {
    return this.#known
  }

  /** `YYYY-MM`. */
  name(place: number): string {
    return this.#names[place] as string
  }

  monthOf(instant: number): Month {
    const last = this.#known[this.#last]
    if (last !== undefined && instant >= last.start && instant < last.end) return last
    const known = this.#nearOf(instant)
    if (known !== undefined) return known
    let low = 0
    let high = this.#known.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#known[middle]?.end ?? Infinity) <= instant) low = middle + 1
      else high = middle
    }
    this.#last = low
    const found = this.#known[low]
    if (found !== undefined && found.start <= instant) return found
    return this.#meet(instant, low)
  }

  /** Looks where the month stands if none before it is missing: many instants in no order are looked up. */
  #nearOf(instant: number): Month | undefined {
    const guess = Math.floor((instant - (this.#known[0]?.start ?? instant)) / meanMonthMs)
    for (let place = guess - 1; place <= guess + 1; place += 1) {
      const month = this.#known[place]
      if (month !== undefined && instant >= month.start && instant < month.end) return month
    }
    return undefined
  }

  #meet(instant: number, at: number): Month {
    const startOf = (first: string): number => startOfDay(first, this.#timeZone)
    let first = firstOfMonth(dayOf(instant, this.#timeZone))
    // Where the clocks go back over midnight, the last hour of a day comes once more after the next has begun.
    if (startOf(nextMonth(first)) <= instant) first = nextMonth(first)
    const place = this.#names.push(first.slice(0, 7)) - 1
    const month = { place, start: startOf(first), end: startOf(nextMonth(first)) }
    this.#known.splice(at, 0, month)
    return month
  }
}

function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`
}

function nextMonth(first: string): string {
  return firstOfMonth(addDays(first, 31))
}
