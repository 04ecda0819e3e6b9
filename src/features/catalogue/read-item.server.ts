import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/site-time.ts'
import { anonymous } from '../accounts/viewer.ts'
import { type ContentType, type FreePage, freePageOf, itemPath, type Region } from './content-type.ts'
import type { Download, ItemDetail } from './listing.ts'
import { basisName, licenceAddress } from './rights-line.ts'
import { fileHostOf } from './file-hosts.ts'
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

/**
 * A free item by its slug, if it is visible now; undefined otherwise, also for a VIP item: its existence is not told.
 * @param region only an item of this region, for the endpoints that belong to one
 */
export async function findFreeItem(app: App, slug: string, region?: Region): Promise<ItemForVisitor | undefined> {
  if (!isSlug(slug)) return undefined
  const row = await visibleItems(app.db, anonymous, app.clock.now())
    .select([
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
    .$if(region !== undefined, (query) => query.where('items.region', '=', region as Region))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { post_date, created_at, updated_at, basis, holder, licence, ...item } = row
  return {
    ...item,
    postDate: post_date.toISOString(),
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
    rights: { basis, holder, licence },
  }
}

/** Anything else is in no item, and parts of it the database would not take for text. */
function isSlug(text: string): boolean {
  return /^[a-z0-9-]{1,120}$/.test(text)
}

/** What a detail page's address leads to. */
export type ItemOnPage = { kind: 'found'; item: ItemDetail } | { kind: 'moved'; to: string } | { kind: 'absent' }

/**
 * The item of a free detail page. One that belongs on another page is pointed at there; the banned and unknown pages
 * accept an item only when its category is theirs (PRODUCT.md, sections 3 and 12).
 */
export async function readItem(app: App, { page, slug }: { page: FreePage; slug: string }): Promise<ItemOnPage> {
  const item = await findFreeItem(app, slug)
  if (item === undefined) return { kind: 'absent' }
  const own = freePageOf(item)
  if ((own === 'banned' || own === 'unknown') && item.category.toLowerCase() !== own) return { kind: 'absent' }
  if (own !== page) return { kind: 'moved', to: itemPath(item) }
  return {
    kind: 'found',
    item: {
      name: item.name,
      slug: item.slug,
      category: item.category,
      contentType: item.contentType,
      region: item.region,
      postDate: item.postDate,
      day: dayOf(Date.parse(item.postDate), app.config.timeZone),
      rating: item.rating,
      downloads: downloadsOf(app, item),
      rights: {
        basis: basisName(item.rights.basis),
        holder: item.rights.holder,
        licence: item.rights.licence,
        licenceUrl: licenceAddress(item.rights.licence),
      },
    },
  }
}

/** One button a file host that has a link: the slot's own, else its alternate (PRODUCT.md, section 3). */
function downloadsOf(app: App, item: ItemForVisitor): Download[] {
  const slots = [
    ['A', item.link ?? item.linkMV1],
    ['B', item.linkG ?? item.linkMV3],
    ['C', item.linkP ?? item.linkMV2],
  ] as const
  return slots.flatMap(([host, url]) =>
    url === null ? [] : [{ host, url, label: fileHostOf(url, app.config.fileHosts)?.label ?? new URL(url).hostname }],
  )
}
