import { type RawBuilder, sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { columnsOf, isStored, listFields, valuesIn } from '../item/fields.ts'
import { answererOf } from '../item/field-answers.ts'
import { foldText, likeAnywhere, wordsOf } from '../item/name-text.ts'
import { findRefusals, type ItemHold } from '../publishing/publication-checks.ts'
import { readGate } from '../publishing/read-gate.server.ts'
import { candidatesOf, type StoredCandidate, storedItems } from '../publishing/stored-item.server.ts'
import { type ContentSection, type ContentTab, itemStatuses, type ListedStatus } from './content-sections.ts'
import type { ContentList, ContentRow } from './content-schema.ts'
import { isListedAs } from './listed-status.server.ts'

export interface ContentQuery {
  page: number
  limit: number
  sortOrder: 'ASC' | 'DESC'
  search: string
  category: string
  status: ListedStatus | undefined
  /** The id of the last item of the page before: the page goes on from there, wherever that item stands by now. */
  after?: string | undefined
}

/** The most matches of a text that are put in order at once; of more, a page is found by a walk along the index. */
export const maxGathered = 4_500

type ListingApp = Pick<CatalogueApp, 'db' | 'clock' | 'config' | 'listing'>

/**
 * A page of the items of a tab, of every status, by post date, then in the order they were added
 * (docs/spec/catalogue.md#list-for-administrators).
 */
export async function listItems(app: ListingApp, tab: ContentTab, query: ContentQuery): Promise<ContentList> {
  const words = wordsOf(query.search)
  const categoryId = await findCategory(app, query.category)
  if (categoryId === null) return { data: [], total: 0, editable: 0, totalPages: 0 }
  const section = tab === 'all' ? undefined : tab
  const filter: Filter = { section, status: query.status, categoryId, words, now: app.clock.now() }
  const found = words.length === 0 ? undefined : await matchNames(app, filter, query)
  const numbers = found?.gathered ? pageOf(found.gathered, query) : await walk(app, filter, query)
  const [{ total, editable }, data] = await Promise.all([
    found ?? countItems(app, filter),
    readRows(app, numbers, query.sortOrder),
  ])
  return { data, total, editable, totalPages: Math.ceil(total / query.limit) }
}

function pageOf(gathered: { no: number; id: string }[], { page, limit, after }: ContentQuery): RawBuilder<number[]> {
  const start = (after === undefined ? -1 : gathered.findIndex(({ id }) => id === after)) + 1
  const from = start === 0 ? (page - 1) * limit : start
  return sql`${gathered.slice(from, from + limit).map(({ no }) => no)}::int[]`
}

interface Filter {
  section: ContentSection | undefined
  status: ListedStatus | undefined
  categoryId: number | undefined
  words: string[]
  now: number
}

/** @returns null where no category has this name; undefined where none is asked for */
async function findCategory({ db }: ListingApp, name: string): Promise<number | null | undefined> {
  if (name === '') return undefined
  const found = await db
    .selectFrom('categories')
    .select('id')
    .where('name_folded', '=', foldText(name))
    .executeTakeFirst()
  return found?.id ?? null
}

interface Matches {
  total: number
  editable: number
  /** All of them in order, unless there are too many. */
  gathered?: { no: number; id: string }[]
}

/**
 * The database counts every stored status along with its changes: of those, nothing is counted here but the rows of a
 * small table.
 */
async function countItems({ db }: ListingApp, filter: Filter): Promise<Matches> {
  const { section, status, categoryId } = filter
  if (status !== undefined && !itemStatuses.some((stored) => stored === status)) {
    const { rows } = await sql<{ total: number }>`
      select count(*)::int as total from items where ${conditions(filter)}`.execute(db)
    const { total = 0 } = rows[0] ?? {}
    return { total, editable: total }
  }
  return db
    .selectFrom('item_counts')
    .select(sql<number>`coalesce(sum(count), 0)::int`.as('total'))
    .select(sql<number>`coalesce(sum(count) filter (where status <> 'removed'), 0)::int`.as('editable'))
    .$if(section !== undefined, (counts) => counts.where('section', '=', section as string))
    .$if(status !== undefined, (counts) => counts.where('status', '=', status as string))
    .$if(categoryId !== undefined, (counts) => counts.where('category_id', '=', categoryId as number))
    .executeTakeFirstOrThrow()
}

function conditions({ section, status, categoryId, words, now }: Filter): RawBuilder<unknown> {
  return sql.join(
    [
      sql`true`,
      ...(section === undefined ? [] : [sql`section_of(content_type) = ${section}`]),
      ...(status === undefined ? [] : [isListedAs(status, now)]),
      ...(categoryId === undefined ? [] : [sql`category_id = ${categoryId}`]),
      ...(words.length === 0 ? [] : [sql`searched like all (${words.map(likeAnywhere)}::text[])`]),
    ],
    sql` and `,
  )
}

/** Published items with this text are found by the index in memory, the others by their names. */
async function matchNames({ db, listing }: ListingApp, filter: Filter, { sortOrder }: ContentQuery): Promise<Matches> {
  const { section, status, categoryId, words } = filter
  // The index knows of an edit a moment later.
  await listing.catchUp()
  const published =
    status === undefined || status === 'published'
      ? listing.publishedWith(words, {
          ...(section === undefined ? {} : section === 'vip' ? { isVip: true } : { contentType: section }),
          ...(categoryId === undefined ? {} : { categoryIds: [categoryId] }),
        })
      : []
  const isOther = sql`${status === undefined ? sql`status <> 'published'` : sql`true`} and ${conditions(filter)}`
  const others =
    status === 'published'
      ? []
      : (
          await sql<{ no: number; removed: boolean }>`
            select no, status = 'removed' as removed from items where ${isOther} limit ${maxGathered + 1}`.execute(db)
        ).rows
  if (others.length > maxGathered) {
    const { rows } = await sql<{ count: number; removed: number }>`
      select count(*)::int as count, (count(*) filter (where status = 'removed'))::int as removed
        from items where ${isOther}`.execute(db)
    const { count = 0, removed = 0 } = rows[0] ?? {}
    return { total: published.length + count, editable: published.length + count - removed }
  }
  const total = published.length + others.length
  const editable = total - others.filter(({ removed }) => removed).length
  if (total > maxGathered) return { total, editable }
  const { rows: gathered } = await sql<{ no: number; id: string }>`
    select no, id from items where no = any(${[...published, ...others.map(({ no }) => no)]}::int[])
     order by ${inOrder(sortOrder)}`.execute(db)
  return { total, editable, gathered }
}

function inOrder(sortOrder: ContentQuery['sortOrder']): RawBuilder<unknown> {
  return sortOrder === 'ASC' ? sql`post_date, no` : sql`post_date desc, no desc`
}

/** The numbers of a page's items, along the index: the query of them. */
async function walk(
  { db }: ListingApp,
  filter: Filter,
  { page, limit, sortOrder, after }: ContentQuery,
): Promise<RawBuilder<number[]>> {
  const last =
    after === undefined
      ? undefined
      : await db
          .selectFrom('items')
          .select(['no', sql<string>`post_date::text`.as('post_date')])
          .where('id', '=', after)
          .executeTakeFirst()
  const beyond =
    last === undefined
      ? sql``
      : sql`and (post_date, no) ${sql.raw(sortOrder === 'ASC' ? '>' : '<')} (${last.post_date}::timestamptz, ${last.no})`
  return sql`array(
    select no from items where ${conditions(filter)} ${beyond}
     order by ${inOrder(sortOrder)} limit ${limit} offset ${last === undefined ? (page - 1) * limit : 0})`
}

/** The rows of these items. The text of a row of most items needs a third of their columns. */
async function readRows(
  app: ListingApp,
  numbers: RawBuilder<number[]>,
  sortOrder: ContentQuery['sortOrder'],
): Promise<ContentRow[]> {
  const rows = await app.db
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'items.category_id')
    .select([
      'items.id',
      'items.no',
      'categories.name as category',
      ...columnsOf(listFields.filter(isStored)),
      'items.created_at',
      'items.updated_at',
      'items.status',
      'items.restriction',
      'items.version',
      'items.lapses_at',
      sql<ItemHold['kind'] | null>`(
        select max(kind) from item_holds where released_at is null and item_id = items.id)`.as('held_by'),
    ])
    .where(sql<boolean>`items.no = any(${numbers})`)
    .orderBy(inOrder(sortOrder))
    .execute()
  const unpublished = rows.filter(({ status }) => status === 'draft' || status === 'restricted').map(({ no }) => no)
  const reasons = await readReasons(app, unpublished)
  const answer = answererOf(listFields, app.config.timeZone)
  return rows.map((row) => ({
    id: row.id,
    ...answer(valuesIn(row, listFields)),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    status: row.status,
    restriction: row.restriction,
    heldBy: row.held_by,
    version: row.version,
    lapsesAt: row.lapses_at?.toISOString() ?? null,
    reasons: reasons.get(row.no) ?? [],
  }))
}

export async function readReasons(
  { db, clock, config }: Pick<CatalogueApp, 'db' | 'clock' | 'config'>,
  numbers: number[],
): Promise<ReadonlyMap<number, string[]>> {
  if (numbers.length === 0) return new Map()
  const rows = await storedItems(db)
    .where(sql<boolean>`items.no = any(${numbers}::int[])`)
    .execute()
  const { rows: proven } = await sql<{ id: string }>`
    select distinct item_id as id from evidence_files
     where item_id = any(${rows.map(({ id }) => id)}::uuid[]) and consent_id is null`.execute(db)
  const withFile = new Set(proven.map(({ id }) => id))
  const candidates = await candidatesOf(db, rows)
  const gate = await readGate(config, db, [...candidates.values()])
  const now = clock.now()
  return new Map(
    rows.map(({ id, no }) => {
      const candidate = { ...(candidates.get(id) as StoredCandidate), hasEvidenceFile: withFile.has(id) }
      return [no, findRefusals(candidate, gate, now).map(({ message }) => message)]
    }),
  )
}
