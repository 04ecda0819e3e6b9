import { CachedResponse, jsonType } from '../../../http/cache/cached-response.ts'
import type { CatalogueApp } from '../app.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'
import { DirectLinks, type LinksBySlot } from '../item/direct-links.server.ts'
import { encodedBody } from '../item/encoding.server.ts'
import { isVipType } from '../item/content-type.ts'
import type { ItemForReader } from '../item/item-with-links-schema.ts'
import type { ItemHealth } from '../item/link-slots.ts'
import type { CatalogueImage } from './image/catalogue-image.server.ts'
import type { ItemRecord } from './image/record-file.server.ts'
import { isListed, type Listable, listingTime, maySeeVip } from './is-listed.ts'
import { type ItemFacts, readItems } from './read-items.server.ts'

/** Makes the addresses for free callers out of the links of an item. */
type Gateway = Pick<CatalogueApp['gateway'], 'linksForFree'>

/** An item with its links and, once somebody has asked for it, its endpoint's finished answer to free callers. */
export class SingleItem {
  readonly no: number
  readonly item: ItemForReader
  readonly links: DirectLinks
  /** States are current; `checkedAt` may be a day old. */
  readonly health: ItemHealth
  /** When the database was asked for it, in milliseconds since 1970. */
  readonly readAt: number
  /** Only published items are read, and the listing leaves out those whose rights have lapsed. */
  readonly listable: Listable
  readonly #gateway: Gateway
  #answer: CachedResponse | undefined

  constructor({ no, item, links, health, readAt }: ItemFacts, gateway: Gateway) {
    this.no = no
    this.item = item
    this.links = links
    this.health = health
    this.readAt = readAt
    const [isVip, postedAt] = [isVipType(item.contentType), Date.parse(item.postDate)]
    this.listable = { isPublished: true, isVip, postedAt, lapsesAt: null }
    this.#gateway = gateway
  }

  /** The direct links, for VIPs and administrators alone. */
  directLinks(viewer: Viewer): LinksBySlot | undefined {
    return maySeeVip(viewer) ? this.links.reveal() : undefined
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
    const links = this.directLinks(viewer) ?? this.#gateway.linksForFree(this.item.slug, this.links)
    return encodedBody({ ...facts, ...links, rights, ...more })
  }
}

type ItemsApp = Pick<CatalogueApp, 'db' | 'config' | 'clock' | 'gateway' | 'log'>

/** The part of the listing that is used here: which items may have a slug, and whether it shows an item to a viewer. */
interface Shown {
  readonly version: number
  numbersOf(slug: string): number[]
  isListed(no: number, viewer: Viewer): boolean
}

/** About four kilobytes each, its answer included. */
const maxCached = 10_000

/** The change feed leaves out checks that change no state: an item is read anew when it is requested after so long. */
const readAnewAfterMs = 86_400_000

/**
 * Items by their slugs; recently requested ones are cached until they change, so that a write elsewhere in the catalogue
 * costs them nothing. Others are read from the image, and those that it lacks from the database. Whether a viewer may see one is
 * decided anew each time.
 */
export class SingleItems {
  readonly #app: ItemsApp
  readonly #listing: Shown
  readonly #image: Pick<CatalogueImage, 'readDetails' | 'store'>
  readonly #cache = new Map<number, SingleItem>()
  readonly #underway = new Map<string, Promise<SingleItem | undefined>>()

  constructor(app: ItemsApp, listing: Shown, image: Pick<CatalogueImage, 'readDetails' | 'store'>) {
    this.#app = app
    this.#listing = listing
    this.#image = image
  }

  /** How many items are in memory. */
  get size(): number {
    return this.#cache.size
  }

  /** To be called for every item that has changed. */
  delete(no: number): void {
    this.#cache.delete(no)
  }

  clear(): void {
    this.#cache.clear()
  }

  /** The item, if it is in memory and this viewer may see it now. */
  peek(slug: string, viewer: Viewer): SingleItem | undefined {
    for (const no of this.#listing.numbersOf(slug)) {
      const cached = this.#cache.get(no)
      if (cached?.item.slug === slug) return this.#isShown(cached, viewer) ? cached : undefined
    }
    return undefined
  }

  /** The item, if this viewer may see it now. */
  async find(slug: string, viewer: Viewer): Promise<SingleItem | undefined> {
    for (const no of this.#listing.numbersOf(slug)) {
      // The listing knows: what it does not show is not read.
      if (!this.#listing.isListed(no, viewer)) continue
      const found = this.#cache.get(no) ?? this.#readRecord(no) ?? (await this.#readOnce(no))
      if (found?.item.slug !== slug) continue
      if (found.readAt < this.#app.clock.now() - readAnewAfterMs) this.#readAnew(no)
      return this.#isShown(found, viewer) ? found : undefined
    }
    return undefined
  }

  /** Items by their numbers, those that this viewer may see now. */
  async findMany(numbers: readonly number[], viewer: Viewer): Promise<SingleItem[]> {
    const found = await Promise.all(
      numbers.map(async (no) => this.#cache.get(no) ?? this.#readRecord(no) ?? this.#readOnce(no)),
    )
    return found.filter((item) => item !== undefined && this.#isShown(item, viewer)) as SingleItem[]
  }

  /** An item that was read may be newer than the listing. */
  #isShown({ no, listable }: SingleItem, viewer: Viewer): boolean {
    return this.#listing.isListed(no, viewer) && isListed(listable, viewer, listingTime(this.#app))
  }

  #readRecord(no: number): SingleItem | undefined {
    const record = this.#image.readDetails(no)
    if (record === undefined) return undefined
    const { links, ...facts } = JSON.parse(record.toString()) as RecordedItem
    return this.#retain(new SingleItem({ no, ...facts, links: DirectLinks.takeFrom(links).links }, this.#app.gateway))
  }

  /** Nobody waits for it: until then the item is as it was. */
  #readAnew(no: number): void {
    this.#readOnce(no).catch((error: unknown) => this.#app.log.warn({ err: error }, 'An item could not be read anew.'))
  }

  /** Requests for the same one at the same time share one read. */
  async #readOnce(no: number): Promise<SingleItem | undefined> {
    const { version } = this.#listing
    const flight = `${version} ${no}`
    const underway = this.#underway.get(flight)
    if (underway !== undefined) return underway
    const reading = readItems(this.#app, [no]).then(([facts]) => {
      const found = facts && new SingleItem(facts, this.#app.gateway)
      // A row that was read during a change may be outdated.
      if (found === undefined || version !== this.#listing.version) return found
      this.#image.store({ details: [detailsRecord(found)] })
      return this.#retain(found)
    })
    this.#underway.set(flight, reading)
    try {
      return await reading
    } finally {
      this.#underway.delete(flight)
    }
  }

  #retain(found: SingleItem): SingleItem {
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size < maxCached) break
      this.#cache.delete(oldest)
    }
    this.#cache.set(found.no, found)
    return found
  }
}

/** An item as the image holds it. */
interface RecordedItem extends Pick<ItemFacts, 'item' | 'health' | 'readAt'> {
  links: LinksBySlot
}

/** The record of an item with its details. */
export function detailsRecord({ no, item, links, health, readAt }: ItemFacts): ItemRecord {
  const record: RecordedItem = { item, links: links.reveal(), health, readAt }
  return { no, bytes: Buffer.from(JSON.stringify(record)) }
}
