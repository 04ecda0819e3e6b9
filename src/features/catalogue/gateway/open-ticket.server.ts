import { sql } from 'kysely'
import { anonymous } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { itemPath } from '../item/content-type.ts'
import type { LinkPlace } from '../item/file-hosts.ts'
import { readSignedTicket, type Ticket, ticketMinutes } from './ticket.server.ts'
import { locationOf } from './linkvertise.server.ts'
import { recordDownload, unknownPassage } from './record-download.server.ts'

export interface TicketTarget {
  name: string
  path: string
  place: LinkPlace
}

/**
 * The state of a ticket. `unopened`: nobody has opened its page, so its wait has not begun. `gone`: the item or its link was
 * taken away since.
 */
export type TicketState =
  | { kind: 'waiting'; secondsLeft: number; target: TicketTarget }
  | { kind: 'unopened'; target: TicketTarget }
  | { kind: 'expired' | 'served'; target: TicketTarget }
  | { kind: 'gone'; target: undefined }

/**
 * Reads the state of a ticket, and begins its wait where it is opened for the first time.
 * @param options.isOpening whether this request opens it; a HEAD does not
 * @throws {AppError} `passage.unknown`, 404, for one that this site has not signed
 */
export async function openTicket(
  app: CatalogueApp,
  text: string,
  { isOpening }: { isOpening: boolean },
): Promise<TicketState> {
  const ticket = await readSignedTicket(app, text)
  if (ticket === undefined) throw unknownPassage()
  const target = await findTarget(app, ticket)
  if (target === undefined) return { kind: 'gone', target: undefined }
  const { waitSeconds } = app.gateway.settings
  const row = await readRow(app, ticket)
  // Once it is opened, a look writes nothing.
  if (!isOpening || row.secondsLeft !== null || row.isExpired) return stateOf(row, target)
  await sql`
    insert into gateway_tickets (id, issued_at, ready_at)
    select ${ticket.id}::uuid, to_timestamp(${ticket.issuedAt}::float8),
           now() + make_interval(secs => ${waitSeconds}::float8)
     where to_timestamp(${ticket.issuedAt}::float8) > now() - make_interval(mins => ${ticketMinutes}::int)
        on conflict (id) do nothing`.execute(app.db)
  return stateOf(await readRow(app, ticket), target)
}

/** Whether a ticket has expired or was served, and the seconds left, by the clock of the database. */
async function readRow({ db }: Pick<CatalogueApp, 'db'>, { id, issuedAt }: Ticket): Promise<TicketRow> {
  const { rows } = await sql<TicketRow>`
    select to_timestamp(${issuedAt}::float8) <= now() - make_interval(mins => ${ticketMinutes}::int) as "isExpired",
           ticket.served_at is not null as "isServed",
           ceil(extract(epoch from ticket.ready_at - now()))::float8 as "secondsLeft"
      from (select 1) one left join gateway_tickets ticket on ticket.id = ${id}::uuid`.execute(db)
  return rows[0] as TicketRow
}

interface TicketRow {
  isExpired: boolean
  isServed: boolean
  /** Null for one that was never opened. */
  secondsLeft: number | null
}

function stateOf({ isExpired, isServed, secondsLeft }: TicketRow, target: TicketTarget): TicketState {
  if (isServed) return { kind: 'served', target }
  if (isExpired) return { kind: 'expired', target }
  if (secondsLeft === null) return { kind: 'unopened', target }
  return { kind: 'waiting', secondsLeft: Math.max(0, secondsLeft), target }
}

/** @returns undefined where a free visitor is not shown the item any more, or it has no such link */
async function findTarget(app: CatalogueApp, { slug, slot }: Ticket): Promise<TicketTarget | undefined> {
  const found = await app.listing.findItem(slug, anonymous)
  const place = found?.links.placeOf(slot, app.config.fileHosts)
  return found === undefined || place === undefined
    ? undefined
    : { name: found.item.name, path: itemPath(found.item), place }
}

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
