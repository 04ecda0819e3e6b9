import { CachedResponse, jsonType } from '../../../http/cache/cached-response.ts'
import type { CatalogueApp } from '../app.ts'
import { anonymous, hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import { DirectLinks, directLinkColumns } from '../item/direct-links.server.ts'
import { encodePayload } from '../item/encoding.server.ts'
import { answersIn, columnsOf, detailFields, detailRights, isStored, listFields, valuesIn } from '../item/fields.ts'
import type { ItemForReader } from '../item/item-with-links-schema.ts'
import { listingTime, maySeeVip } from './is-listed.ts'
import { visibleItems } from './visible-items.server.ts'

/** The columns of an item beside its links. */
const readFields = [...listFields, ...detailFields, ...detailRights]
const storedFacts = readFields.filter(isStored)

/** Makes the addresses for free callers out of the links of an item. */
type Gateway = Pick<CatalogueApp['gateway'], 'linksForFree'>

/** An item with its links and, once somebody has asked for it, its endpoint's finished answer to free callers. */
export class SingleItem {
  readonly no: number
  readonly item: ItemForReader
  readonly links: DirectLinks
  readonly #gateway: Gateway
  #answer: CachedResponse | undefined

  constructor(no: number, item: ItemForReader, links: DirectLinks, gateway: Gateway) {
    this.no = no
    this.item = item
    this.links = links
    this.#gateway = gateway
  }

  get answer(): CachedResponse {
    this.#answer ??= new CachedResponse(200, jsonType, this.body(anonymous))
    return this.#answer
  }

  /**
   * The answer as this viewer gets it: with the direct links for VIPs and administrators, else with those of the gateway.
   * @param more what an answer has beside
   */
  body(viewer: Viewer, more: Readonly<Record<string, unknown>> = {}): Buffer {
    const { rights, ...facts } = this.item
    const links = maySeeVip(viewer) ? this.links.reveal() : this.#gateway.linksForFree(this.item.slug, this.links)
    const text = `{"data":"${encodePayload({ ...facts, ...links, rights, ...more })}"}`
    // Not from Node's pool: a cached slice of it would keep the whole pool in memory.
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
const maxCached = 10_000

/**
 * Items by their slugs; recently requested ones are cached until they change, so that a write elsewhere in the catalogue
 * costs them nothing. Whether a viewer may see one is decided anew each time.
 */
export class SingleItems {
  readonly #app: Pick<CatalogueApp, 'db' | 'config' | 'clock' | 'gateway'>
  readonly #listing: Shown
  readonly #cache = new Map<string, SingleItem>()
  readonly #underway = new Map<string, Promise<SingleItem | undefined>>()

  constructor(app: Pick<CatalogueApp, 'db' | 'config' | 'clock' | 'gateway'>, listing: Shown) {
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
    const cached = this.#cache.get(slug)
    return cached !== undefined && this.#listing.isListed(cached.no, viewer) ? cached : undefined
  }

  /** The item, if this viewer may see it now. Requests for the same one at the same time share one read. */
  async find(slug: string, viewer: Viewer): Promise<SingleItem | undefined> {
    const cached = this.peek(slug, viewer)
    if (cached !== undefined) return cached
    if (!isSlug(slug)) return undefined
    const { version } = this.#listing
    // Viewers who may see different items do not share a read.
    const flight = `${version} ${maySeeVip(viewer)} ${hasRole(viewer, 'admin')} ${slug}`
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
    const { db, gateway } = this.#app
    const row = await visibleItems(db, viewer, listingTime(this.#app))
      .select([
        'items.no',
        'items.id',
        'categories.name as category',
        'items.created_at',
        'items.updated_at',
        ...columnsOf(storedFacts),
        ...directLinkColumns,
      ])
      .where('items.slug', '=', slug)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { links, rest: facts } = DirectLinks.takeFrom(row)
    const stored = valuesIn(facts, readFields)
    const { timeZone } = this.#app.config
    const item = {
      id: facts.id,
      ...answersIn(stored, [...listFields, ...detailFields], timeZone),
      createdAt: facts.created_at.toISOString(),
      updatedAt: facts.updated_at.toISOString(),
      // The gate lets no item without a basis pass.
      rights: answersIn(stored, detailRights, timeZone) as ItemForReader['rights'],
    }
    const found = new SingleItem(facts.no, item, links, gateway)
    // Rows that were read during a change may be outdated.
    if (version === this.#listing.version) this.#retain(slug, found)
    return found
  }

  #retain(slug: string, found: SingleItem): void {
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size < maxCached) break
      this.#cache.delete(oldest)
    }
    this.#cache.set(slug, found)
  }
}

/** No item has any other slug, and PostgreSQL refuses some other texts. */
function isSlug(text: string): boolean {
  return /^[a-z0-9-]{1,120}$/.test(text)
}
