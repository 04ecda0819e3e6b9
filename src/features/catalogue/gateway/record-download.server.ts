import type { Queryable } from '../../../db/queryable.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { DirectLinks } from '../item/direct-links.server.ts'
import type { LinkSlot } from '../item/link-slots.ts'

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
