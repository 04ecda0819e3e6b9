import { sql } from 'kysely'
import { defineError } from '../../../platform/errors.ts'
import { whileSignedIn } from '../../accounts/sessions/while-signed-in.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { itemNotFound } from '../item/item-errors.ts'
import type { RememberedEntries } from './saved-schema.ts'
import { keepsHistory } from './visits.server.ts'
import { limitKey } from '../../../platform/rate-limit/consume-all.ts'

/** A member may save so many: all of them are known to each of their lists. */
export const maxSaved = 2_000

export const partLength = 100

export const tooManySaved = defineError({
  code: 'saved.too_many',
  status: 409,
  sentence: `You have saved ${maxSaved.toLocaleString('en-US')} entries, which is the limit.`,
  remedy: 'Remove some of them first.',
})

/**
 * Saves an entry for the caller; one that is saved stays where it is.
 * @throws {AppError} `item.not_found`, 404, for an entry that they may not see; `saved.too_many`, 409
 */
export async function saveEntry(app: CatalogueApp, viewer: Viewer, slug: string): Promise<void> {
  const { id: userId } = requireMember(viewer)
  await limitMemory(app, userId)
  if ((await app.listing.findItem(slug, viewer)) === undefined) throw itemNotFound()
  const { rows } = await whileSignedIn(
    sql`
    insert into saved_entries (user_id, slug, saved_at)
    select ${userId}::uuid, ${slug}, ${new Date(app.clock.now())}
     where (select count(*) from saved_entries where user_id = ${userId}::uuid) < ${maxSaved}
        or exists (select from saved_entries where user_id = ${userId}::uuid and slug = ${slug})
        on conflict (user_id, slug) do update set saved_at = saved_entries.saved_at
    returning 1`.execute(app.db),
  )
  if (rows.length === 0) throw tooManySaved()
}

/** Takes an entry out, also one that is no longer shown. */
export async function takeOutEntry(app: CatalogueApp, viewer: Viewer, slug: string): Promise<void> {
  const { id: userId } = requireMember(viewer)
  await limitMemory(app, userId)
  await app.db.deleteFrom('saved_entries').where('user_id', '=', userId).where('slug', '=', slug).execute()
}

export async function readSaved(
  app: CatalogueApp,
  viewer: Viewer,
  { after }: { after?: PlaceInMemory | undefined },
): Promise<RememberedEntries> {
  const { id: userId } = requireMember(viewer)
  const rows = await app.db
    .selectFrom('saved_entries')
    .select(['slug', 'saved_at as at'])
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(saved_at, slug) < (${after?.at}::timestamptz, ${after?.slug})`),
    )
    .orderBy('saved_at', 'desc')
    .orderBy('slug', 'desc')
    .limit(partLength + 1)
    .execute()
  return partOf(
    app,
    viewer,
    rows.map((row) => ({ ...row, host: null })),
  )
}

export interface PlaceInMemory {
  at: Date
  slug: string
  host: string
}

/** @returns undefined for what no part has said is next */
export function readPlace(text: string): PlaceInMemory | undefined {
  const {
    at,
    slug = '',
    host = '',
  } = /^(?<at>\d{1,14})\.(?<slug>[a-z\d-]{1,120})\.(?<host>\P{Cc}{0,200})$/u.exec(text)?.groups ?? {}
  return at === undefined || !host.isWellFormed() ? undefined : { at: new Date(Number(at)), slug, host }
}

export async function partOf(
  app: CatalogueApp,
  viewer: Viewer,
  rows: { slug: string; at: Date; host: string | null }[],
): Promise<RememberedEntries> {
  const shown = rows.slice(0, partLength)
  const named = await app.listing.readNamesBySlug([...new Set(shown.map(({ slug }) => slug))], viewer)
  const last = rows.length > partLength ? shown.at(-1) : undefined
  return {
    entries: shown.map(({ slug, at, host }) => {
      const { name = null, path = null } = named.get(slug) ?? {}
      return { slug, at: at.toISOString(), name, path, host }
    }),
    next: last === undefined ? null : `${last.at.getTime()}.${last.slug}.${last.host ?? ''}`,
    keepsHistory: await keepsHistory(app, viewer),
  }
}

/** A page asks once, a press of a key writes a row: what a person does fits in easily. */
export const limitMemory = limitKey({ name: 'memory.member', points: 240, seconds: 60 })
