import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { SegmentBuilder, type SegmentColumns } from './name-segment.server.ts'

/** How many names are read in one piece. */
const namesAtOnce = 10_000

/** Reads everything that the listing holds, as it is at one moment. */
export async function readListing(app: Pick<CatalogueApp, 'maintenanceDb' | 'gateway' | 'texts'>) {
  return app.maintenanceDb
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const state = await trx.selectFrom('catalogue_state').select('version').executeTakeFirstOrThrow()
      // The database ships columns, not rows: 24 bytes an item, in order, as one value.
      const { rows } = await sql<{ items: string | null }>`
        select encode(string_agg(float8send(posted_at) || float8send(created_at) || int4send(no) || int4send(facets), ''), 'base64') as items
          from (select extract(epoch from post_date)::float8 * 1000 as posted_at,
                       extract(epoch from created_at)::float8 * 1000 as created_at, no, facets
                  from items where status = 'published'
                 order by post_date, items.created_at, no) listed`.execute(trx)
      const lapses = await trx
        .selectFrom('items')
        .select(['no', sql<number>`extract(epoch from lapses_at)::float8 * 1000`.as('at')])
        .where('status', '=', 'published')
        .where('lapses_at', 'is not', null)
        .orderBy('lapses_at')
        .execute()
      const categories = await trx.selectFrom('categories').select(['id', 'name']).execute()
      const gateway = await app.gateway.readSaved(trx)
      const texts = await app.texts.readSaved(trx)
      const names = await readNames(trx)
      return {
        version: Number(state.version),
        names,
        items: unpack(rows[0]?.items ?? ''),
        lapses,
        categories,
        gateway,
        texts,
      }
    })
}

async function readNames(db: Queryable<CatalogueDatabase>): Promise<SegmentColumns> {
  const builder = new SegmentBuilder()
  for (let last = 0; ;) {
    // No searched text has a line break.
    const { rows } = await sql<{ names: string | null }>`
      select string_agg(no || ' ' || searched, e'\\n' order by no) as names from (
        select no, searched from items where status = 'published' and no > ${last}
         order by no limit ${namesAtOnce}) piece`.execute(db)
    const names = rows[0]?.names?.split('\n') ?? []
    for (const line of names) {
      const end = line.indexOf(' ')
      last = Number(line.slice(0, end))
      builder.add(last, line.slice(end + 1))
    }
    if (names.length < namesAtOnce) return builder.finish()
  }
}

function unpack(base64: string) {
  const bytes = Buffer.from(base64, 'base64')
  const length = bytes.length / 24
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const columns = {
    no: new Int32Array(length),
    postedAt: new Float64Array(length),
    createdAt: new Float64Array(length),
    facets: new Int32Array(length),
  }
  for (let i = 0; i < length; i += 1) {
    const at = i * 24
    columns.postedAt[i] = view.getFloat64(at)
    columns.createdAt[i] = view.getFloat64(at + 8)
    columns.no[i] = view.getInt32(at + 16)
    columns.facets[i] = view.getInt32(at + 20)
  }
  return columns
}
