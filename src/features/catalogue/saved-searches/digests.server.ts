import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { defineEmail } from '../../../platform/email/email-kind.ts'
import { isAppError } from '../../../platform/errors.ts'
import { rolesOfAccount } from '../../accounts/user/roles-of-account.ts'
import { readAccessStatus } from '../../membership/access/read-access-status.server.ts'
import { anonymous, type Role, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { newItemNumbers } from '../saved/new-items.server.ts'
import { readSearchQuery } from '../search/read-search-query.ts'
import { toIndexQuery } from '../search/search-items.server.ts'
import { nextDigest } from './next-digest.ts'
import { parametersOfSearch } from './shelf-of.ts'

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

/** The answers of a search are looked through in parts of so many. */
const partLength = 5_000

/**
 * Queues the digests that are due, each once: with the email its search moves on to the next, in one transaction
 * (docs/spec/readers-memory.md#digest).
 */
export async function queueDigests(app: CatalogueApp): Promise<void> {
  // A copy must not tell its operator's readers a second time.
  if (app.rehearsal.isOn) return
  const until = performance.now() + workForMs
  while (performance.now() < until && (await queueSome(app, until)) === atOnce);
}

/** @returns how many were due */
async function queueSome(app: CatalogueApp, until: number): Promise<number> {
  const now = new Date(app.clock.now())
  const due = await app.db
    .selectFrom('saved_searches')
    .select(['id', 'user_id', 'list', 'query', 'digest', 'hour', 'time_zone', 'next_digest_at', 'digested_until'])
    .where('next_digest_at', '<=', now)
    .orderBy('next_digest_at')
    .orderBy('id')
    .limit(atOnce)
    .execute()
  for (const { id, digest, hour, time_zone: timeZone, next_digest_at: at, digested_until: since, ...search } of due) {
    if (performance.now() >= until) return 0
    if (digest === 'off' || at === null || since === null) continue
    const settled = new Date(Math.max(since.getTime(), now.getTime() - settledAfterMs))
    const found = await lookFor(app, { id, ...search, since, until: settled })
    const hasNews = found === 'news'
    // A search that cannot be asked now makes nobody wait: it loses nothing, and is asked again at its next hour.
    const told = found === 'failed' ? since : settled
    await app.db.transaction().execute(async (trx) => {
      // Another process or its owner may have moved it meanwhile: then this is done, or ended.
      const { numUpdatedRows } = await trx
        .updateTable('saved_searches')
        .set({
          next_digest_at: new Date(nextDigest({ digest, hour, timeZone }, now.getTime())),
          digested_until: told,
        })
        .where('id', '=', id)
        .where('next_digest_at', '=', at)
        .where('digested_until', '=', since)
        .executeTakeFirst()
      if (numUpdatedRows === 0n || !hasNews) return
      const data = { searchId: id, since: since.toISOString(), until: told.toISOString() }
      await app.mail.queue(trx, digestEmail, data)
    })
  }
  return due.length
}

/** Whether a search has news for its reader. A fault of one search is logged, and keeps no other one up. */
async function lookFor(
  app: CatalogueApp,
  {
    id,
    user_id: userId,
    ...search
  }: { id: string; user_id: string; list: string; query: string; since: Date; until: Date },
): Promise<'news' | 'none' | 'failed'> {
  try {
    const reader = await readReader(app, userId)
    return reader !== undefined && (await newFor(app, reader.viewer, search)).length > 0 ? 'news' : 'none'
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

/** The numbers of the entries that are new in a span of time, answer a search and may be seen by the viewer now; the latest first. */
export async function newFor(
  app: CatalogueApp,
  viewer: Viewer,
  { list, query, since, until }: { list: string; query: string; since: Date; until: Date },
): Promise<number[]> {
  const fresh = new Set(await newItemNumbers(app, { since, until }))
  if (fresh.size === 0) return []
  await app.listing.catchUp()
  const wanted = toIndexQuery(app, readSearchQuery(parametersOfSearch(list, query)))
  const found: number[] = []
  for (let skip = 0, total = Infinity; skip < total && found.length < fresh.size; skip += partLength) {
    const part = app.listing.search({ ...wanted, skip, limit: partLength }, viewer)
    total = part.total
    found.push(...part.itemNumbers.filter((no) => fresh.has(no)))
    // Between two parts goes out what others wait for.
    await setImmediate()
  }
  return found
}
