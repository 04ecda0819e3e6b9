import { sql } from 'kysely'
import { CachedResponse, jsonType } from '../../../http/cache/response-cache.ts'
import type { CatalogueApp } from '../app.ts'
import type { Viewer } from '../../accounts/user/viewer.ts'
import type { ContentType, Region } from '../item/content-type.ts'
import { encodePayload } from '../item/encoding.server.ts'
import { maySeeVip } from './is-listed.ts'
import { visibleItems } from './visible-items.server.ts'

/** One item as those who may see it get it on the wire. */
export interface ItemForReader {
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
  link: string | null
  link2: string | null
  linkG: string | null
  linkP: string | null
  linkMV1: string | null
  linkMV2: string | null
  linkMV3: string | null
  linkMV4: string | null
  rights: { basis: string; holder: string | null; licence: string | null }
}

/** An item and, once somebody has asked for it, its endpoint's finished answer. */
export class SingleItem {
  readonly no: number
  readonly item: ItemForReader
  #answer: CachedResponse | undefined

  constructor(no: number, item: ItemForReader) {
    this.no = no
    this.item = item
  }

  get answer(): CachedResponse {
    this.#answer ??= new CachedResponse(200, jsonType, this.body())
    return this.#answer
  }

  /** In bytes of its own: out of Node's common pool, it would hold its neighbours' as long as it is kept. */
  body(): Buffer {
    const text = `{"data":"${encodePayload(this.item)}"}`
    const bytes = Buffer.allocUnsafeSlow(text.length)
    bytes.write(text, 'latin1')
    return bytes
  }
}

/** The part of the listing that is used here: its version, and whether it shows an item to a viewer. */
interface Shown {
  readonly version: number
  isListed(no: number, viewer: Viewer): boolean
}

/** About four kilobytes each, its answer included. */
const maxKept = 10_000

/**
 * Items by their slugs; those asked for lately are kept until they change, so that a write elsewhere in the catalogue
 * costs them nothing. Whether a viewer may see one is decided anew each time.
 */
export class SingleItems {
  readonly #app: Pick<CatalogueApp, 'db' | 'clock'>
  readonly #listing: Shown
  readonly #cache = new Map<string, SingleItem>()
  readonly #underway = new Map<string, Promise<SingleItem | undefined>>()

  constructor(app: Pick<CatalogueApp, 'db' | 'clock'>, listing: Shown) {
    this.#app = app
    this.#listing = listing
  }

  /** To be called for every published item that has changed. A slug belongs to its item for ever. */
  delete(slug: string): void {
    this.#cache.delete(slug)
  }

  clear(): void {
    this.#cache.clear()
  }

  /** The item, if it is at hand and this viewer may see it now. */
  peek(slug: string, viewer: Viewer): SingleItem | undefined {
    const kept = this.#cache.get(slug)
    return kept !== undefined && this.#listing.isListed(kept.no, viewer) ? kept : undefined
  }

  /** The item, if this viewer may see it now. Many who ask for the same one at once wait for one reading. */
  async find(slug: string, viewer: Viewer): Promise<SingleItem | undefined> {
    const kept = this.peek(slug, viewer)
    if (kept !== undefined) return kept
    if (!isSlug(slug)) return undefined
    const { version } = this.#listing
    // A reading for somebody who may see more is none for somebody who may not.
    const flight = `${version} ${maySeeVip(viewer) ? 'vip' : 'free'} ${slug}`
    const underway = this.#underway.get(flight)
    if (underway !== undefined) return underway
    const reading = this.#read(slug, viewer, version)
    this.#underway.set(flight, reading)
    try {
      return await reading
    } finally {
      this.#underway.delete(flight)
    }
  }

  async #read(slug: string, viewer: Viewer, version: number): Promise<SingleItem | undefined> {
    const { db, clock } = this.#app
    const row = await visibleItems(db, viewer, clock.now())
      .select([
        'items.no',
        'items.id',
        'items.name',
        'items.slug',
        'categories.name as category',
        sql<ContentType>`items.content_type`.as('contentType'),
        sql<Region>`items.region`.as('region'),
        'items.post_date',
        'items.created_at',
        'items.updated_at',
        'items.rating',
        'items.link',
        'items.link2',
        'items.link_g as linkG',
        'items.link_p as linkP',
        'items.link_mv1 as linkMV1',
        'items.link_mv2 as linkMV2',
        'items.link_mv3 as linkMV3',
        'items.link_mv4 as linkMV4',
        sql<string>`items.rights_basis`.as('basis'),
        'items.rights_holder as holder',
        'items.rights_licence as licence',
      ])
      .where('items.slug', '=', slug)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { no, post_date, created_at, updated_at, basis, holder, licence, ...rest } = row
    const item = {
      ...rest,
      postDate: post_date.toISOString(),
      createdAt: created_at.toISOString(),
      updatedAt: updated_at.toISOString(),
      rights: { basis, holder, licence },
    }
    const found = new SingleItem(no, item)
    // Rows that were read during a change may be outdated.
    if (version === this.#listing.version) this.#keep(slug, found)
    return found
  }

  #keep(slug: string, found: SingleItem): void {
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size < maxKept) break
      this.#cache.delete(oldest)
    }
    this.#cache.set(slug, found)
  }
}

/** Anything else is in no item, and parts of it the database would not take for text. */
function isSlug(text: string): boolean {
  return /^[a-z0-9-]{1,120}$/.test(text)
}
