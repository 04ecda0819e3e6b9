import { sql } from 'kysely'
import { z } from 'zod'
import { defineEmail } from '../../../platform/email/email-kind.ts'
import { isReportedOnce } from '../../../platform/database-outages.ts'
import { isAppError } from '../../../platform/errors.ts'
import { rolesOfAccount } from '../../accounts/user/roles-of-account.ts'
import { readAccessStatus } from '../../membership/access/read-access-status.server.ts'
import { anonymous, type Role, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { readSearchQuery } from '../search/read-search-query.ts'
import { toIndexQuery } from '../search/search-items.server.ts'
import { nextDigest } from './next-digest.ts'
import { parametersOfSearch } from './shelf-of.ts'
import { newItemNumbers } from '../saved/visits.server.ts'

/** Its entries are looked for when it is written: it names those alone that the reader may see at that moment. */
export const digestEmail = defineEmail(
  'catalogue.digest',
  { urgency: 'bulk', purpose: 'news' },
  z.object({ searchId: z.string(), since: z.string(), until: z.string() }),
)

/** One call of the clock works for so long; what is left is due a minute later. */
const workForMs = 20_000
const atOnce = 50

/** A transaction that published something may take so long: what is younger comes with the next digest. */
const settledAfterMs = 120_000

/** A search and its next digest. */
interface Move {
  id: string
  at: Date
  next: Date
  since: Date
  told: Date
  hasNews: boolean
}

/**
 * Queues the digests that are due, each once: with the email its search moves on to the next, in one transaction
 * (docs/spec/readers-memory.md#digest).
 */
export async function queueDigests(app: CatalogueApp): Promise<void> {
  // A copy must not tell its operator's readers a second time.
  if (app.rehearsal.isOn) return
  const until = performance.now() + workForMs
  const failed = new Set<string>()
  while (performance.now() < until && (await queueSome(app, until, failed)) === atOnce);
}

/**
 * @param failed those that stay due and are left to the next call, to which it adds
 * @returns how many of those that are due it came to
 */
async function queueSome(app: CatalogueApp, until: number, failed: Set<string>): Promise<number> {
  const now = new Date(app.clock.now())
  const due = await app.db
    .selectFrom('saved_searches')
    .select(['id', 'user_id', 'list', 'query', 'digest', 'hour', 'time_zone', 'next_digest_at', 'digested_until'])
    .where('next_digest_at', '<=', now)
    .where(sql<boolean>`id <> all(${[...failed]}::uuid[])`)
    .orderBy('next_digest_at')
    .orderBy('id')
    .limit(atOnce)
    .execute()
  const knownNews = new Map<number, number[]>()
  const moves: Move[] = []
  for (const { id, digest, hour, time_zone: timeZone, next_digest_at: at, digested_until: since, ...search } of due) {
    if (performance.now() >= until) break
    if (digest === 'off' || at === null || since === null) continue
    const settled = new Date(Math.max(since.getTime(), now.getTime() - settledAfterMs))
    const found = await lookFor(app, { id, ...search }, async () => {
      // Most searches of one hour were told of the same instant before.
      const news = knownNews.get(since.getTime()) ?? (await readNews(app, { since, until: settled }))
      knownNews.set(since.getTime(), news)
      return news
    })
    const next = new Date(nextDigest({ digest, hour, timeZone }, now.getTime()))
    // A search that cannot be asked now makes nobody wait: it loses nothing, and is asked again at its next hour.
    moves.push({ id, at, next, since, told: found === 'failed' ? since : settled, hasNews: found === 'news' })
  }
  // Those without news are many, and wait for nothing but each other.
  const [told, quiet] = [moves.filter(({ hasNews }) => hasNews), moves.filter(({ hasNews }) => !hasNews)]
  for (const together of [...told.map((move) => [move]), quiet])
    if (!(await moveOn(app, together))) for (const { id } of together) failed.add(id)
  return moves.length
}

/**
 * Moves searches on in one transaction, with their emails.
 * @returns false where that failed: it is logged, keeps no other one up, and leaves them due
 */
async function moveOn(app: CatalogueApp, moves: readonly Move[]): Promise<boolean> {
  try {
    await app.db.transaction().execute(async (trx) => {
      for (const { id, at, next, since, told, hasNews } of moves) {
        // Another process or its owner may have moved it meanwhile: then this is done, or ended.
        const { numUpdatedRows } = await trx
          .updateTable('saved_searches')
          .set({ next_digest_at: next, digested_until: told })
          .where('id', '=', id)
          .where('next_digest_at', '=', at)
          .where('digested_until', '=', since)
          .executeTakeFirst()
        if (numUpdatedRows === 0n || !hasNews) continue
        const data = { searchId: id, since: since.toISOString(), until: told.toISOString() }
        await app.mail.queue(trx, digestEmail, data)
      }
    })
    return true
  } catch (error) {
    // Without a database there are no digests at all: the job is tried again.
    if (isReportedOnce(error)) throw error
    app.log.error({ err: error, searches: moves.map(({ id }) => id) }, 'Digests could not be queued.')
    return false
  }
}

/** Whether a search has news for its reader. A fault of one search is logged, and keeps no other one up. */
async function lookFor(
  app: CatalogueApp,
  { id, user_id: userId, ...search }: { id: string; user_id: string; list: string; query: string },
  readAll: () => Promise<readonly number[]>,
): Promise<'news' | 'none' | 'failed'> {
  try {
    const news = await readAll()
    if (news.length === 0) return 'none'
    const reader = await readReader(app, userId)
    return reader !== undefined && newsFor(app, reader.viewer, search, news).length > 0 ? 'news' : 'none'
  } catch (error) {
    // Without a database there are no digests at all: the job is tried again.
    if (isAppError(error) && error.status === 503) throw error
    app.log.error({ err: error, search: id }, 'A digest could not be prepared.')
    return 'failed'
  }
}

export async function readReader(
  app: CatalogueApp,
  userId: string,
): Promise<{ email: string; name: string; viewer: Viewer } | undefined> {
  const user = await app.db
    .selectFrom('users')
    .select(['name', 'email', 'vip_disabled', 'is_admin', 'is_safety_officer', 'has_second_factor'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (user === undefined) return undefined
  const { isVip } = await readAccessStatus(app, { userId, isDisabled: user.vip_disabled })
  const roles = new Set<Role>([...(isVip ? (['vip'] as const) : []), ...rolesOfAccount(user, app.config)])
  return { email: user.email, name: user.name, viewer: { ...anonymous, roles } }
}

/** The numbers of the entries that became new in a span of time, which the listing has by then. */
export async function readNews(app: CatalogueApp, span: { since: Date; until: Date }): Promise<number[]> {
  const news = await newItemNumbers(app, span)
  if (news.length > 0) await app.listing.catchUp()
  return news
}

/** Those of some entries that answer a search and may be seen by the viewer now, in the order of the search. */
export function newsFor(
  app: CatalogueApp,
  viewer: Viewer,
  { list, query }: { list: string; query: string },
  news: readonly number[],
): number[] {
  const wanted = toIndexQuery(app, readSearchQuery(parametersOfSearch(list, query)))
  return app.listing.search({ ...wanted, among: Int32Array.from(news), limit: news.length }, viewer).itemNumbers
}
