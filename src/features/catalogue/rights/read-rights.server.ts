import { type RawBuilder, sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import type { ContentType } from '../item/content-type.ts'
import { readReasons } from '../editing/list-items.server.ts'
import { lapseDays, type RightsEntry, type RightsForAdmin, type RightsList } from './rights-schema.ts'

type RightsApp = Pick<CatalogueApp, 'db' | 'clock' | 'config'>

/** A place in a list: microseconds since 1970, and the number of the item. */
export const rightsPlace = /^\d{1,17}-\d{1,9}$/

const isLapsing = sql`i.status = 'published' and i.lapses_at > now() and i.lapses_at < now() + make_interval(days => ${sql.lit(lapseDays)})`

/** How many published items end soon, and the first of them. */
export async function readNextLapse({
  db,
}: Pick<CatalogueApp, 'db'>): Promise<{ count: number; name: string; at: Date } | undefined> {
  const { rows } = await sql<{ count: number; name: string; at: Date }>`
    select (count(*) over ())::int as count, name, lapses_at as at from items i where ${isLapsing} order by lapses_at, no limit 1`.execute(
    db,
  )
  return rows[0]
}

export async function countLapsed({ db }: Pick<CatalogueApp, 'db'>): Promise<number> {
  const { count } = await db
    .selectFrom('lapsed_items')
    .select((select) => select.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface Row {
  no: number
  id: string
  name: string
  slug: string
  category: string
  content_type: string
  at: Date
  place: string
  cause: RightsEntry['cause']
  details: string[]
}

const columns = sql`i.no, i.id, i.name, i.slug, c.name as category, i.content_type`

const placeOf = (at: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(extract(epoch from ${at}) * 1000000)::bigint || '-' || i.no as place`

function numbersOf(place: string): RawBuilder<unknown> {
  const [micros, no] = place.split('-')
  return sql`(timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond', ${no}::int)`
}

/** The entries whose rights, or a consent, end within 30 days, the next first; or those that have lapsed, the latest first. */
export async function readRights(
  app: RightsApp,
  { show, after, limit }: { show: RightsList; after?: string | undefined; limit: number },
): Promise<RightsForAdmin> {
  const { db } = app
  const { rows } = await (show === 'lapsing' ? lapsing(after, limit) : lapsed(after, limit)).execute(db)
  const part = rows.slice(0, limit)
  const reasons =
    show === 'lapsed'
      ? await readReasons(
          app,
          part.map(({ no }) => no),
        )
      : undefined
  return {
    entries: part.map(({ no, id, name, slug, category, content_type, at, cause, details }) => ({
      id,
      name,
      slug,
      category,
      contentType: content_type as ContentType,
      at: at.toISOString(),
      cause,
      details: reasons?.get(no) ?? details,
    })),
    next: rows.length > limit ? (part.at(-1)?.place ?? null) : null,
    counts: { lapsing: (await readNextLapse(app))?.count ?? 0, lapsed: await countLapsed(app) },
  }
}

function lapsing(after: string | undefined, limit: number): RawBuilder<Row> {
  return sql<Row>`
    select ${columns}, i.lapses_at as at, ${placeOf(sql`i.lapses_at`)},
           case when i.rights_valid_until = i.lapses_at then 'rights' else 'consent' end as cause,
           array(select pseudonym from consent_records r
                  where r.item_id = i.id and i.people = 'identifiable' and r.valid_until = i.lapses_at
                  order by pseudonym) as details
      from items i join categories c on c.id = i.category_id
     where ${isLapsing} ${after === undefined ? sql`` : sql`and (i.lapses_at, i.no) > ${numbersOf(after)}`}
     order by i.lapses_at, i.no limit ${limit + 1}`
}

function lapsed(after: string | undefined, limit: number): RawBuilder<Row> {
  return sql<Row>`
    select ${columns}, l.restricted_at as at, ${placeOf(sql`l.restricted_at`)},
           case i.restriction when 'rights_lapsed' then 'rights' else i.restriction end as cause,
           array[]::text[] as details
      from lapsed_items l join items i on i.no = l.item_no join categories c on c.id = i.category_id
     ${after === undefined ? sql`` : sql`where (l.restricted_at, l.item_no) < ${numbersOf(after)}`}
     order by l.restricted_at desc, l.item_no desc limit ${limit + 1}`
}
