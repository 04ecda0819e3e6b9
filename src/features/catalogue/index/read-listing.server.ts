import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { termsIn } from '../item/terms.ts'
import { SlugTable } from './slug-table.server.ts'
import { ItemTerms } from './terms/item-terms.server.ts'
import { termsText } from './terms/terms-text.server.ts'
import type { ListedItem } from './item-columns.ts'
import { settingsItemNumber } from './response-scopes.ts'
import { SegmentBuilder, type SegmentColumns } from './names/name-segment.server.ts'

/** How many names are read in one piece, and how many items of the listing. */
const namesAtOnce = 10_000
const itemsAtOnce = 100_000

/**
 * When the database reached a version, in microseconds since 1970: a restored database reaches it at another instant. Null for a
 * version that is unknown or pruned.
 */
export function changedAtOf(version: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(
    select (extract(epoch from changed_at) * 1000000)::bigint::text from catalogue_changes c where c.version = ${version} limit 1)`
}

/**
 * Reads everything that the listing holds, as it is at one moment.
 * @param whileReading called while the database gathers all items
 */
export async function readListing(
  app: Pick<CatalogueApp, 'maintenanceDb' | 'gateway' | 'texts' | 'rehearsal'>,
  whileReading?: () => void,
) {
  return app.maintenanceDb
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const state = await trx
        .selectFrom('catalogue_state')
        .select(['version', changedAtOf(sql.ref('catalogue_state.version')).as('changedAt')])
        .executeTakeFirstOrThrow()
      // The database ships columns, not rows: 24 bytes an item, in order, in pieces that a text can hold.
      const gathering = sql<{ items: string }>`
        select encode(string_agg(float8send(posted_at) || float8send(created_at) || int4send(no) || int4send(facets), '' order by place), 'base64') as items
          from (select extract(epoch from post_date)::float8 * 1000 as posted_at,
                       extract(epoch from created_at)::float8 * 1000 as created_at, no, facets,
                       row_number() over (order by post_date, items.created_at, no) as place
                  from items where status = 'published') listed
         group by (place - 1) / ${itemsAtOnce}
         order by min(place)`.execute(trx)
      if (whileReading !== undefined) {
        gathering.catch(() => {
          // Thrown where it is awaited.
        })
        // The question has to be out before the other work.
        await setImmediate()
        whileReading()
      }
      const { rows } = await gathering
      const lapses = await trx
        .selectFrom('items')
        .select(['no', sql<number>`extract(epoch from lapses_at)::float8 * 1000`.as('at')])
        .where('status', '=', 'published')
        .where('lapses_at', 'is not', null)
        .orderBy('lapses_at')
        .execute()
      return {
        version: Number(state.version),
        changedAt: state.changedAt,
        ...(await readSearchedTexts(trx)),
        items: unpack(rows.map(({ items }) => items)),
        lapses,
        ...(await readSettings(trx, app)),
      }
    })
}

/** Reads what the listing holds beside the items. */
export async function readSettings(
  db: Queryable<CatalogueDatabase>,
  app: Pick<CatalogueApp, 'gateway' | 'texts' | 'rehearsal'>,
) {
  const [categories, gateway] = [await readCategories(db), await app.gateway.readSaved(db)]
  const texts = await app.texts.readSaved(db)
  const isIdle = await app.gateway.readIsIdle(db)
  return { categories, gateway, isIdle, texts, isRehearsal: await app.rehearsal.readSaved(db) }
}

async function readCategories(db: Queryable<CatalogueDatabase>): Promise<{ id: number; name: string }[]> {
  return db.selectFrom('categories').select(['id', 'name']).execute()
}

export interface FeedEntry {
  item_no: number | null
  links_only: boolean
}

/** A published item that the change feed has named, as it is now. */
export interface ChangedRow extends ListedItem {
  slug: string
  searched: string
  /** As `termsIn` reads it. */
  terms: string
  lapsesAt: number | null
}

/** More changes than these are read anew with everything else. */
const maxChanges = 50_000

/**
 * Reads what has changed since a version.
 * @returns `lost` where the feed does not say it: pruned changes, an unnamed one, very many, or another history of the database
 */
export async function readChanges(
  app: Pick<CatalogueApp, 'db' | 'gateway' | 'texts' | 'rehearsal'>,
  since: { version: number; changedAt: string | null },
) {
  const { db } = app
  const { changedAt, ownChangedAt, ...state } = await db
    .selectFrom('catalogue_state')
    .select([
      'version',
      changedAtOf(sql.ref('catalogue_state.version')).as('changedAt'),
      changedAtOf(sql`${since.version}::bigint`).as('ownChangedAt'),
    ])
    .executeTakeFirstOrThrow()
  const version = Number(state.version)
  // A database that was put back, or has lost commits, has the same numbers for other changes.
  if (since.changedAt !== null && ownChangedAt !== null && since.changedAt !== ownChangedAt) return 'lost'
  if (version === since.version) return 'none'
  const changes = await db
    .selectFrom('catalogue_changes')
    .select(['version', 'item_no', 'links_only'])
    .where('version', '>', String(since.version) as never)
    .where('version', '<=', String(version) as never)
    .limit(maxChanges + 1)
    .execute()
  const versions = new Set(changes.map((change) => change.version))
  if (
    versions.size !== version - since.version ||
    changes.length > maxChanges ||
    changes.some((change) => change.item_no === null)
  ) {
    return 'lost'
  }
  const touched = [...new Set(changes.map((change) => change.item_no as number))]
  const rows: ChangedRow[] = await db
    .selectFrom('items')
    .select([
      'no',
      'facets',
      'slug',
      'searched',
      termsText.as('terms'),
      sql<number>`extract(epoch from post_date)::float8 * 1000`.as('postedAt'),
      sql<number>`extract(epoch from created_at)::float8 * 1000`.as('createdAt'),
      sql<number | null>`extract(epoch from lapses_at)::float8 * 1000`.as('lapsesAt'),
    ])
    .where('status', '=', 'published')
    .where(sql<boolean>`no = any(${touched}::int[])`)
    .execute()
  const settings = touched.includes(settingsItemNumber) ? await readSettings(db, app) : undefined
  const categories = settings?.categories ?? (await readCategories(db))
  return { version, changedAt, changes, touched, rows, categories, settings }
}

/** Before the terms of an item in a line; no text has it. */
const beforeTerms = '\x1c'

/** The texts of all published items, their slugs and their terms. */
async function readSearchedTexts(
  db: Queryable<CatalogueDatabase>,
): Promise<{ names: SegmentColumns; slugs: SlugTable; terms: ItemTerms }> {
  const builder = new SegmentBuilder()
  const slugs = new SlugTable()
  const terms = new ItemTerms()
  const read = async (after: number): Promise<string[]> => {
    // No searched text has a line break, no slug a space.
    const { rows } = await sql<{ names: string | null }>`
      select string_agg(no || ' ' || slug || ' ' || searched || ${sql.lit(beforeTerms)} || terms, e'\\n' order by no) as names from (
        select no, slug, searched, ${termsText} as terms from items where status = 'published' and no > ${after}
         order by no limit ${namesAtOnce}) piece`.execute(db)
    return rows[0]?.names?.split('\n') ?? []
  }
  for (let next = read(0); ;) {
    const names = await next
    const isLast = names.length < namesAtOnce
    if (!isLast) {
      // The database gathers the next piece meanwhile: the question has to be out before the work on this one.
      next = read(Number.parseInt(names.at(-1) as string, 10))
      next.catch(() => {
        // Thrown where it is awaited.
      })
      await setImmediate()
    }
    for (const line of names) {
      const endOfNumber = line.indexOf(' ')
      const endOfSlug = line.indexOf(' ', endOfNumber + 1)
      const endOfSearched = line.indexOf(beforeTerms, endOfSlug)
      const no = Number(line.slice(0, endOfNumber))
      slugs.add(no, line.slice(endOfNumber + 1, endOfSlug))
      builder.add(no, line.slice(endOfSlug + 1, endOfSearched))
      terms.set(no, termsIn(line.slice(endOfSearched + 1)))
    }
    if (isLast) return { names: builder.finish(), slugs, terms }
  }
}

function unpack(pieces: readonly string[]) {
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')))
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
