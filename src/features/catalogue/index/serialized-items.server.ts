import type * as z from 'zod/mini'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { isVipType } from '../item/content-type.ts'
import { base64Chunk } from '../item/encoding.server.ts'
import { listFields } from '../item/fields.ts'
import type { itemFields, vipFirstField } from '../item/item-with-links-schema.ts'
import { type ItemRow, rowOf } from '../item/listing.ts'
import type { CatalogueImage } from './image/catalogue-image.server.ts'
import type { ItemRecord } from './image/record-file.server.ts'
import type { ItemFacts } from './read-items.server.ts'
import { isListed, isVipFirst, type Listable, type ListingTime } from './is-listed.ts'

/** An item as lists carry it, on the wire and in pages. No links: a list needs none, and what is not sent cannot leak. */
export type ItemForList = z.infer<z.ZodMiniObject<typeof itemFields & typeof vipFirstField>>

/** One item of a list, ready made. Its JSON is on the wire as it stands; who needs it as an object has it read. */
export class SerializedItem {
  /** Different for every reading: the same serial means the same content. */
  readonly serial: number
  readonly isVip: boolean
  /** The post date, in milliseconds since 1970. */
  readonly postedAt: number
  /** The item's JSON as a base64 piece. */
  readonly chunk: string
  readonly #timeZone: string
  #row: ItemRow | undefined

  constructor(serial: number, isVip: boolean, postedAt: number, chunk: string, timeZone: string) {
    this.serial = serial
    this.isVip = isVip
    this.postedAt = postedAt
    this.chunk = chunk
    this.#timeZone = timeZone
  }

  get item(): ItemForList {
    return JSON.parse(Buffer.from(this.chunk, 'base64').toString()) as ItemForList
  }

  /** The item as a line of a page; made once. */
  get row(): ItemRow {
    this.#row ??= rowOf(this.item, dayOf(this.postedAt, this.#timeZone))
    return this.#row
  }

  /** The same as VIPs get it in early access. It is not kept: the mark goes with the clock. */
  asVipFirst(): SerializedItem {
    const chunk = base64Chunk(JSON.stringify({ ...this.item, vipFirst: true }))
    return new SerializedItem(-this.serial, this.isVip, this.postedAt, chunk, this.#timeZone)
  }
}

/** At the beginning of the record of a VIP item. */
const vipMark = 0x56

/** The record of an item of lists: its tier, its post date and its piece. Every byte is a character. */
export function rowRecord({ no, item }: Pick<ItemFacts, 'no' | 'item'>): ItemRecord {
  const { id, createdAt, updatedAt } = item
  const listed = { id, ...Object.fromEntries(listFields.map((name) => [name, item[name]])), createdAt, updatedAt }
  const tier = isVipType(item.contentType) ? String.fromCharCode(vipMark) : '-'
  const text = `${tier}${Date.parse(item.postDate)} ${base64Chunk(JSON.stringify(listed))}`
  return { no, bytes: Buffer.from(text, 'latin1') }
}

/** About what one serialized item holds in memory besides its text. */
const overheadBytes = 300

/**
 * The items of lists, serialized: a page of 300 is 300 look-ups and one join of strings. Bounded in bytes; the oldest
 * leave first. The listing deletes an item here when it changes. Others are read from the image, and those that it lacks from
 * the database.
 */
export class SerializedItems {
  readonly #readItems: (itemNumbers: readonly number[]) => Promise<ItemFacts[]>
  readonly #image: Pick<CatalogueImage, 'readRows'>
  readonly #timeZone: string
  readonly #capacityBytes: number
  readonly #serialized = new Map<number, SerializedItem>()
  #bytes = 0
  #serial = 0
  /** Raised whenever something is forgotten: what was being read meanwhile may be of before, and is not kept. */
  #epoch = 0

  constructor(
    readFromDatabase: (itemNumbers: readonly number[]) => Promise<ItemFacts[]>,
    image: Pick<CatalogueImage, 'readRows'>,
    timeZone: string,
    capacityBytes = 32 * 1024 * 1024,
  ) {
    this.#readItems = readFromDatabase
    this.#image = image
    this.#timeZone = timeZone
    this.#capacityBytes = capacityBytes
  }

  /** To be called for every item that has changed, once the change is committed. */
  delete(no: number): void {
    this.#epoch += 1
    this.#drop(no)
  }

  #drop(no: number): void {
    const serializedItem = this.#serialized.get(no)
    if (serializedItem === undefined) return
    this.#bytes -= sizeOf(serializedItem)
    this.#serialized.delete(no)
  }

  clear(): void {
    this.#epoch += 1
    this.#serialized.clear()
    this.#bytes = 0
  }

  /**
   * The serialized forms of these items in their order. A row may be newer than the listing that named it: an item that
   * has gone meanwhile, or that this viewer may not see now, is left out.
   */
  async read(itemNumbers: number[], viewer: Viewer, time: ListingTime): Promise<SerializedItem[]> {
    const missing = itemNumbers.filter((no) => !this.#serialized.has(no))
    const fresh = missing.length === 0 ? undefined : await this.#load(missing)
    const found: SerializedItem[] = []
    for (const no of itemNumbers) {
      const serializedItem = this.#serialized.get(no) ?? fresh?.get(no)
      if (serializedItem === undefined || !isListed(listable(serializedItem), viewer, time)) continue
      found.push(isVipFirst(serializedItem, time) ? serializedItem.asVipFirst() : serializedItem)
    }
    return found
  }

  async #load(itemNumbers: readonly number[]): Promise<Map<number, SerializedItem>> {
    const fresh = new Map<number, SerializedItem>()
    const records = this.#image.readRows(itemNumbers)
    const others: number[] = []
    for (const [i, no] of itemNumbers.entries()) {
      const record = records[i]
      if (record === undefined) others.push(no)
      else fresh.set(no, this.#recorded(record))
    }
    const epoch = this.#epoch
    if (others.length > 0)
      for (const facts of await this.#readItems(others)) fresh.set(facts.no, this.#recorded(rowRecord(facts).bytes))
    if (epoch === this.#epoch) for (const [no, item] of fresh) this.#keep(no, item)
    return fresh
  }

  #recorded(record: Buffer): SerializedItem {
    const end = record.indexOf(' ')
    this.#serial += 1
    return new SerializedItem(
      this.#serial,
      record[0] === vipMark,
      Number(record.toString('latin1', 1, end)),
      record.toString('latin1', end + 1),
      this.#timeZone,
    )
  }

  #keep(no: number, serializedItem: SerializedItem): void {
    this.#drop(no)
    this.#serialized.set(no, serializedItem)
    this.#bytes += sizeOf(serializedItem)
    for (const oldest of this.#serialized.keys()) {
      if (this.#bytes <= this.#capacityBytes) break
      this.#drop(oldest)
    }
  }
}

/** Only published items are read; the listing that named the item has left out those whose rights have lapsed. */
function listable({ isVip, postedAt }: SerializedItem): Listable {
  return { isPublished: true, isVip, postedAt, lapsesAt: null }
}

function sizeOf(serializedItem: SerializedItem): number {
  // The row's strings hold fewer bytes than the piece.
  return serializedItem.chunk.length * 2 + overheadBytes
}
