import { sql } from 'kysely'
import { anonymous } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { locationOf } from './linkvertise.server.ts'
import { openTicket, type TicketState } from './open-ticket.server.ts'
import { recordDownload } from './record-download.server.ts'
import { readSignedTicket, ticketMinutes } from './ticket.server.ts'

/**
 * Redeems a ticket for its link, once: when the wait is over and visitors may still see the item with that link. The
 * download is counted in the same transaction.
 * @returns the address of the link, or the state of a ticket that cannot be redeemed
 * @throws {AppError} `passage.unknown`, 404, for a ticket that this site has not signed
 */
export async function redeemTicket(
  app: CatalogueApp,
  text: string,
): Promise<{ kind: 'passed'; location: string } | TicketState> {
  const ticket = await readSignedTicket(app, text)
  const found = ticket === undefined ? undefined : await app.listing.findItem(ticket.slug, anonymous)
  // As it is now: it may have been changed since the ticket was issued.
  const link = ticket === undefined ? undefined : found?.links.reveal()[ticket.slot]
  if (ticket !== undefined && found !== undefined && link !== undefined && link !== null) {
    const isServed = await app.db.transaction().execute(async (trx) => {
      const { rows } = await sql`
        update gateway_tickets set served_at = now()
         where id = ${ticket.id}::uuid and served_at is null and ready_at <= now()
           and issued_at > now() - make_interval(mins => ${ticketMinutes}::int)
        returning id`.execute(trx)
      if (rows.length === 0) return false
      const { id, slot } = ticket
      await recordDownload(app, trx, { id, itemId: found.item.id, slot, links: found.links, tier: 'free' })
      return true
    })
    if (isServed) return { kind: 'passed', location: locationOf(link) }
  }
  return openTicket(app, text, { isOpening: false })
}
