import { type RawBuilder, sql, type Transaction } from 'kysely'
import { isoOf } from '../../../platform/time/iso-of.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { fields, lineOf, rightsFields, storedFields } from '../item/fields.ts'
import type { Item } from '../item/item.ts'
import { fingerprintEdition, fingerprintsOfItem } from '../item/link-fingerprints.server.ts'
import { searchedText } from '../item/searched-text.ts'
import { publicationChecks } from './publication-checks.ts'

/*
 * The one place that writes the content of items. Both statements take any number of items, write the clearances of the published
 * ones beside them, and leave it to the database to refuse what the gate forbids.
 */

interface Stored {
  id: string
  item: Item
  categoryId: number
  /** Whether it is published with this write; the caller has run the checks. */
  isPublished: boolean
  /** Tells a row of an import from a changed one; null for an item that was not imported. */
  importDigest: string | null
}

export interface NewItem extends Stored {
  slug: string
}

export interface ChangedItem extends Stored {
  /** The status while it is not published. A removed item stays removed. */
  otherwise: 'draft' | 'restricted' | 'removed'
}

/** The person who attests rights and clearance, and when, in milliseconds since 1970. */
export interface Attestation {
  by: string
  at: number
}

/**
 * Takes the lock that every writing transaction takes first. The change feed's trigger takes it anyway, but after the
 * rows it has changed; two writers would wait for each other. It also makes "is this slug free" hold until the commit.
 */
export async function lockCatalogue(trx: Transaction<CatalogueDatabase>): Promise<void> {
  await trx.selectFrom('catalogue_state').select('version').forUpdate().execute()
}

/** @throws when the database refuses one of them; then none is written */
export async function insertItems(
  app: Pick<CatalogueApp, 'config'>,
  trx: Transaction<CatalogueDatabase>,
  items: NewItem[],
  attestation: Attestation,
): Promise<void> {
  if (items.length === 0) return
  const { by, at } = attestation
  const instant = isoOf(at)
  await sql`
    with given as (select * from ${unnested([...columns, slugColumn], items, app, at)}),
    saved as (
      insert into items (id, slug, status, cleared_version, created_at, updated_at,
        rights_attested_by, rights_attested_at, ${sql.raw(contentColumns)})
      select id, slug, case when is_published then 'published' else 'draft' end, case when is_published then 1 end,
             ${instant}::timestamptz, ${instant}::timestamptz, case when rights_basis is not null then ${by}::text end,
             case when rights_basis is not null then ${instant}::timestamptz end, ${sql.raw(contentColumns)}
        from given
      returning id, version, fingerprint, status)
    ${clearanceOfSaved(attestation)}`.execute(trx)
}

/**
 * Writes items anew, each with a version of its own. Unchanged rights keep their attestation; changed rights are
 * attested now, and their verification falls.
 * @throws when the database refuses one of them; then none is written
 */
export async function updateItems(
  app: Pick<CatalogueApp, 'config'>,
  trx: Transaction<CatalogueDatabase>,
  items: ChangedItem[],
  attestation: Attestation,
): Promise<void> {
  if (items.length === 0) return
  const { by, at } = attestation
  const instant = isoOf(at)
  await sql`
    with given as materialized (select * from ${unnested([...columns, otherwiseColumn], items, app, at)}),
    saved as (
      update items i
         set status = case when given.is_published then 'published' else given.otherwise end,
             version = i.version + 1,
             cleared_version = case when given.is_published then i.version + 1 end,
             updated_at = ${instant}::timestamptz,
             rights_attested_by = case when rights.are_kept then i.rights_attested_by
                                       when given.rights_basis is not null then ${by}::text end,
             rights_attested_at = case when rights.are_kept then i.rights_attested_at
                                       when given.rights_basis is not null then ${instant}::timestamptz end,
             rights_verified_by = case when rights.are_kept then i.rights_verified_by end,
             rights_verified_at = case when rights.are_kept then i.rights_verified_at end,
             ${sql.raw(contentNames.map((name) => `${name} = given.${name}`).join(', '))}
        from given
        join items before on before.id = given.id
        cross join lateral (select (${sql.raw(rightsOf('before'))}) is not distinct from (${sql.raw(rightsOf('given'))}) as are_kept) rights
       where i.id = given.id
      returning i.id, i.version, i.fingerprint, i.status)
    ${clearanceOfSaved(attestation)}`.execute(trx)
}

/** Notes who has verified the rights as they are stored. Neither the version nor the clearance of the item changes. */
export async function verifyRights(
  trx: Transaction<CatalogueDatabase>,
  id: string,
  { by, at }: Attestation,
): Promise<void> {
  await trx
    .updateTable('items')
    .set({ rights_verified_by: by, rights_verified_at: new Date(at) })
    .where('id', '=', id)
    .execute()
}

/** Deletes an item with its consents and the records of its files. The database keeps a removed one, and the id. */
export async function deleteItem(trx: Transaction<CatalogueDatabase>, id: string): Promise<void> {
  await trx.deleteFrom('items').where('id', '=', id).execute()
}

function clearanceOfSaved({ by, at }: Attestation): RawBuilder<unknown> {
  return sql`
    insert into clearances (item_id, version, fingerprint, checks, cleared_by, cleared_at)
    select id, version, fingerprint, ${JSON.stringify(publicationChecks)}::jsonb, ${by}::text, ${isoOf(at)}::timestamptz
      from saved where status = 'published'`
}

interface Column<T> {
  name: string
  type: string
  of(item: T, given: Given): string | number | boolean | null
}

/** The further sources of a column, besides the item. */
interface Given {
  timeZone: string
  at: number
}

/** The fields as their columns, with what is reckoned from them: written as one at insertion and at every change. */
const content: Column<Stored>[] = [
  ...storedFields
    .filter((name) => name !== 'slug' && name !== 'postDate')
    .map((name): Column<Stored> => {
      const { kind, column } = lineOf(name)
      return { name: String(column), type: kind.columnType, of: ({ item }) => kind.toColumn(item[name]) }
    }),
  { name: 'searched', type: 'text', of: ({ item }) => searchedText(item) },
  { name: 'category_id', type: 'integer', of: ({ categoryId }) => categoryId },
  { name: 'post_date', type: 'timestamptz', of: ({ item }, { at }) => isoOf(item.postDate ?? at) },
  { name: 'post_month', type: 'smallint', of: ({ item }, { at, timeZone }) => monthOf(item.postDate ?? at, timeZone) },
  { name: 'link_fingerprints', type: 'bigint[]', of: ({ item }) => `{${fingerprintsOfItem(item).join(',')}}` },
  { name: 'fingerprint_edition', type: 'smallint', of: () => fingerprintEdition },
  { name: 'import_digest', type: 'text', of: ({ importDigest }) => importDigest },
]
const contentNames = content.map(({ name }) => name)
const contentColumns = contentNames.join(', ')
const columns: Column<Stored>[] = [
  { name: 'id', type: 'uuid', of: ({ id }) => id },
  { name: 'is_published', type: 'boolean', of: ({ isPublished }) => isPublished },
  ...content,
]
const slugColumn: Column<NewItem> = { name: 'slug', type: 'text', of: ({ slug }) => slug }
const otherwiseColumn: Column<ChangedItem> = { name: 'otherwise', type: 'text', of: ({ otherwise }) => otherwise }

function rightsOf(row: string): string {
  return rightsFields.map((name) => `${row}.${fields[name].column}`).join(', ')
}

/** Items as a table of the query: one array a column costs the least of all ways to hand a thousand rows over. */
function unnested<T extends Stored>(
  wanted: Column<T>[],
  items: T[],
  app: Pick<CatalogueApp, 'config'>,
  at: number,
): RawBuilder<unknown> {
  const given = items.map((): Given => ({ timeZone: app.config.timeZone, at }))
  const arrays: RawBuilder<unknown>[] = []
  const names: string[] = []
  const selected = wanted.map(({ name, type, of }) => {
    const values = items.map((item, i) => of(item, given[i] as Given))
    const [first = null] = values
    const isList = type.endsWith('[]')
    // Most items have nothing in half of the columns, and many files say the same in every row: one value does for all.
    if (first === null || items.length > 1) {
      if (values.every((value) => value === first))
        return sql`${first}::${sql.raw(isList ? 'text::' : '')}${sql.raw(type)} as ${sql.raw(name)}`
    }
    // An array of arrays would have to be rectangular: arrays travel as their text.
    arrays.push(sql`${values}::${sql.raw(isList ? 'text' : type)}[]`)
    names.push(name)
    return sql.raw(isList ? `${name}::${type}` : name)
  })
  return sql`(select ${sql.join(selected)} from unnest(${sql.join(arrays)}) as row_of(${sql.raw(names.join(', '))})) as given`
}

function monthOf(instant: number, timeZone: string): number {
  return Number(dayOf(instant, timeZone).slice(5, 7))
}

/** Data that breaks a constraint, a type or a trigger's rule; not a connection that broke. */
export function isRefusedByDatabase(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(22|23|DB)/.test(code)
}
