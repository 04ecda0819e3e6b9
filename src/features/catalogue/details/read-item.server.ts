import type { CatalogueApp } from '../app.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import type { Scope } from '../../../http/cache/response-cache.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { type FreePage, freePageOf, isVipType, itemPath } from '../item/content-type.ts'
import type { SingleItem } from '../index/single-items.server.ts'
import type { Download, ItemDetail } from '../item/listing.ts'
import type { TombstoneOnPage } from '../item/tombstone.ts'
import { factsOnPage, mirrorsOnPage } from '../item/item-on-page.ts'
import { removedItem } from '../removal/removed-item.server.ts'
import type { Neighbours } from '../item/neighbours-schema.ts'
import { freeShelves } from '../shelves/free-shelves.ts'
import { neighboursOf } from './neighbours-of.server.ts'

export type ItemOnPage =
  | { kind: 'found'; item: ItemDetail; neighbours: Neighbours; scopes: (Scope | undefined)[] }
  | { kind: 'moved'; to: string }
  | { kind: 'removed'; tombstone: TombstoneOnPage }
  | { kind: 'absent' }

/**
 * The item of a free detail page. One that belongs on another page is pointed at there; the banned and unknown pages
 * accept an item only when its category is theirs (docs/spec/pages.md#details).
 */
export async function readItem(
  app: CatalogueApp,
  { page, slug }: { page: FreePage; slug: string },
): Promise<ItemOnPage> {
  const found = await app.listing.findItem(slug, anonymous)
  if (found === undefined) return readTombstone(app, { page, slug })
  const { item } = found
  const { id: _id, createdAt: _created, updatedAt: _updated, ...facts } = item
  const own = freePageOf(item)
  if ((own === 'banned' || own === 'unknown') && item.category.toLowerCase() !== own) return { kind: 'absent' }
  if (own !== page) return { kind: 'moved', to: itemPath(item) }
  const { health } = found
  const { neighbours, scopes } = await neighboursOf(app, anonymous, { found, shelf: freeShelves[page] })
  return {
    kind: 'found',
    scopes: [app.listing.scopeOfItem(found.no), ...scopes],
    neighbours,
    item: {
      ...facts,
      ...factsOnPage(item, app.config.timeZone),
      downloads: downloadsOf(app, found),
      gateway: { provider: app.gateway.state.inForce, waitSeconds: app.gateway.settings.waitSeconds },
      mirrors: mirrorsOnPage(found.links.countMirrors(health), app.config.timeZone),
    },
  }
}

/** The tombstone of a removed free item, if it is public (docs/spec/publishing.md#tombstones). */
async function readTombstone(
  app: CatalogueApp,
  { page, slug }: { page: FreePage; slug: string },
): Promise<Exclude<ItemOnPage, { kind: 'found' }>> {
  const removed = await removedItem(app.db, slug)
  if (removed === undefined || removed.answer === 404 || isVipType(removed.contentType)) return { kind: 'absent' }
  const own = freePageOf(removed)
  if ((own === 'banned' || own === 'unknown') && removed.category.toLowerCase() !== own) return { kind: 'absent' }
  if (own !== page) return { kind: 'moved', to: itemPath({ ...removed, slug }) }
  const { answer, kind, removedAt, reference } = removed
  return {
    kind: 'removed',
    tombstone: { answer, kind, reference, day: dayOf(Date.parse(removedAt), app.config.timeZone) },
  }
}

/** One button a file host that has a link (docs/spec/pages.md#download-buttons). */
function downloadsOf({ gateway, config }: CatalogueApp, { item, links, health }: SingleItem): Download[] {
  const shown = gateway.linksForFree(item.slug, links)
  return links.offered(health).flatMap((offered) => {
    const place = links.placeOf(offered.slot, config.fileHosts)
    const url = shown[offered.slot]
    if (place === undefined || url === null) return []
    const file = { format: item[`${offered.slot}Format`], size: item[`${offered.slot}Size`] }
    return [
      { ...offered, ...file, url, label: place.label, site: place.site, isGated: place.isFileHost && gateway.isOn },
    ]
  })
}
