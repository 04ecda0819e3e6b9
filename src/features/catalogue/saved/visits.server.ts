import { sql } from 'kysely'
import { whileSignedIn } from '../../accounts/sessions/while-signed-in.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import type { ReadersMemory } from './saved-schema.ts'
import { visitEndsAfterMs } from './visit.ts'
import { limitKey } from '../../../platform/rate-limit/consume-all.ts'

const maxFresh = 300

/** Notes a sign of the caller, on whatever device, and says what a list needs to know of them (docs/spec/readers-memory.md#visits). */
export async function recordVisit(app: CatalogueApp, viewer: Viewer): Promise<ReadersMemory> {
  const { id: userId } = requireMember(viewer)
  await limitVisits(app, userId)
  const now = new Date(app.clock.now())
  const over = new Date(now.getTime() - visitEndsAfterMs)
  const { rows } = await whileSignedIn(
    sql<{ new_since: Date | null; keeps_history: boolean }>`
    insert into readers as r (user_id, seen_at) values (${userId}::uuid, ${now})
        on conflict (user_id) do update
       set new_since = case when r.seen_at <= ${over} then r.seen_at else r.new_since end,
           seen_at = greatest(r.seen_at, excluded.seen_at)
    returning r.new_since, r.keeps_history`.execute(app.db),
  )
  const { new_since: since = null, keeps_history: isKept = true } = rows[0] ?? {}
  const numbers = since === null ? [] : await newItemNumbers(app, { since, until: now, limit: maxFresh })
  const fresh = await app.listing.readItems(numbers, viewer)
  const saved = await app.db
    .selectFrom('saved_entries')
    .select('slug')
    .where('user_id', '=', userId)
    .orderBy('slug')
    .execute()
  return {
    newSince: since?.toISOString() ?? null,
    fresh: fresh.map(({ row }) => row.slug),
    saved: saved.map(({ slug }) => slug),
    keepsHistory: isKept,
  }
}

/** Whether the downloads of a member are remembered: they are until the member says otherwise. */
export async function keepsHistory({ db }: Pick<CatalogueApp, 'db'>, viewer: Viewer): Promise<boolean> {
  const found = await db
    .selectFrom('readers')
    .select('keeps_history')
    .where('user_id', '=', requireMember(viewer).id)
    .executeTakeFirst()
  return found?.keeps_history ?? true
}

/**
 * The numbers of the published items that became new after one instant and by another, the latest post date first: those
 * whose post date or first clearance lies there (docs/spec/readers-memory.md#new). A reader may see some of them only.
 */
export async function newItemNumbers(
  { db }: Pick<CatalogueApp, 'db'>,
  { since, until, limit }: { since: Date; until: Date; limit?: number },
): Promise<number[]> {
  const most = limit ?? null
  // Each half by an index of its own: neither looks at more than it gives.
  const { rows } = await sql<{ no: number }>`
    with posted as (
      select i.no, i.post_date, i.created_at from items i
       where i.status = 'published' and i.post_date > ${since} and i.post_date <= ${until}
         and exists (select from clearances c where c.item_id = i.id and c.cleared_at <= ${until})
       order by i.post_date desc
       limit ${most}::int),
    cleared as (
      select i.no, i.post_date, i.created_at from clearances c join items i on i.id = c.item_id
       where c.cleared_at > ${since} and c.cleared_at <= ${until}
         and not exists (select from clearances e where e.item_id = c.item_id and e.cleared_at <= ${since})
         and i.status = 'published' and i.post_date <= ${until}
       order by c.cleared_at desc
       limit ${most}::int)
    select no from (select * from posted union select * from cleared) fresh
     order by post_date desc, created_at desc, no desc
     limit ${most}::int`.execute(db)
  return rows.map(({ no }) => no)
}

/** A tab signs in five minutes once. */
const limitVisits = limitKey({ name: 'memory.visits', points: 30, seconds: 300 })
