import type { Queryable } from '../../../db/queryable.ts'
import { defineError } from '../../../platform/errors.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { DirectLinks } from '../item/direct-links.server.ts'
import { type LinkSlot, isLinkSlot } from '../item/link-slots.ts'
import { randomUUID } from 'node:crypto'
import { whileSignedIn } from '../../accounts/sessions/while-signed-in.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { rememberDownload } from '../saved/download-history.server.ts'
import { limitDownloads } from './gateway-limits.server.ts'

interface BegunDownload {
  /** Counts once, however often it is recorded. */
  id: string
  itemId: string
  slot: LinkSlot
  links: DirectLinks
  tier: 'free' | 'vip'
  /** The member who counts once a day; their name is taken off when the day is over. */
  userId?: string
}

/**
 * Counts a download that somebody has begun (docs/spec/catalogue.md#download-events). A member counts once a day for each
 * link.
 */
export async function recordDownload(
  { config, clock }: Pick<CatalogueApp, 'config' | 'clock'>,
  db: Queryable<CatalogueDatabase>,
  { id, itemId, slot, links, tier, userId }: BegunDownload,
): Promise<void> {
  const place = links.placeOf(slot, config.fileHosts)
  if (place === undefined) throw new TypeError('A download from an empty slot was to be counted.')
  await db
    .insertInto('download_events')
    .values({
      id,
      item_id: itemId,
      slot,
      host: place.label,
      tier,
      day: dayOf(clock.now(), config.timeZone),
      user_id: userId ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

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
  await whileSignedIn(recordDownload(app, app.db, download))
  await rememberDownload(app, viewer, { slug, slot })
}

/** The same answer for a hidden item and for one that does not exist. */
export const unknownPassage = defineError({
  code: 'passage.unknown',
  status: 404,
  sentence: 'There is no download at this address.',
  remedy: 'Take slug and slot from an entry that you are shown.',
})
