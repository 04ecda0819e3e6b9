import type { CatalogueApp } from '../app.ts'
import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import { isVipType, type Region } from '../item/content-type.ts'
import type { SingleItem } from '../index/single-items.server.ts'

/**
 * A free item of a region by its slug, if this viewer may see it now (docs/spec/catalogue.md#reading-an-item). A VIP item is
 * not found here, whoever asks.
 */
export async function findFreeItem(
  app: CatalogueApp,
  viewer: Viewer,
  { slug, region }: { slug: string; region: Region },
): Promise<SingleItem | undefined> {
  const found = await app.listing.findItem(slug, viewer)
  // In early access it is read by the VIP calls.
  if (found !== undefined && app.listing.isVipFirst(found) && !hasRole(viewer, 'admin')) return undefined
  return found !== undefined && !isVipType(found.item.contentType) && found.item.region === region ? found : undefined
}
