import type * as z from 'zod/mini'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { isVipType } from '../item/content-type.ts'
import { base64Chunk } from '../item/encoding.server.ts'
import { listFields } from '../item/fields.ts'
import type { itemFields, vipFirstField } from '../item/item-with-links-schema.ts'
import { type ItemRow, packRow, rowOf, unpackRow } from '../item/listing.ts'
import type { CatalogueImage } from './image/catalogue-image.server.ts'
import type { ItemRecord } from './image/record-file.server.ts'
import type { ItemFacts } from './read-items.server.ts'
import { isListed, isVipFirst, type ListingTime } from './is-listed.ts'

/** An item as lists carry it, on the wire and in pages. No links: a list needs none, and what is not sent cannot leak. */
export type ItemForList = z.infer<z.ZodMiniObject<typeof itemFields & typeof vipFirstField>>

/**
 * A record begins with the tier, the post date and the last change in milliseconds since 1970, the length of the row, and the 16 bytes
 * of the id.
 */
const [tierAt, postedAt, changedAt, rowLengthAt, idAt, headBytes] = [0, 1, 9, 17, 21, 37]
const vipMark = 1

/** The record of an item of lists: as a line of a page, then as a base64 piece of an answer. */
export function rowRecord({ no, item }: Pick<ItemFacts, 'no' | 'item'>, timeZone: string): ItemRecord {
  const { id, createdAt, updatedAt } = item
  const listed = { id, ...Object.fromEntries(listFields.map((name) => [name, item[name]])), createdAt, updatedAt }
  const posted = Date.parse(item.postDate)
  const row = Buffer.from(packRow(rowOf(item, dayOf(posted, timeZone))))
  const head = Buffer.alloc(headBytes)
  head[tierAt] = isVipType(item.contentType) ? vipMark : 0
  head.writeDoubleLE(posted, postedAt)
  head.writeDoubleLE(Date.parse(updatedAt), changedAt)
  head.writeUInt32LE(row.length, rowLengthAt)
  head.write(id.replaceAll('-', ''), idAt, 'hex')
  return { no, bytes: Buffer.concat([head, row, Buffer.from(base64Chunk(JSON.stringify(listed)), 'latin1')]) }
}

/** One item of a list, ready made: who needs it as an object has it read. */
export class SerializedItem {
  readonly isVip: boolean
  readonly #record: Buffer
  readonly #chunk: Buffer | undefined
  readonly #chunkAt: number

  /** @param chunk in place of the record's own */
  constructor(record: Buffer, chunk?: Buffer) {
    this.#record = record
    this.#chunkAt = headBytes + record.readUInt32LE(rowLengthAt)
    this.isVip = record[tierAt] === vipMark
    this.#chunk = chunk
  }

  /** The item's JSON as a base64 piece. */
  get chunk(): Buffer {
    return this.#chunk ?? this.#record.subarray(this.#chunkAt)
  }

  get chunkLength(): number {
    return this.#chunk?.length ?? this.#record.length - this.#chunkAt
  }

  /** Writes the piece into an answer, without an object for it. @returns its length */
  copyChunk(answer: Buffer, at: number): number {
    return this.#chunk?.copy(answer, at) ?? this.#record.copy(answer, at, this.#chunkAt)
  }

  /** The post date, in milliseconds since 1970. */
  get postedAt(): number {
    return this.#record.readDoubleLE(postedAt)
  }

  /** The last change, in milliseconds since 1970. */
  get changedAt(): number {
    return this.#record.readDoubleLE(changedAt)
  }

  get idBytes(): Buffer {
    return this.#record.subarray(idAt, headBytes)
  }

  get item(): ItemForList {
    return JSON.parse(Buffer.from(this.chunk.toString('latin1'), 'base64').toString()) as ItemForList
  }

  /** The item as a line of a page. */
  get row(): ItemRow {
    return unpackRow(this.#record.toString('utf8', headBytes, this.#chunkAt))
  }

  /** The same as VIPs get it in early access. */
  asVipFirst(): SerializedItem {
    const chunk = base64Chunk(JSON.stringify({ ...this.item, vipFirst: true }))
    return new SerializedItem(this.#record, Buffer.from(chunk, 'latin1'))
  }
}

/**
 * The items of lists. A page of 300 is one read of the image where they lie side by side; those that it lacks are read from
 * the database.
 */
export class SerializedItems {
  readonly #readItems: (itemNumbers: readonly number[]) => Promise<ItemFacts[]>
  readonly #image: Pick<CatalogueImage, 'readRows'>
  readonly #timeZone: string

  constructor(
    readFromDatabase: (itemNumbers: readonly number[]) => Promise<ItemFacts[]>,
    image: Pick<CatalogueImage, 'readRows'>,
    timeZone: string,
  ) {
    this.#readItems = readFromDatabase
    this.#image = image
    this.#timeZone = timeZone
  }

  /**
   * These items in their order. A row may be newer than the listing that named it: an item that has gone meanwhile, or that
   * this viewer may not see now, is left out.
   * @param allocate gives the memory that they are read into, by a caller who needs them no longer than that
   */
  async read(
    itemNumbers: number[],
    viewer: Viewer,
    time: ListingTime,
    allocate?: (size: number) => Buffer,
  ): Promise<SerializedItem[]> {
    const records = this.#image.readRows(itemNumbers, allocate)
    const missing = itemNumbers.filter((_, i) => records[i] === undefined)
    const fresh = missing.length === 0 ? undefined : await this.#readFresh(missing)
    const found: SerializedItem[] = []
    for (const [i, no] of itemNumbers.entries()) {
      const record = records[i] ?? fresh?.get(no)
      if (record === undefined) continue
      const item = new SerializedItem(record)
      // Only published items are read; the listing that named the item has left out those whose rights have lapsed.
      if (!isListed({ isPublished: true, isVip: item.isVip, postedAt: item.postedAt, lapsesAt: null }, viewer, time))
        continue
      found.push(isVipFirst(item, time) ? item.asVipFirst() : item)
    }
    return found
  }

  async #readFresh(itemNumbers: readonly number[]): Promise<Map<number, Buffer>> {
    const items = await this.#readItems(itemNumbers)
    return new Map(items.map((facts) => [facts.no, rowRecord(facts, this.#timeZone).bytes]))
  }
}
