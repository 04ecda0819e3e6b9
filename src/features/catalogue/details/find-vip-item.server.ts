import type { CatalogueApp } from '../app.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { isVipType, type Region } from '../item/content-type.ts'
import type { SingleItem } from '../index/single-items.server.ts'

/** A VIP item of a region by its slug, or a free one of early access, if this viewer may see it now (docs/spec/catalogue.md#reading-an-item). */
export async function findVipItem(
  app: CatalogueApp,
  viewer: Viewer,
  { slug, region }: { slug: string; region: Region },
): Promise<SingleItem | undefined> {
  const found = await app.listing.findItem(slug, viewer)
  if (found === undefined || found.item.region !== region) return undefined
  return isVipType(found.item.contentType) || app.listing.isVipFirst(found) ? found : undefined
}
