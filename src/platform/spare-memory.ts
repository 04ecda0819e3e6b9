/**
 * Memory for what is needed only while a piece of work lasts, used again by the next one. Buffers of its own for each would make the
 * engine collect its whole heap more often.
 */
export class SpareMemory {
  readonly #bytes: number
  #spare: Buffer | undefined

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** @param work must leave nothing that lies in what `allocate` gives */
  async use<Result>(work: (allocate: (size: number) => Buffer) => Promise<Result>): Promise<Result> {
    let memory: Buffer | undefined
    let taken = 0
    try {
      return await work((size) => {
        memory ??= this.#take()
        const end = taken + size
        if (end > memory.length) return Buffer.allocUnsafeSlow(size)
        taken = end
        return memory.subarray(end - size, end)
      })
    } finally {
      this.#spare ??= memory
    }
  }

  #take(): Buffer {
    const memory = this.#spare ?? Buffer.allocUnsafeSlow(this.#bytes)
    this.#spare = undefined
    return memory
  }
}
