import { addDays, dayOf, startOfDay } from '../../../platform/time/site-time.ts'

/** The months from one instant to another, in a time zone. */
export class Months {
  /** Their first instants, ascending. */
  readonly #starts: readonly number[]
  readonly #names: readonly string[]
  /** The one that was looked for last: instants come in their order. */
  #last = 0

  /** @param span milliseconds since 1970: of the first month some instant, and of the last one */
  constructor({ from, to }: { from: number; to: number }, timeZone: string) {
    const names: string[] = []
    const last = dayOf(to, timeZone).slice(0, 7)
    for (let name = dayOf(from, timeZone).slice(0, 7); name <= last; name = addDays(`${name}-01`, 31).slice(0, 7))
      names.push(name)
    this.#names = names
    this.#starts = names.map((name) => startOfDay(`${name}-01`, timeZone))
  }

  get length(): number {
    return this.#names.length
  }

  /** `YYYY-MM`. */
  name(index: number): string {
    return this.#names[index] as string
  }

  /** The place of the month in which an instant lies, which must be one of them. */
  indexOf(instant: number): number {
    if (this.#holds(this.#last, instant)) return this.#last
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((this.#starts[middle] as number) <= instant) low = middle
      else high = middle
    }
    this.#last = low
    return low
  }

  #holds(index: number, instant: number): boolean {
    return instant >= (this.#starts[index] ?? Infinity) && instant < (this.#starts[index + 1] ?? Infinity)
  }
}
