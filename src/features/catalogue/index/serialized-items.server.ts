import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { Viewer } from '../../accounts/user/viewer.ts'
import { type ContentType, isVipType, type Region } from '../item/content-type.ts'
import { base64Chunk } from '../item/encoding.server.ts'
import type { ItemRow } from '../item/listing.ts'
import { isListed, isVipFirst, type Listable, type ListingTime } from './is-listed.ts'

/** An item as lists carry it, on the wire and in pages. No links: a list needs none, and what is not sent cannot leak. */
export interface ItemForList {
  id: string
  name: string
  slug: string
  category: string
  contentType: ContentType
  region: Region
  postDate: string
  createdAt: string
  updatedAt: string
  rating: 'general' | 'mature'
  /** A free item that is only VIPs' until its post date. */
  vipFirst?: true
}

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
    if (this.#row === undefined) {
      const { name, slug, category, contentType } = this.item
      this.#row = { name, slug, category, contentType, day: dayOf(this.postedAt, this.#timeZone) }
    }
    return this.#row
  }

  /** The same as VIPs get it in early access. It is not kept: the mark goes with the clock. */
  asVipFirst(): SerializedItem {
    const chunk = base64Chunk(JSON.stringify({ ...this.item, vipFirst: true }))
    return new SerializedItem(-this.serial, this.isVip, this.postedAt, chunk, this.#timeZone)
  }
}

/** As the database writes a row (`item_row_text`). */
const betweenFields = '\x1f'

/** The parts of a row: its number, and the item's values in the order of the wire, instants as JSON has them. */
type Parts = [
  no: string,
  id: string,
  name: string,
  slug: string,
  category: string,
  contentType: ContentType,
  region: Region,
  rating: ItemForList['rating'],
  postDate: string,
  createdAt: string,
  updatedAt: string,
]

/** About what one serialized item holds in memory besides its text. */
const overheadBytes = 300

/**
 * The items of lists, serialized: a page of 300 is 300 look-ups and one join of strings. Bounded in bytes; the oldest
 * leave first. The listing deletes an item here when it changes. Missing items are read from `item_rows`, which holds
 * published items only.
 */
export class SerializedItems {
  readonly #db: Queryable<CatalogueDatabase>
  readonly #timeZone: string
  readonly #capacityBytes: number
  readonly #serialized = new Map<number, SerializedItem>()
  #bytes = 0
  #serial = 0
  /** Raised whenever something is forgotten: what was being read meanwhile may be of before, and is not kept. */
  #epoch = 0

  constructor(db: Queryable<CatalogueDatabase>, timeZone: string, capacityBytes = 96 * 1024 * 1024) {
    this.#db = db
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

  async #load(itemNumbers: number[]): Promise<Map<number, SerializedItem>> {
    const epoch = this.#epoch
    // One value for all rows, and one text for all numbers: the least that can be handed over.
    const { rows } = await sql<{ rows: string | null }>`
      /* prepared: rows-of-items */
      select string_agg(row, e'\\x1e') as rows from item_rows where no = any(${`{${itemNumbers.join(',')}}`}::text::int[])`.execute(
      this.#db,
    )
    const fresh = new Map<number, SerializedItem>()
    const texts = rows[0]?.rows
    for (const text of texts == null ? [] : texts.split('\x1e')) {
      const parts = text.split(betweenFields) as Parts
      const no = Number(parts[0])
      const serializedItem = this.#made(parts)
      fresh.set(no, serializedItem)
      if (epoch === this.#epoch) this.#keep(no, serializedItem)
    }
    return fresh
  }

  #made(parts: Parts): SerializedItem {
    const [, id, name, slug, category, contentType, region, rating] = parts
    const [postDate, createdAt, updatedAt] = [instantOf(parts[8]), instantOf(parts[9]), instantOf(parts[10])]
    // Put together by hand: only names have anything to escape.
    const json =
      `{"id":"${id}","name":${JSON.stringify(name)},"slug":"${slug}","category":${JSON.stringify(category)}` +
      `,"contentType":"${contentType}","region":"${region}","postDate":"${postDate}","createdAt":"${createdAt}"` +
      `,"updatedAt":"${updatedAt}","rating":"${rating}"}`
    this.#serial += 1
    return new SerializedItem(
      this.#serial,
      isVipType(contentType),
      Date.parse(postDate),
      base64Chunk(json),
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

/** `item_rows` holds published items only; the listing that named the item has left out those whose rights have lapsed. */
function listable({ isVip, postedAt }: SerializedItem): Listable {
  return { isPublished: true, isVip, postedAt, lapsesAt: null }
}

/** A year that has not four digits comes in milliseconds. */
function instantOf(text: string): string {
  return text.endsWith('Z') ? text : new Date(Number(text)).toISOString()
}

function sizeOf(serializedItem: SerializedItem): number {
  // The row's strings hold fewer bytes than the piece.
  return serializedItem.chunk.length * 2 + overheadBytes
}
