import { sql } from 'kysely'
import { defineError } from '../../../platform/errors.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { whileSignedIn } from '../../accounts/sessions/while-signed-in.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { isLinkSlot } from '../item/link-slots.ts'
import { partLength, partOf, type PlaceInMemory, limitMemory } from './saved-entries.server.ts'
import type { DownloadOfMember, ReadingOfMember, RememberedEntries } from './saved-schema.ts'

/** The same answer for a hidden item and for one that does not exist. */
export const unknownDownload = defineError({
  code: 'download.unknown',
  status: 404,
  sentence: 'There is no download at this address.',
  remedy: 'Take slug and slot from an entry that you are shown.',
})

/** The most that are remembered of a member; the latest stay. */
const maxDownloads = 2_000

/**
 * Remembers a download that the caller has begun, unless they want none remembered. The same link again moves it to now.
 * @throws {AppError} `download.unknown`, 404, for an item that they may not see, and for an empty slot
 */
export async function rememberDownload(
  app: CatalogueApp,
  viewer: Viewer,
  { slug, slot }: { slug: string; slot: string },
): Promise<void> {
  const { id: userId } = requireMember(viewer)
  await limitMemory(app, userId)
  const found = isLinkSlot(slot) ? await app.listing.findItem(slug, viewer) : undefined
  const place = isLinkSlot(slot) ? found?.links.placeOf(slot, app.config.fileHosts) : undefined
  if (place === undefined) throw unknownDownload()
  await whileSignedIn(
    sql`
    insert into download_history (user_id, slug, host, downloaded_at)
    select ${userId}::uuid, ${slug}, ${place.label}, ${new Date(app.clock.now())}
     where coalesce((select keeps_history from readers where user_id = ${userId}::uuid), true)
        on conflict (user_id, slug, host) do update set downloaded_at = excluded.downloaded_at`.execute(app.db),
  )
  await sql`
    delete from download_history
     where user_id = ${userId}::uuid
       and downloaded_at < (select downloaded_at from download_history where user_id = ${userId}::uuid
                             order by downloaded_at desc offset ${maxDownloads - 1} limit 1)`.execute(app.db)
}

export async function readHistory(
  app: CatalogueApp,
  viewer: Viewer,
  { after }: { after?: PlaceInMemory | undefined },
): Promise<RememberedEntries> {
  const rows = await app.db
    .selectFrom('download_history')
    .select(['slug', 'host', 'downloaded_at as at'])
    .where('user_id', '=', requireMember(viewer).id)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(downloaded_at, slug, host) < (${after?.at}::timestamptz, ${after?.slug}, ${after?.host})`,
      ),
    )
    .orderBy('downloaded_at', 'desc')
    .orderBy('slug', 'desc')
    .orderBy('host', 'desc')
    .limit(partLength + 1)
    .execute()
  return partOf(app, viewer, rows)
}

/**
 * Forgets what the caller has downloaded. The counts of today know them until the day is over: else a link counted twice.
 * @param slug of the one entry to forget
 */
export async function clearHistory(
  app: Pick<CatalogueApp, 'db' | 'limits'>,
  viewer: Viewer,
  slug?: string,
): Promise<void> {
  const { id: userId } = requireMember(viewer)
  await limitMemory(app, userId)
  await app.db
    .deleteFrom('download_history')
    .where('user_id', '=', userId)
    .$if(slug !== undefined, (query) => query.where('slug', '=', slug as string))
    .execute()
}

/** Whether downloads are remembered from now on. Those that are stay until they are cleared. */
export async function setKeepsHistory(
  { db, clock }: Pick<CatalogueApp, 'db' | 'clock'>,
  viewer: Viewer,
  isKept: boolean,
): Promise<void> {
  await whileSignedIn(
    db
      .insertInto('readers')
      .values({ user_id: requireMember(viewer).id, keeps_history: isKept, seen_at: new Date(clock.now()) })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ keeps_history: isKept }))
      .execute(),
  )
}

const retainedDays = 400

/** Deletes downloads of so long ago, and takes the members off the counts of days past (docs/spec/readers-memory.md#history). */
export async function forgetOldDownloads({
  db,
  clock,
  config,
}: Pick<CatalogueApp, 'db' | 'clock' | 'config'>): Promise<void> {
  const oldest = new Date(clock.now() - retainedDays * 86_400_000)
  await db.deleteFrom('download_history').where('downloaded_at', '<', oldest).execute()
  const today = dayOf(clock.now(), config.timeZone)
  await db
    .updateTable('download_events')
    .set({ user_id: null })
    .where('user_id', 'is not', null)
    .where(sql<boolean>`day < ${today}::date`)
    .execute()
}

/** The caller's own downloads for their data export, the latest first. An item that they may not see any more has no name. */
export async function exportDownloads(app: CatalogueApp, viewer: Viewer): Promise<DownloadOfMember[]> {
  const rows = await app.db
    .selectFrom('download_history')
    .select(['slug', 'host', 'downloaded_at'])
    .where('user_id', '=', requireMember(viewer).id)
    .orderBy('downloaded_at', 'desc')
    .orderBy('slug', 'desc')
    .orderBy('host', 'desc')
    .execute()
  const names = await app.listing.readNamesBySlug([...new Set(rows.map(({ slug }) => slug))], viewer)
  return rows.map(({ slug, host, downloaded_at: at }) => ({
    slug,
    item: names.get(slug)?.name ?? null,
    host,
    downloadedAt: at.toISOString(),
  }))
}

/** The caller's saved entries for their data export, and what else is remembered of their reading. */
export async function exportReading(app: CatalogueApp, viewer: Viewer): Promise<ReadingOfMember> {
  const { id: userId } = requireMember(viewer)
  const rows = await app.db
    .selectFrom('saved_entries')
    .select(['slug', 'saved_at'])
    .where('user_id', '=', userId)
    .orderBy('saved_at', 'desc')
    .orderBy('slug')
    .execute()
  const names = await app.listing.readNamesBySlug(
    rows.map(({ slug }) => slug),
    viewer,
  )
  const reader = await app.db
    .selectFrom('readers')
    .select(['keeps_history', 'seen_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return {
    saved: rows.map(({ slug, saved_at: at }) => ({
      slug,
      item: names.get(slug)?.name ?? null,
      savedAt: at.toISOString(),
    })),
    keepsHistory: reader?.keeps_history ?? true,
    lastSeenAt: reader?.seen_at.toISOString() ?? null,
  }
}
