import { randomUUID } from 'node:crypto'
import { closeSync, fsync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'

export interface ItemRecord {
  no: number
  bytes: Buffer
}

/** Where the records of a file are, to find them again after a restart. */
export interface SavedRecords {
  /** Names of the files and the address at which each begins, in their order. */
  files: { name: string; base: number }[]
  end: number
  liveBytes: number
  addresses: Float64Array
  lengths: Uint32Array
}

interface OpenFile {
  name: string
  /** The address of its first byte. */
  base: number
  descriptor: number
}

/** Before each record: the number of its item, and the checksum of its bytes. */
const headBytes = 8
/** Records that lie so close to each other are read at once: a read of its own costs as much as 16 kB. */
const maxGapBytes = 16_384
const maxRunBytes = 1 << 20
/** An address of 0 is none. */
const firstAddress = 1
/** Files are written anew when they hold more than this beside what counts, and as much as counts. */
const wastefulBytes = 16 << 20
const copiedAtOnce = 200

/**
 * The latest record of each item, by item number, in files that are only appended to: 12 bytes of memory an item. Reads and
 * writes are synchronous, of the system's file cache nearly always: 300 records side by side take a tenth of a millisecond. A
 * record of an earlier process that does not match its checksum is not there.
 */
export class RecordFile {
  readonly #folder: string
  readonly #kind: string
  /** The newest is written. An older one is there until its last record is copied. */
  #files: OpenFile[] = []
  /** Files without a record that counts; a saved image may name them still. */
  #former: OpenFile[] = []
  #end = firstAddress
  #liveBytes = 0
  #addresses: Float64Array = new Float64Array(1_024)
  #lengths: Uint32Array = new Uint32Array(1_024)
  /** By item number, 1 for a record of an earlier process that nobody has read yet. */
  #unchecked: Uint8Array = new Uint8Array()

  /** @param kind the beginning of its files' names */
  constructor(folder: string, kind: string, saved?: SavedRecords) {
    this.#folder = folder
    this.#kind = kind
    if (saved === undefined) {
      this.#begin()
      return
    }
    this.#files = saved.files.map((file) => ({ ...file, descriptor: openSync(join(folder, file.name), 'r+') }))
    this.#end = saved.end
    this.#liveBytes = saved.liveBytes
    this.#addresses = saved.addresses
    this.#lengths = saved.lengths
    this.#unchecked = new Uint8Array(saved.addresses.length).fill(1)
    this.#assertWhole()
  }

  /** The bytes of the records that count. */
  get liveBytes(): number {
    return this.#liveBytes
  }

  has(no: number): boolean {
    return (this.#addresses[no] ?? 0) !== 0
  }

  /** The record of an item; undefined if there is none. The bytes are to be used before the next read. */
  read(no: number): Buffer | undefined {
    return this.readAll([no])[0]
  }

  /**
   * The records of some items, in their order.
   * @param allocate gives the memory that they are read into
   */
  readAll(
    numbers: readonly number[],
    allocate: (size: number) => Buffer = (size) => Buffer.allocUnsafe(size),
  ): (Buffer | undefined)[] {
    const records = Array.from({ length: numbers.length }, (): Buffer | undefined => undefined)
    const addresses = new Float64Array(numbers.length)
    const lengths = new Uint32Array(numbers.length)
    const endAt = (place: number): number => (addresses[place] as number) + (lengths[place] as number)
    const places: number[] = []
    // A loop: `from` with a function takes several times as long.
    for (const [place, no] of numbers.entries()) {
      const address = this.#addresses[no] ?? 0
      if (address === 0) continue
      addresses[place] = address
      lengths[place] = this.#lengths[no] as number
      places.push(place)
    }
    places.sort((a, b) => (addresses[a] as number) - (addresses[b] as number))
    for (let from = 0; from < places.length;) {
      const start = addresses[places[from] as number] as number
      const { descriptor, base, end: endOfFile } = this.#fileOf(start)
      let [to, end] = [from, start]
      for (; to < places.length; to += 1) {
        const place = places[to] as number
        const address = addresses[place] as number
        const isNear = address - end <= maxGapBytes && endAt(place) - start <= maxRunBytes && address < endOfFile
        if (to > from && !isNear) break
        end = Math.max(end, endAt(place))
      }
      const bytes = allocate(end - start)
      const isRead = readSync(descriptor, bytes, 0, bytes.length, start - base) === bytes.length
      for (; from < to; from += 1) {
        const place = places[from] as number
        const no = numbers[place] as number
        const at = (addresses[place] as number) - start
        if (isRead && this.#isWhole(bytes, at, endAt(place) - start, no))
          records[place] = bytes.subarray(at + headBytes, endAt(place) - start)
        else this.delete(no)
      }
    }
    return records
  }

  /** Adds records, each in place of the one that its item has. */
  write(records: readonly ItemRecord[]): void {
    const parts: Buffer[] = []
    let length = 0
    for (const { no, bytes } of records) {
      const head = Buffer.allocUnsafe(headBytes)
      head.writeUInt32LE(no, 0)
      head.writeUInt32LE(crc32(bytes), 4)
      parts.push(head, bytes)
      length += headBytes + bytes.length
    }
    const all = Buffer.concat(parts, length)
    const file = this.#files.at(-1) as OpenFile
    for (let written = 0; written < length;)
      written += writeSync(file.descriptor, all, written, length - written, this.#end + written - file.base)
    for (const { no, bytes } of records) {
      this.delete(no)
      this.#makeRoom(no)
      this.#unchecked[no] = 0
      this.#addresses[no] = this.#end
      this.#lengths[no] = headBytes + bytes.length
      this.#end += headBytes + bytes.length
      this.#liveBytes += headBytes + bytes.length
    }
  }

  delete(no: number): void {
    if (!this.has(no)) return
    this.#liveBytes -= this.#lengths[no] as number
    this.#addresses[no] = 0
  }

  /** Forgets all records. */
  clear(): void {
    this.#addresses.fill(0)
    this.#liveBytes = 0
    this.#begin()
    this.#leaveAllButNewest()
    this.deleteFormer()
  }

  /** Whether it holds so much of before that it should be written anew. */
  get isWasteful(): boolean {
    const [oldest] = this.#files
    return oldest !== undefined && this.#end - oldest.base > 2 * this.#liveBytes + wastefulBytes
  }

  /** Deletes the files that a compaction has left: to be called when no saved image names them. */
  deleteFormer(): void {
    for (const { name, descriptor } of this.#former.splice(0)) {
      closeSync(descriptor)
      rmSync(join(this.#folder, name), { force: true })
    }
  }

  /**
   * Copies what counts into a new file, piece by piece. A record that is written meanwhile is in the new one already.
   * @param order the items that count: those that are read together side by side
   */
  async compact(order: readonly number[], pause: () => Promise<unknown>): Promise<void> {
    this.#begin()
    const { base } = this.#files.at(-1) as OpenFile
    const isOld = (no: number): boolean => this.has(no) && (this.#addresses[no] as number) < base
    for (let from = 0; from < order.length; from += copiedAtOnce) {
      const numbers = order.slice(from, from + copiedAtOnce).filter(isOld)
      const records = this.readAll(numbers)
      this.write(numbers.flatMap((each, i) => (records[i] === undefined ? [] : [{ no: each, bytes: records[i] }])))
      await pause()
    }
    for (let no = 0; no < this.#addresses.length; no += 1) if (isOld(no)) this.delete(no)
    this.#leaveAllButNewest()
  }

  /** Where its records are now, and how to make sure that they outlast a power cut. */
  save(): { saved: SavedRecords; sync: () => Promise<void> } {
    const files = [...this.#files]
    return {
      saved: {
        files: files.map(({ name, base }) => ({ name, base })),
        end: this.#end,
        liveBytes: this.#liveBytes,
        addresses: this.#addresses.slice(),
        lengths: this.#lengths.slice(),
      },
      sync: async () => {
        for (const { descriptor } of files) await promisify(fsync)(descriptor)
      },
    }
  }

  close(): void {
    for (const { descriptor } of [...this.#files, ...this.#former]) closeSync(descriptor)
    this.#files = []
    this.#former = []
  }

  #isWhole(bytes: Buffer, at: number, end: number, no: number): boolean {
    if (this.#unchecked[no] !== 1) return true
    this.#unchecked[no] = 0
    return bytes.readUInt32LE(at) === no && bytes.readUInt32LE(at + 4) === crc32(bytes.subarray(at + headBytes, end))
  }

  /** The file of an address, and the address at which the next one begins. */
  #fileOf(address: number): OpenFile & { end: number } {
    const index = this.#files.findLastIndex(({ base }) => base <= address)
    return { ...(this.#files[index] as OpenFile), end: this.#files[index + 1]?.base ?? Infinity }
  }

  #begin(): void {
    const name = `${this.#kind}-${randomUUID()}`
    this.#files.push({ name, base: this.#end, descriptor: openSync(join(this.#folder, name), 'wx+', 0o600) })
  }

  #leaveAllButNewest(): void {
    this.#former.push(...this.#files.splice(0, this.#files.length - 1))
  }

  #assertWhole(): void {
    for (const [i, { name, base, descriptor }] of this.#files.entries()) {
      const end = this.#files[i + 1]?.base ?? this.#end
      if (fstatSync(descriptor).size < end - base) throw new Error(`The file ${name} is too short.`)
    }
  }

  #makeRoom(no: number): void {
    if (no < this.#addresses.length) return
    const capacity = Math.ceil((no + 1) * 1.25)
    const [addresses, lengths] = [new Float64Array(capacity), new Uint32Array(capacity)]
    addresses.set(this.#addresses)
    lengths.set(this.#lengths)
    this.#addresses = addresses
    this.#lengths = lengths
  }
}
