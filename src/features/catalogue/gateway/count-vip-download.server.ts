import { randomUUID } from 'node:crypto'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { isLinkSlot, type LinkSlot } from '../item/link-slots.ts'
import { rememberDownload } from '../saved/download-history.server.ts'
import { limitDownloads } from './gateway-limits.server.ts'
import { recordDownload } from './record-download.server.ts'
import { unknownPassage } from './start-passage.server.ts'

/**
 * Counts and remembers a direct link that a VIP has opened, as their browser reports it: the link itself leads to the file host and
 * does not pass this server.
 * @throws {AppError} `passage.unknown`, 404, for an item that this viewer may not see, and for an empty slot; `limit.exceeded`, 429
 */
export async function countVipDownload(
  app: CatalogueApp,
  viewer: Viewer,
  { slug, slot }: { slug: string; slot: string },
): Promise<void> {
  const { id: userId } = requireMember(viewer)
  await limitDownloads(app, userId)
  const found = isLinkSlot(slot) ? await app.listing.findItem(slug, viewer) : undefined
  if (found?.links.has(slot as LinkSlot) !== true) throw unknownPassage()
  const { id: itemId } = found.item
  const download = {
    id: randomUUID(),
    itemId,
    slot: slot as LinkSlot,
    links: found.links,
    tier: 'vip',
    userId,
  } as const
  await recordDownload(app, app.db, download)
  await rememberDownload(app, viewer, { slug, slot })
}
