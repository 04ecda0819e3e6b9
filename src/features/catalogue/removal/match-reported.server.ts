import { sql } from 'kysely'
import type { SqlRunner } from '../../../db/queryable.ts'
import type { CatalogueApp } from '../app.ts'
import { readSignedTicket } from '../gateway/ticket.server.ts'
import { type Named, namedBy } from './typed-address.ts'

/** An address of a notice, with what it names as far as that is told without the catalogue. */
export interface Reported {
  url: string
  names: Exclude<Named, { ticket: string }> | undefined
}

/** Reads addresses, in their order. It needs no lock of the catalogue, so the texts of strangers are read before that is taken. */
export function readReported(app: Pick<CatalogueApp, 'db' | 'gateway'>, urls: readonly string[]): Promise<Reported[]> {
  return Promise.all(urls.map(async (url) => ({ url, names: await resolveTicket(app, namedBy(url)) })))
}

/**
 * Finds the items that people mean by these addresses, of any status, in the order of the addresses
 * (docs/spec/notices.md#matching). The path decides, on whatever host: a site has had other names, and none that it does
 * not know may keep a notice from its item.
 * @returns null for an address that leads to none
 */
export async function matchReported(
  db: SqlRunner,
  reported: readonly Pick<Reported, 'names'>[],
): Promise<({ id: string } | null)[]> {
  const named = reported.map(({ names }) => names)
  const { rows } = await sql<{ id: string; slug: string }>`
    select id, slug from items
     where slug = any(${named.flatMap((each) => (each !== undefined && 'slug' in each ? [each.slug] : []))}::text[])
        or id = any(${named.flatMap((each) => (each !== undefined && 'id' in each ? [each.id] : []))}::uuid[])`.execute(
    db,
  )
  const bySlug = new Map(rows.map((row) => [row.slug, row.id]))
  const ids = new Set(rows.map(({ id }) => id))
  return named.map((each) => {
    if (each === undefined) return null
    const id = 'slug' in each ? bySlug.get(each.slug) : each.id
    return id === undefined || !ids.has(id) ? null : { id }
  })
}

async function resolveTicket(
  app: Pick<CatalogueApp, 'db' | 'gateway'>,
  named: Named | undefined,
): Promise<Exclude<Named, { ticket: string }> | undefined> {
  if (named === undefined || !('ticket' in named)) return named
  const ticket = await readSignedTicket(app, named.ticket)
  return ticket === undefined ? undefined : { slug: ticket.slug }
}
