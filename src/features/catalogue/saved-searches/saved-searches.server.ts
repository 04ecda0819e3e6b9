import { type Kysely, type Selectable, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { SavedSearchesTable } from '../../../db/tables/catalogue-readers.ts'
import { defineError } from '../../../platform/errors.ts'
import { isUnconfirmed } from '../../accounts/address/is-unconfirmed.server.ts'
import { endFeedToken, makeFeedToken } from '../../accounts/feed-tokens/feed-tokens.server.ts'
import { whileSignedIn } from '../../accounts/sessions/while-signed-in.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { ContentType } from '../item/content-type.ts'
import { listTitle } from '../search/filters-in-words.ts'
import { readFilters } from '../search/listing-address.ts'
import { nextDigest } from './next-digest.ts'
import type { SavedSearch, SavedSearches } from './saved-search-schema.ts'
import { parametersOfSearch, plainQuery, shelfOf } from './shelf-of.ts'
import { limitAddress, limitKey } from '../../../platform/rate-limit/consume-all.ts'

/** A member may save so many: each is looked through for its digest. */
export const maxSearches = 50

export const noSuchSearch = defineError({
  code: 'saved_search.not_found',
  status: 404,
  sentence: 'There is no such saved search.',
  remedy: 'Take the id from the list of saved searches: it was ended, or is not yours.',
})

export const tooManySearches = defineError({
  code: 'saved_search.too_many',
  status: 409,
  sentence: `You have saved ${maxSearches} searches, which is the limit.`,
  remedy: 'Remove one of them first.',
})

const columns = ['id', 'name', 'list', 'query', 'created_at', 'digest', 'hour', 'time_zone', 'next_digest_at'] as const

type Row = Pick<Selectable<SavedSearchesTable>, (typeof columns)[number]> & { hasFeed: boolean }

function searchesOf(db: Kysely<CatalogueDatabase>, userId: string) {
  return db
    .selectFrom('saved_searches as s')
    .where('s.user_id', '=', userId)
    .select(columns)
    .select((eb) =>
      eb
        .exists(eb.selectFrom('feed_tokens').whereRef('search_id', '=', 's.id').select('user_id'))
        .$castTo<boolean>()
        .as('hasFeed'),
    )
}

function searchOf({ created_at: createdAt, time_zone: timeZone, next_digest_at: next, ...row }: Row): SavedSearch {
  const list = row.list as ContentType
  const shelf = shelfOf(list)
  return {
    ...row,
    list,
    path: shelf.path + row.query,
    words: listTitle(shelf.name, readFilters(shelf, row.query)),
    timeZone,
    createdAt: createdAt.toISOString(),
    nextDigestAt: next?.toISOString() ?? null,
  }
}

export async function readSearches(app: CatalogueApp, viewer: Viewer): Promise<SavedSearches> {
  const { id: userId, email } = requireMember(viewer)
  const rows = await searchesOf(app.db, userId).orderBy('s.id', 'desc').execute()
  return { searches: rows.map(searchOf), isConfirmed: !(await isUnconfirmed(app, email)) }
}

/**
 * Saves a search. The same one again is the one that is there, under its name.
 * @throws {AppError} `saved_search.too_many`, 409
 */
export async function saveSearch(
  app: CatalogueApp,
  viewer: Viewer,
  { list, query, name }: { list: ContentType; query: string; name: string },
): Promise<{ search: SavedSearch; isNew: boolean }> {
  const { id: userId } = requireMember(viewer)
  await limitSearches(app, userId)
  const id = uuidv7()
  const plain = plainQuery(list, query)
  await whileSignedIn(
    sql`
    insert into saved_searches (id, user_id, name, list, query, created_at)
    select ${id}::uuid, ${userId}::uuid, ${name}, ${list}, ${plain}, ${new Date(app.clock.now())}
     where (select count(*) from saved_searches where user_id = ${userId}::uuid) < ${maxSearches}
        on conflict (user_id, list, query) do nothing`.execute(app.db),
  )
  const row = await searchesOf(app.db, userId).where('list', '=', list).where('query', '=', plain).executeTakeFirst()
  if (row === undefined) throw tooManySearches()
  return { search: searchOf(row), isNew: row.id === id }
}

/** A field that is undefined stays. */
type SearchChange = { [Field in 'name' | 'digest' | 'hour' | 'timeZone']?: SavedSearch[Field] | undefined }

/**
 * Renames a saved search of the caller, or says when its digest comes. A first digest counts from now on;
 * another hour leaves out nothing.
 * @throws {AppError} `saved_search.not_found`, 404, also for that of another member
 */
export async function changeSearch(
  app: CatalogueApp,
  viewer: Viewer,
  id: string,
  change: SearchChange,
): Promise<SavedSearch> {
  const { id: userId } = requireMember(viewer)
  await limitSearches(app, userId)
  const now = app.clock.now()
  return app.db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('saved_searches')
      .select([...columns, 'digested_until'])
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (before === undefined) throw noSuchSearch()
    const { digest, hour, time_zone: timeZone } = before
    const wanted = {
      digest: change.digest ?? digest,
      hour: change.hour ?? hour,
      timeZone: change.timeZone ?? timeZone,
    }
    const isTimed = wanted.digest !== digest || wanted.hour !== hour || wanted.timeZone !== timeZone
    const times =
      wanted.digest === 'off'
        ? { next_digest_at: null, digested_until: null }
        : {
            next_digest_at: new Date(nextDigest({ ...wanted, digest: wanted.digest }, now)),
            digested_until: before.digested_until ?? new Date(now),
          }
    await trx
      .updateTable('saved_searches')
      .set({
        name: change.name ?? before.name,
        digest: wanted.digest,
        hour: wanted.hour,
        time_zone: wanted.timeZone,
        ...(isTimed ? times : {}),
      })
      .where('id', '=', id)
      .execute()
    return searchOf(await searchesOf(trx, userId).where('s.id', '=', id).executeTakeFirstOrThrow())
  })
}

/**
 * Ends a saved search of the caller, with its digest.
 * @throws {AppError} `saved_search.not_found`, 404, also for that of another member
 */
export async function endSearch(app: CatalogueApp, viewer: Viewer, id: string): Promise<void> {
  const { numDeletedRows } = await app.db
    .deleteFrom('saved_searches')
    .where('id', '=', id)
    .where('user_id', '=', requireMember(viewer).id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw noSuchSearch()
}

/**
 * Makes the private feed of a saved search of the caller; the one before it ends.
 * @returns its token, which is stored nowhere
 * @throws {AppError} `saved_search.not_found`, 404, also for that of another member
 */
export async function makeSearchFeed(app: CatalogueApp, viewer: Viewer, id: string): Promise<string> {
  await requireOwn(app, viewer, id)
  return makeFeedToken(app, viewer, id)
}

/**
 * Ends it.
 * @throws {AppError} `saved_search.not_found`, 404, also for that of another member; `feed.not_found`, 404, without one
 */
export async function endSearchFeed(app: CatalogueApp, viewer: Viewer, id: string): Promise<void> {
  await requireOwn(app, viewer, id)
  await endFeedToken(app, viewer, id)
}

async function requireOwn(app: CatalogueApp, viewer: Viewer, id: string): Promise<void> {
  const own = await searchesOf(app.db, requireMember(viewer).id).where('s.id', '=', id).executeTakeFirst()
  if (own === undefined) throw noSuchSearch()
}

/** A saved search by its id, with the parameters of its search; undefined for one that has ended. */
export async function findSearch(
  { db }: Pick<CatalogueApp, 'db'>,
  id: string,
): Promise<{ name: string; list: ContentType; path: string; parameters: Record<string, string> } | undefined> {
  const row = await db
    .selectFrom('saved_searches')
    .select(['name', 'list', 'query'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const list = row.list as ContentType
  const path = shelfOf(list).path + row.query
  return { name: row.name, list, path, parameters: Object.fromEntries(parametersOfSearch(list, row.query)) }
}

export async function exportSearches(app: CatalogueApp, viewer: Viewer): Promise<SavedSearch[]> {
  return (await readSearches(app, viewer)).searches
}

const limitSearches = limitKey({ name: 'searches.member', points: 120, seconds: 3_600 })

/** A provider of email ends the digests of many readers from one address. */
export const limitUnsubscribing = limitAddress({ name: 'unsubscribe.block', points: 600, seconds: 600 })
