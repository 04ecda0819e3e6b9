import { randomUUID } from 'node:crypto'
import { isDatabaseUnavailable } from '../../../platform/database-outages.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { isLinkSlot, type LinkSlot } from '../item/link-slots.ts'
import { limitPassages, mayCount } from './gateway-limits.server.ts'
import { locationOf } from './linkvertise.server.ts'
import { recordDownload, unknownPassage } from './record-download.server.ts'
import { issueTicket } from './ticket.server.ts'

/**
 * Begins the way from an item's page to a link: to a new ticket, the provider, or, without a gateway, the link. A
 * provider on another site that fails is skipped.
 * @param input.isCounted whether the download counts; a HEAD does not
 * @throws {AppError} `passage.unknown`, 404, for everything that a free visitor may not see; `limit.exceeded`, 429
 */
export async function startPassage(
  app: CatalogueApp,
  { slug, slot, address, isCounted }: { slug: string; slot: string; address: string; isCounted: boolean },
): Promise<string> {
  await limitPassages(app, address)
  const found = isLinkSlot(slot) ? await app.listing.findItem(slug, anonymous) : undefined
  const link = found?.links.reveal()[slot as LinkSlot]
  if (found === undefined || link === undefined || link === null) throw unknownPassage()
  const wanted = { slug, slot: slot as LinkSlot }
  const { gateway } = app
  let to: string | undefined
  if (gateway.isGated(link)) {
    if (gateway.state.inForce === 'local') {
      // It counts when it is served. A failure here is an outage of the site, and opens nothing.
      const ticket = await issueTicket(app, wanted)
      gateway.recordSuccess()
      return `/go/${ticket}`
    }
    try {
      to = gateway.linkvertiseAddressOf(link)
      gateway.recordSuccess()
    } catch (error) {
      gateway.recordFailure(error)
    }
  }
  const { id: itemId } = found.item
  if (isCounted && (await mayCount(app, { address, itemId }))) {
    try {
      await recordDownload(app, app.db, { id: randomUUID(), itemId, ...wanted, links: found.links, tier: 'free' })
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      gateway.recordUncounted(error)
    }
  }
  return to ?? locationOf(link)
}
