import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import { anonymous } from '../accounts/viewer.ts'
import type { ContentType, Region } from './content-type.ts'
import { encodePayload } from './encoding.server.ts'
import { visibleItems } from './visible-items.server.ts'

/** One free item as its readers get it on the wire. */
export interface ItemForVisitor {
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

/** A free item and its payload on the wire, ready made. */
export interface FreeItem {
  item: ItemForVisitor
  encoded: string
}

/** What this asks the listing: which state of the catalogue it shows, and whether an item is on view in it. */
interface Shown {
  readonly version: number
  shows(no: number): boolean
}

/** About a kilobyte each. */
const mostKept = 10_000

/**
 * Free items by their slugs; those asked for lately are kept until they change, so that a write elsewhere in the
 * catalogue costs them nothing. Whether one is visible is decided anew each time.
 */
export class FreeItems {
  readonly #app: Pick<App, 'db' | 'clock'>
  readonly #listing: Shown
  readonly #kept = new Map<string, FreeItem & { no: number }>()

  constructor(app: Pick<App, 'db' | 'clock'>, listing: Shown) {
    this.#app = app
    this.#listing = listing
  }

  /** To be called for every published item that has changed. A slug belongs to its item for ever. */
  forget(slug: string): void {
    this.#kept.delete(slug)
  }

  clear(): void {
    this.#kept.clear()
  }

  /** The item, if it is visible now. */
  async find(slug: string): Promise<FreeItem | undefined> {
    const kept = this.#kept.get(slug)
    if (kept !== undefined && this.#listing.shows(kept.no)) return kept
    if (!isSlug(slug)) return undefined
    const { version } = this.#listing
    const { db, clock } = this.#app
    const row = await visibleItems(db, anonymous, clock.now())
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
    const found = { no, item, encoded: encodePayload(item) }
    // What was read while the catalogue changed may be of before.
    if (version === this.#listing.version) this.#keep(slug, found)
    return found
  }

  #keep(slug: string, found: FreeItem & { no: number }): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < mostKept) break
      this.#kept.delete(oldest)
    }
    this.#kept.set(slug, found)
  }
}

/** Anything else is in no item, and parts of it the database would not take for text. */
function isSlug(text: string): boolean {
  return /^[a-z0-9-]{1,120}$/.test(text)
}
