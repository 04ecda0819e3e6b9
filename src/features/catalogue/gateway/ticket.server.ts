import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { type LinkSlot, linkSlots } from '../item/link-slots.ts'

/*
 * The text of a ticket (docs/spec/catalogue.md#gateway-ticket): signed, so nothing is stored for a ticket that nobody
 * opens. Its bytes: version (1), slot (1), seconds since 1970 (6), id (16), slug (up to 120), and the first 16 bytes of
 * HMAC-SHA-256 over all of these; written as base64url.
 */

export interface Ticket {
  id: string
  slug: string
  slot: LinkSlot
  /** By the clock of the database, in seconds since 1970. */
  issuedAt: number
}

const ticketVersion = 1
const macBytes = 16
const headBytes = 24

export const ticketMinutes = 30

/** Makes a ticket for a link. The clock is the database's: all instances share it. */
export async function issueTicket(
  { db, gateway }: Pick<CatalogueApp, 'db' | 'gateway'>,
  { slug, slot }: Pick<Ticket, 'slug' | 'slot'>,
): Promise<string> {
  const { rows } = await sql<{ now: number }>`select floor(extract(epoch from now()))::float8 as now`.execute(db)
  const issuedAt = rows[0]?.now
  if (issuedAt === undefined) throw new Error('The database has no clock.')
  return writeTicket(await gateway.ticketSecret(db), { id: randomUUID(), slug, slot, issuedAt })
}

/** @returns undefined for a text that this installation has not signed */
export async function readSignedTicket(
  { db, gateway }: Pick<CatalogueApp, 'db' | 'gateway'>,
  text: string,
): Promise<Ticket | undefined> {
  if (!/^[\w-]{50,250}$/.test(text)) return undefined
  return readTicket(await gateway.ticketSecret(db), text)
}

export function writeTicket(secret: Buffer, { id, slug, slot, issuedAt }: Ticket): string {
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(ticketVersion, 0)
  head.writeUInt8(linkSlots.indexOf(slot), 1)
  head.writeUIntBE(issuedAt, 2, 6)
  head.write(id.replaceAll('-', ''), 8, 'hex')
  const content = Buffer.concat([head, Buffer.from(slug, 'latin1')])
  return Buffer.concat([content, macOf(secret, content)]).toString('base64url')
}

/** @returns undefined for a text that was not signed with this secret */
export function readTicket(secret: Buffer, text: string): Ticket | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // base64url has several spellings of the same bytes; only one is accepted, so that a ticket has one address.
  if (bytes.toString('base64url') !== text || bytes.length <= headBytes + macBytes) return undefined
  const content = bytes.subarray(0, -macBytes)
  if (!timingSafeEqual(macOf(secret, content), bytes.subarray(-macBytes))) return undefined
  const slot = linkSlots[content.readUInt8(1)]
  if (content.readUInt8(0) !== ticketVersion || slot === undefined) return undefined
  const hex = content.toString('hex', 8, headBytes)
  return {
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    slug: content.toString('latin1', headBytes),
    slot,
    issuedAt: content.readUIntBE(2, 6),
  }
}

function macOf(secret: Buffer, content: Buffer): Buffer {
  return createHmac('sha256', secret).update(content).digest().subarray(0, macBytes)
}
