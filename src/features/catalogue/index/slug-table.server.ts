import { hashOfText } from '../item/hash-of-text.ts'

/** At most this part of the slots is filled. */
const maxLoad = 0.6
const leastSlots = 1_024

/** The slots of a table, to make it again. */
export interface SavedSlugs {
  count: number
  numbers: Int32Array
  hashes: Uint32Array
}

/**
 * Which items a slug may belong to, in some 15 bytes an item: a table of hashes. The item itself says whether it is the right one,
 * and whether it is still there.
 */
export class SlugTable {
  #count: number
  /** Item numbers; 0 in an empty slot. */
  #numbers: Int32Array
  #hashes: Uint32Array

  constructor({ count, numbers, hashes }: SavedSlugs = noSlugs()) {
    this.#count = count
    this.#numbers = numbers
    this.#hashes = hashes
  }

  add(no: number, slug: string): void {
    const hash = hashOfText(slug)
    if (this.#numbersOf(hash).includes(no)) return
    if (this.#count + 1 > this.#numbers.length * maxLoad) this.#grow()
    this.#put(no, hash)
    this.#count += 1
  }

  /** The numbers of the items that may have this slug. */
  numbersOf(slug: string): number[] {
    return this.#numbersOf(hashOfText(slug))
  }

  save(): SavedSlugs {
    return { count: this.#count, numbers: this.#numbers.slice(), hashes: this.#hashes.slice() }
  }

  #numbersOf(hash: number): number[] {
    const found: number[] = []
    const mask = this.#numbers.length - 1
    for (let slot = hash & mask; this.#numbers[slot] !== 0; slot = (slot + 1) & mask)
      if (this.#hashes[slot] === hash) found.push(this.#numbers[slot] as number)
    return found
  }

  #put(no: number, hash: number): void {
    const mask = this.#numbers.length - 1
    let slot = hash & mask
    while (this.#numbers[slot] !== 0) slot = (slot + 1) & mask
    this.#numbers[slot] = no
    this.#hashes[slot] = hash
  }

  #grow(): void {
    const [numbers, hashes] = [this.#numbers, this.#hashes]
    this.#numbers = new Int32Array(numbers.length * 2)
    this.#hashes = new Uint32Array(numbers.length * 2)
    for (const [slot, no] of numbers.entries()) if (no !== 0) this.#put(no, hashes[slot] as number)
  }
}

function noSlugs(): SavedSlugs {
  return { count: 0, numbers: new Int32Array(leastSlots), hashes: new Uint32Array(leastSlots) }
}
