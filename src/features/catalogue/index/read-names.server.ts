import { type RawBuilder } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { isVipType } from '../item/content-type.ts'
import { pathOfAnyItem, vipItemPath } from '../item/vip-page.ts'
import { isVipFirst, listingTime } from './is-listed.ts'
import { visibleItems } from './visible-items.server.ts'

/** The name of an item, and the address of its page. */
export interface NamedItem {
  slug: string
  name: string
  path: string
  /** Its post date while that lies ahead: until then its page is there for nobody, or in early access for VIPs. Null from then on. */
  opensAt: string | null
}

/**
 * Reads names and pages of some items from the database, those alone that a viewer may see now.
 * @param isNamed whether an item is one of them
 * @param keyOf the key of an item in the result
 */
export async function readNames(
  app: Pick<CatalogueApp, 'db' | 'config' | 'clock'>,
  {
    isNamed,
    viewer,
    keyOf,
  }: {
    isNamed: RawBuilder<boolean>
    viewer: Viewer
    keyOf: (item: { id: string; slug: string }) => string
  },
): Promise<Map<string, NamedItem>> {
  const time = listingTime(app)
  const rows = await visibleItems(app.db, viewer, time)
    .select([
      'items.id',
      'items.slug',
      'items.name',
      'items.content_type as contentType',
      'categories.name as category',
      'items.post_date',
    ])
    .where(isNamed)
    .execute()
  return new Map(
    rows.map(({ id, slug, name, post_date: postDate, ...kind }) => {
      const opensAt = postDate.getTime() > time.now ? postDate.toISOString() : null
      const vipFirst = isVipFirst({ isVip: isVipType(kind.contentType), postedAt: postDate.getTime() }, time)
      const path = vipFirst ? vipItemPath({ slug, vipFirst, ...kind }) : pathOfAnyItem({ slug, ...kind })
      return [keyOf({ id, slug }), { slug, name, path, opensAt }]
    }),
  )
}
