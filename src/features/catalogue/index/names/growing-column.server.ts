import { shared } from './vocabulary.server.ts'

/** An array of 32-bit numbers that grows. */
export class GrowingColumn {
  length = 0
  #numbers = new Uint32Array(1_024)

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length] = value
    this.length += 1
  }

  /** The numbers, in a shared buffer. */
  finish(): SharedArrayBuffer {
    const buffer = shared(this.length * 4)
    new Uint32Array(buffer).set(this.#numbers.subarray(0, this.length))
    return buffer
  }
}
