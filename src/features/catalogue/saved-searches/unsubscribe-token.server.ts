import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'

/*
 * The token that ends the digest of one saved search, and opens nothing: the search's id and the first 16 bytes of
 * HMAC-SHA-256 over it, as base64url. It is signed, so nothing is stored for an email, and the links of old emails work.
 */

const macBytes = 16

export async function writeUnsubscribeToken(
  { gateway }: Pick<CatalogueApp, 'gateway'>,
  db: Queryable<CatalogueDatabase>,
  searchId: string,
): Promise<string> {
  const id = Buffer.from(searchId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, macOf(await gateway.ticketSecret(db), id)]).toString('base64url')
}

/** @returns the id of the search; undefined for a token that this installation has not signed */
export async function readUnsubscribeToken(
  { gateway, db }: Pick<CatalogueApp, 'gateway' | 'db'>,
  token: string,
): Promise<string | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const id = bytes.subarray(0, -macBytes)
  if (bytes.length !== 2 * macBytes || bytes.toString('base64url') !== token) return undefined
  if (!timingSafeEqual(macOf(await gateway.ticketSecret(db), id), bytes.subarray(-macBytes))) return undefined
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The word before the id keeps it apart from the tickets of the gateway, which begin with a number. */
function macOf(secret: Buffer, id: Buffer): Buffer {
  return createHmac('sha256', secret).update('unsubscribe').update(id).digest().subarray(0, macBytes)
}
