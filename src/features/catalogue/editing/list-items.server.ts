import { type RawBuilder, sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { answersIn, columnsOf, isStored, listFields, valuesIn } from '../item/fields.ts'
import { foldText, likeAnywhere, trigramsOfWord, wordsOf } from '../item/name-text.ts'
import { readHolds } from '../publishing/standing-holds.server.ts'
import { findRefusals } from '../publishing/publication-checks.ts'
import { readGate } from '../publishing/read-gate.server.ts'
import { candidatesOf, type StoredCandidate, storedItems } from '../publishing/stored-item.server.ts'
import type { ContentSection, ItemStatus } from './content-sections.ts'
import type { ContentList, ContentRow } from './content-schema.ts'

export interface ContentQuery {
  page: number
  limit: number
  sortOrder: 'ASC' | 'DESC'
  search: string
  category: string
  status: ItemStatus | undefined
  /** The id of the last item of the page before: the page goes on from there, wherever that item stands by now. */
  after?: string | undefined
}

/**
 * The most matches of a text that are gathered and counted at once. Beyond it, the page is read alone, and the total is
 * a lower bound.
 */
const maxGathered = 4_500

type ListingApp = Pick<CatalogueApp, 'db' | 'clock' | 'config'>

/**
 * A page of the items of a section, of every status, by post date, then in the order they were added
 * (docs/spec/catalogue.md#list-for-administrators).
 */
export async function listItems(app: ListingApp, section: ContentSection, query: ContentQuery): Promise<ContentList> {
  const { page, limit } = query
  const words = wordsOf(query.search)
  const categoryId = await findCategory(app, query.category)
  if (categoryId === null) return { data: [], total: 0, totalIsExact: true, totalPages: 0 }
  const filter: Filter = { section, status: query.status, categoryId, words }

  const gathered = words.length === 0 ? undefined : await gatherMatches(app, filter, query)
  if (gathered !== undefined) {
    const start = (query.after === undefined ? -1 : gathered.findIndex(({ id }) => id === query.after)) + 1
    const from = start === 0 ? (page - 1) * limit : start
    return {
      data: await readRows(
        app,
        gathered.slice(from, from + limit).map(({ no }) => no),
      ),
      ...counted(gathered.length, limit),
    }
  }
  const total = words.length > 0 ? undefined : await countItems(app, filter)
  const numbers = total === 0 ? [] : await walk(app, filter, query)
  const data = await readRows(app, numbers.slice(0, limit))
  if (total !== undefined) return { data, ...counted(total, limit) }
  const met = (page - 1) * limit + numbers.length
  if (numbers.length > 0 && numbers.length <= limit) return { data, ...counted(met, limit) }
  // Nothing is there, or the page lies beyond the last.
  const found = numbers.length === 0 ? await countMatches(app, filter) : met
  if (numbers.length === 0 && found <= maxGathered) return { data, ...counted(found, limit) }
  // More follow.
  const known = Math.max(hasTrigrams(words) ? maxGathered + 1 : 0, found)
  return { data, total: known, totalIsExact: false, totalPages: Math.ceil(known / limit) }
}

function counted(total: number, limit: number): Pick<ContentList, 'total' | 'totalIsExact' | 'totalPages'> {
  return { total, totalIsExact: true, totalPages: Math.ceil(total / limit) }
}

interface Filter {
  section: ContentSection
  status: ItemStatus | undefined
  categoryId: number | undefined
  words: string[]
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

/** The database counts along with every change: nothing is counted here but the rows of a small table. */
async function countItems({ db }: ListingApp, { section, status, categoryId }: Filter): Promise<number> {
  const { total } = await db
    .selectFrom('item_counts')
    .select(sql<number>`coalesce(sum(count), 0)::int`.as('total'))
    .where('section', '=', section)
    .$if(status !== undefined, (counts) => counts.where('status', '=', status as string))
    .$if(categoryId !== undefined, (counts) => counts.where('category_id', '=', categoryId as number))
    .executeTakeFirstOrThrow()
  return total
}

/** One or two letters of an alphabet have none. */
function hasTrigrams(words: string[]): boolean {
  return words.some((word) => trigramsOfWord(word).length > 0)
}

function conditions({ section, status, categoryId, words }: Filter): RawBuilder<unknown> {
  return sql.join(
    [
      sql`section_of(content_type) = ${section}`,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(categoryId === undefined ? [] : [sql`category_id = ${categoryId}`]),
      ...(words.length === 0 ? [] : [sql`name_folded like all (${words.map(likeAnywhere)}::text[])`]),
    ],
    sql` and `,
  )
}

/**
 * All matches of a text in order, found by the trigrams of its words; undefined where there are too many, or where the
 * words are too short to have any.
 */
async function gatherMatches(
  { db }: ListingApp,
  filter: Filter,
  { sortOrder }: ContentQuery,
): Promise<{ no: number; id: string }[] | undefined> {
  if (!hasTrigrams(filter.words)) return undefined
  const trigrams = [...new Set(filter.words.flatMap(trigramsOfWord))]
  const matching = (isPublished: boolean): RawBuilder<unknown> => sql`
    (select no, id, post_date from items
      where status ${sql.raw(isPublished ? '=' : '<>')} 'published' and name_grams @> ${trigrams}::int[] and ${conditions(filter)}
      limit ${maxGathered + 1})`
  const { rows } = await sql<{ no: number; id: string }>`
    select no, id from (${matching(true)} union all ${matching(false)}) matching
     order by ${inOrder(sortOrder)}`.execute(db)
  return rows.length > maxGathered ? undefined : rows
}

/** How many match, up to one more than are gathered. */
async function countMatches({ db }: ListingApp, filter: Filter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from items where ${conditions(filter)} limit ${maxGathered + 1}) matching`.execute(db)
  return rows[0]?.count ?? 0
}

function inOrder(sortOrder: ContentQuery['sortOrder']): RawBuilder<unknown> {
  return sortOrder === 'ASC' ? sql`post_date, no` : sql`post_date desc, no desc`
}

/** The numbers of a page's items and of one more where more follow, along the index. */
async function walk(
  { db }: ListingApp,
  filter: Filter,
  { page, limit, sortOrder, after }: ContentQuery,
): Promise<number[]> {
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
  const { rows } = await sql<{ no: number }>`
    select no from items where ${conditions(filter)} ${beyond}
     order by ${inOrder(sortOrder)} limit ${limit + 1} offset ${last === undefined ? (page - 1) * limit : 0}`.execute(
    db,
  )
  return rows.map(({ no }) => no)
}

/** The rows of these items, in this order. The text of a row of most items needs a third of their columns. */
async function readRows(app: ListingApp, numbers: number[]): Promise<ContentRow[]> {
  if (numbers.length === 0) return []
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
    ])
    .where(sql<boolean>`items.no = any(${numbers}::int[])`)
    .execute()
  const holds = await readHolds(
    app.db,
    rows.map(({ id }) => id),
  )
  const byNumber = new Map(rows.map((row) => [row.no, row]))
  const unpublished = rows.filter(({ status }) => status === 'draft' || status === 'restricted').map(({ no }) => no)
  const reasons = await readReasons(app, unpublished)
  return numbers.flatMap((no): ContentRow[] => {
    const row = byNumber.get(no)
    if (row === undefined) return []
    return [
      {
        id: row.id,
        ...answersIn(valuesIn(row, listFields), listFields, app.config.timeZone),
        createdAt: row.created_at.toISOString(),
        updatedAt: row.updated_at.toISOString(),
        status: row.status,
        restriction: row.restriction,
        heldBy: holds.get(row.id)?.kind ?? null,
        version: row.version,
        lapsesAt: row.lapses_at?.toISOString() ?? null,
        reasons: reasons.get(no) ?? [],
      },
    ]
  })
}

/** The reasons against publishing these drafts and restricted items, in sentences. */
export async function readReasons(
  { db, clock, config }: ListingApp,
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
