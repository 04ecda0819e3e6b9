/** A seeded source of numbers: the same seed gives the same catalogue on every machine (xorshift128). */
export class Random {
  #a: number
  #b = 362_436_069
  #c = 521_288_629
  #d = 88_675_123

  constructor(seed: number) {
    this.#a = seed >>> 0 || 1
    for (let i = 0; i < 16; i += 1) this.integer(2)
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  unit(): number {
    return this.#next() / 4_294_967_296
  }

  /** From 0 (inclusive) to `end` (exclusive). */
  integer(end: number): number {
    return Math.floor(this.unit() * end)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.integer(list.length)] as T
  }

  /** One of a list whose share falls with its rank, about as words do: the first is met often, the last hardly ever. */
  pickByRank<T>(list: readonly T[]): T {
    return list[Math.floor(Math.exp(this.unit() * Math.log(list.length + 1))) - 1] as T
  }

  /** A key of a table of shares, by its share. */
  pickByShare<T extends string>(shares: Readonly<Record<T, number>>): T {
    const entries = Object.entries(shares) as [T, number][]
    let rest = this.unit() * entries.reduce((sum, [, share]) => sum + share, 0)
    for (const [key, share] of entries) {
      rest -= share
      if (rest < 0) return key
    }
    return (entries.at(-1) as [T, number])[0]
  }

  hex(digits: number): string {
    let text = ''
    while (text.length < digits) text += this.#next().toString(16).padStart(8, '0')
    return text.slice(0, digits)
  }

  #next(): number {
    const t = this.#a ^ (this.#a << 11)
    this.#a = this.#b
    this.#b = this.#c
    this.#c = this.#d
    this.#d = (this.#d ^ (this.#d >>> 19) ^ (t ^ (t >>> 8))) >>> 0
    return this.#d
  }
}
