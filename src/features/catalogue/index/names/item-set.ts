/** Some items by their numbers, each once. */
export interface NumberSet {
  readonly size: number
  /** In no order. */
  readonly numbers: Int32Array
  has(no: number): boolean
}

/** How many stretches of a list are begun at once. */
const atOnce = 16

/** A set of item numbers, one bit each: so small that several stay in the processor's own memory. */
export class ItemSet {
  /** Signed: an engine's small numbers have a sign. */
  readonly bits: Int32Array

  /** @param capacity greater than every number; or the bits themselves */
  constructor(capacity: number | Int32Array, from?: ItemSet) {
    this.bits = typeof capacity === 'number' ? new Int32Array((capacity + 31) >>> 5) : capacity
    if (from !== undefined) this.bits.set(from.bits)
  }

  has(no: number): boolean {
    return ((this.bits[no >>> 5] as number) & (1 << (no & 31))) !== 0
  }

  add(no: number): void {
    this.bits[no >>> 5] = (this.bits[no >>> 5] as number) | (1 << (no & 31))
  }

  delete(no: number): void {
    this.bits[no >>> 5] = (this.bits[no >>> 5] as number) & ~(1 << (no & 31))
  }

  clear(): void {
    this.bits.fill(0)
  }

  /** Adds the numbers between two places of a list. */
  addAll(numbers: Int32Array, from: number, to: number): void {
    const { bits } = this
    for (let i = from; i < to; i += 1) {
      const no = numbers[i] as number
      bits[no >>> 5] = (bits[no >>> 5] as number) | (1 << (no & 31))
    }
  }

  /** Adds the numbers of some stretches of a list, by their places: of each from its start to its end. */
  addStretches(numbers: Int32Array, places: Uint32Array, starts: Uint32Array, ends: Uint32Array): void {
    const { bits } = this
    const [firsts, last] = [new Int32Array(atOnce), numbers.length - 1]
    for (let from = 0; from < places.length; from += atOnce) {
      const to = Math.min(places.length, from + atOnce)
      // Memory brings many at once; without this each short stretch would be waited for.
      for (let i = from; i < to; i += 1)
        firsts[i - from] = numbers[Math.min(last, starts[places[i] as number] as number)] as number
      for (let i = from; i < to; i += 1) {
        const end = ends[places[i] as number] as number
        let at = starts[places[i] as number] as number
        for (let no = firsts[i - from] as number; at < end; no = numbers[at] as number) {
          bits[no >>> 5] = (bits[no >>> 5] as number) | (1 << (no & 31))
          at += 1
        }
      }
    }
  }

  /** Adds what two others have, which have room for no more numbers. */
  addCommon(some: ItemSet, others: ItemSet): void {
    const length = Math.min(some.bits.length, others.bits.length)
    for (let i = 0; i < length; i += 1)
      this.bits[i] = (this.bits[i] as number) | ((some.bits[i] as number) & (others.bits[i] as number))
  }

  keepCommon(other: ItemSet): void {
    const { bits } = this
    const length = Math.min(bits.length, other.bits.length)
    for (let i = 0; i < length; i += 1) bits[i] = (bits[i] as number) & (other.bits[i] as number)
    bits.fill(0, length)
  }

  get size(): number {
    let size = 0
    for (let i = 0; i < this.bits.length; i += 1) if (this.bits[i] !== 0) size += countBits(this.bits[i] as number)
    return size
  }

  /** Its highest numbers that are wanted, descending, at most `max`. */
  highest(max: number, isWanted: (no: number) => boolean): number[] {
    const { bits } = this
    const numbers: number[] = []
    for (let i = bits.length - 1; i >= 0 && numbers.length < max; i -= 1)
      for (let each = bits[i] as number; each !== 0 && numbers.length < max;) {
        const bit = 31 - Math.clz32(each)
        each &= ~(1 << bit)
        if (isWanted((i << 5) + bit)) numbers.push((i << 5) + bit)
      }
    return numbers
  }

  /**
   * Its numbers, ascending.
   * @param into has room for them
   */
  numbers(into: Int32Array): Int32Array {
    const { bits } = this
    let count = 0
    for (let i = 0; i < bits.length; i += 1)
      for (let each = bits[i] as number; each !== 0; each &= each - 1)
        into[count++] = (i << 5) + 31 - Math.clz32(each & -each)
    return into.subarray(0, count)
  }
}

function itemSetOf(numbers: Int32Array): ItemSet {
  let highest = 0
  for (let i = 0; i < numbers.length; i += 1) highest = Math.max(highest, numbers[i] as number)
  const set = new ItemSet(highest + 1)
  set.addAll(numbers, 0, numbers.length)
  return set
}

/** A list of numbers, each once, as a set that is made ready at the first question. */
export function numberSetOf(numbers: Int32Array): NumberSet {
  let set: ItemSet | undefined
  return { size: numbers.length, numbers, has: (no) => (set ??= itemSetOf(numbers)).has(no) }
}

export function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export function add(counts: Uint32Array, place: number, count: number): void {
  counts[place] = (counts[place] as number) + count
}
