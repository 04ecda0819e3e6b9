/** The instant at which the rights of an item end, in milliseconds since 1970. */
interface Lapse {
  no: number
  at: number
}

/** Ends of rights that lie ahead. */
export class Lapses {
  /** Soonest first. */
  #ahead: Lapse[]

  /** @param ahead soonest first */
  constructor(ahead: Lapse[] = []) {
    this.#ahead = ahead
  }

  /** Infinity where there is none. */
  get next(): number {
    return this.#ahead[0]?.at ?? Infinity
  }

  save(): Lapse[] {
    return [...this.#ahead]
  }

  endsOf(numbers: readonly number[]): Map<number, number> {
    const requested = new Set(numbers)
    return new Map(this.#ahead.flatMap(({ no, at }) => (requested.has(no) ? [[no, at] as const] : [])))
  }

  /** Puts what the rows say in place of all that is known of the items touched. */
  change(touched: readonly number[], rows: readonly { no: number; lapsesAt: number | null }[]): void {
    const changed = new Set(touched)
    this.#ahead = this.#ahead
      .filter(({ no }) => !changed.has(no))
      .concat(rows.flatMap(({ no, lapsesAt }) => (lapsesAt === null ? [] : [{ no, at: lapsesAt }])))
      .sort((a, b) => a.at - b.at)
  }

  /** Takes out those that have come. @returns the numbers of their items */
  takeUntil(now: number): number[] {
    let lapsed = 0
    while ((this.#ahead[lapsed]?.at ?? Infinity) <= now) lapsed += 1
    return this.#ahead.splice(0, lapsed).map(({ no }) => no)
  }
}
