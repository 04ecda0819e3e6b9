import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { dayOf } from '../../platform/site-time.ts'
import type { Viewer } from '../accounts/viewer.ts'
import { type ContentType, isVipType, type Region } from './content-type.ts'
import { base64Piece } from './encoding.server.ts'
import type { ItemRow } from './listing.ts'

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
}

export interface Fragment {
  /** Different for every reading: the same serial means the same content. */
  serial: number
  item: ItemForList
  /** The post date, in milliseconds since 1970. */
  postedAt: number
  /** The item as a line of a page. */
  row: ItemRow
  /** The item's JSON as a base64 piece. */
  piece: string
}

const betweenFields = '\x1f'
const betweenItems = '\x1e'

/** One item as the database writes it; names in JSON, instants in milliseconds. */
type Line = [
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

/** About what one fragment holds in memory besides its text. */
const overheadBytes = 300

/**
 * The items of lists, ready made: a page of 300 is 300 look-ups and one join of strings. Bounded in bytes; what was
 * read first leaves first. The listing forgets an item here when it changes.
 */
export class ItemFragments {
  readonly #db: Kysely<Database>
  readonly #timeZone: string
  readonly #capacityBytes: number
  readonly #fragments = new Map<number, Fragment>()
  #bytes = 0
  #serial = 0
  /** Raised whenever something is forgotten: what was being read meanwhile may be of before, and is not kept. */
  #epoch = 0

  constructor(db: Kysely<Database>, timeZone: string, capacityBytes = 96 * 1024 * 1024) {
    this.#db = db
    this.#timeZone = timeZone
    this.#capacityBytes = capacityBytes
  }

  /** To be called for every item that has changed, once the change is committed. */
  forget(no: number): void {
    this.#epoch += 1
    this.#drop(no)
  }

  #drop(no: number): void {
    const fragment = this.#fragments.get(no)
    if (fragment === undefined) return
    this.#bytes -= sizeOf(fragment)
    this.#fragments.delete(no)
  }

  clear(): void {
    this.#epoch += 1
    this.#fragments.clear()
    this.#bytes = 0
  }

  /**
   * The fragments of these items in their order. What is read may be newer than the listing that named it: an item that
   * has gone meanwhile, or has become one that this viewer may not see now, is left out.
   * @param now milliseconds since 1970
   */
  async read(nos: number[], viewer: Viewer, now: number): Promise<Fragment[]> {
    const missing = nos.filter((no) => !this.#fragments.has(no))
    const fresh = missing.length === 0 ? undefined : await this.#load(missing)
    const found: Fragment[] = []
    for (const no of nos) {
      const fragment = this.#fragments.get(no) ?? fresh?.get(no)
      if (fragment !== undefined && isVisible(fragment, viewer, now)) found.push(fragment)
    }
    return found
  }

  async #load(nos: number[]): Promise<Map<number, Fragment>> {
    const epoch = this.#epoch
    // One value for all rows, and no more JSON in it than control characters in a name ask for: the database takes
    // less than half the time over it than over rows or JSON.
    const { rows } = await sql<{ lines: string | null }>`
      select string_agg(concat_ws(${betweenFields}, i.no, i.id, to_json(i.name)::text, i.slug, to_json(c.name)::text,
                                  i.content_type, i.region, i.rating, date_part('epoch', i.post_date) * 1000,
                                  date_part('epoch', i.created_at) * 1000, date_part('epoch', i.updated_at) * 1000),
                        ${betweenItems}) as lines
        from items i join categories c on c.id = i.category_id
       where i.status = 'published' and i.no = any(${nos}::int[])`.execute(this.#db)
    const fresh = new Map<number, Fragment>()
    const lines = rows[0]?.lines
    for (const line of lines == null ? [] : lines.split(betweenItems)) {
      const [number, id, name, slug, category, contentType, region, rating, postDate, createdAt, updatedAt] =
        line.split(betweenFields) as Line
      const no = Number(number)
      const item: ItemForList = {
        id,
        name: JSON.parse(name) as string,
        slug,
        category: JSON.parse(category) as string,
        contentType,
        region,
        postDate: instantOf(postDate),
        createdAt: instantOf(createdAt),
        updatedAt: instantOf(updatedAt),
        rating,
      }
      this.#serial += 1
      const fragment = {
        serial: this.#serial,
        item,
        postedAt: Date.parse(item.postDate),
        row: rowOf(item, this.#timeZone),
        piece: base64Piece(JSON.stringify(item)),
      }
      fresh.set(no, fragment)
      if (epoch === this.#epoch) this.#keep(no, fragment)
    }
    return fresh
  }

  #keep(no: number, fragment: Fragment): void {
    this.#drop(no)
    this.#fragments.set(no, fragment)
    this.#bytes += sizeOf(fragment)
    for (const oldest of this.#fragments.keys()) {
      if (this.#bytes <= this.#capacityBytes) break
      this.#drop(oldest)
    }
  }
}

function isVisible({ item, postedAt }: Fragment, viewer: Viewer, now: number): boolean {
  return postedAt <= now && (viewer.isVip || !isVipType(item.contentType))
}

function rowOf({ name, slug, category, contentType, postDate }: ItemForList, timeZone: string): ItemRow {
  return { name, slug, category, contentType, day: dayOf(Date.parse(postDate), timeZone) }
}

/** Whole milliseconds, like everywhere else; the half microsecond is for what the multiplication may have lost. */
function instantOf(milliseconds: string): string {
  return new Date(Math.floor(Number(milliseconds) + 0.0005)).toISOString()
}

function sizeOf(fragment: Fragment): number {
  // The item's strings and their base64 hold about the same number of bytes.
  return fragment.piece.length * 2 + overheadBytes
}
