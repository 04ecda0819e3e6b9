/**
 * Lines that are sorted by a key of a fixed length before each of them. They lie in one buffer: ten thousand strings would outlive
 * the quick collections of the heap, and make it grow.
 */
export class SortedLines {
  readonly #keyLength: number
  readonly #ends: Uint32Array
  #bytes: Buffer
  #count = 0

  /** @param memory is written to until the lines are joined; it grows where it is too small */
  constructor(most: number, keyLength: number, memory: Buffer) {
    this.#keyLength = keyLength
    this.#ends = new Uint32Array(most + 1)
    this.#bytes = memory
  }

  /** @param line in ASCII, its key before it */
  add(line: string): void {
    const at = this.#end(this.#count)
    if (at + line.length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe((at + line.length) * 2)
      this.#bytes.copy(larger, 0, 0, at)
      this.#bytes = larger
    }
    this.#count += 1
    this.#ends[this.#count] = at + this.#bytes.write(line, at, 'latin1')
  }

  /** All lines in the order of their keys, without these, between a head and a foot. */
  join(head: string, foot: string): Buffer {
    const [bytes, key] = [this.#bytes, this.#keyLength]
    // Lines mostly come in their order: an array, unlike a typed one, is sorted with few comparisons then.
    const places = Array.from({ length: this.#count }, (_, place) => place).sort((a, b) => {
      const [one, other] = [this.#end(a), this.#end(b)]
      return bytes.compare(bytes, other, other + key, one, one + key)
    })
    const all = Buffer.allocUnsafeSlow(head.length + this.#end(this.#count) - key * this.#count + foot.length)
    let at = all.write(head, 0, 'latin1')
    for (const place of places) at += bytes.copy(all, at, this.#end(place) + key, this.#end(place + 1))
    all.write(foot, at, 'latin1')
    return all
  }

  /** Where a line begins, and the one before it ends. */
  #end(place: number): number {
    return this.#ends[place] as number
  }
}
