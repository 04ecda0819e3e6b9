import { sql, type Transaction } from 'kysely'
import { hash } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { Queryable } from '../../../db/queryable.ts'
import { recordAuditEvent } from '../../accounts/audit/record-audit-event.server.ts'
import { AppError } from '../../../platform/errors.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { countCategories, createCategories, findCategories, maxCategories } from '../item/categories.server.ts'
import type { ImportFile, ImportRow } from './import-file.server.ts'
import { type Item, itemColumns, itemText } from '../item/item.ts'
import { linkSlots } from '../item/link-slots.ts'
import { freeSlug, makeSlug } from '../item/make-slug.ts'
import { foldText } from '../item/name-text.ts'
import { isRestrictedByPeople } from '../publishing/changeable-items.server.ts'
import type { ProhibitedTerms } from '../publishing/prohibited-terms.ts'
import { readProhibitedTerms } from '../publishing/read-prohibited-terms.server.ts'
import { findRefusals, type Refusal } from '../publishing/publication-checks.ts'
import { isRefusedByDatabase } from '../publishing/is-refused-by-database.ts'
import { recomputeMonths } from '../publishing/recompute-months.server.ts'
import type { RejectedRow } from './rejects-file.server.ts'
import { restrictLapsedItems } from '../publishing/restrict-lapsed-items.server.ts'
import {
  type ChangedItem,
  insertItems,
  lockCatalogue,
  type NewItem,
  updateItems,
} from '../publishing/save-items.server.ts'
import { consentsOf, itemOf, storedItems } from '../publishing/stored-item.server.ts'
import { tidyAfter } from '../publishing/tidy-after.server.ts'

/** The part of the application that a batch of an import uses. */
export type ImportingApp = Pick<CatalogueApp, 'config' | 'db' | 'clock' | 'log'>

export interface ImportOptions {
  /** Publish what the gate lets pass; without it new items are drafts. */
  publish: boolean
  createCategories: boolean
  /** Look at every row and write nothing. */
  dryRun: boolean
}

/** The results of the rows. Every row is one of created, updated, unchanged and rejected. */
export interface ImportTally {
  created: number
  updated: number
  unchanged: number
  rejected: number
  /** Of the created and updated: now published by this import. */
  published: number
  /** Of the created, updated and unchanged: asked to be published, refused by the gate, and not published. */
  held: number
}

export interface ImportProgress {
  tally: ImportTally
  bytesRead: number
  /** Rows of the batch just done that were rejected or held. */
  rejected: RejectedRow[]
}

/** Rows that are written in one transaction. */
export const rowsInBatch = 1_000

/**
 * Imports a file, batch by batch, each in one transaction (docs/spec/catalogue.md#import).
 *
 * The catalogue itself is the record of how far an import came: a row that stands in it as it was imported is
 * recognised by its digest and left alone. So a file can be imported again at any time, also after a kill in the middle,
 * and reports every row that is not in, each time. An item that was edited since keeps the edit until its row changes.
 *
 * A row is the item of its `externalId`, else of its `slug`. A row with neither is the item whose slug its name makes
 * and whose main link is the same: of two works with one name neither takes the other's place.
 * @throws {AppError} `import.stopped` when `signal` asks to stop, `disk.full` when there is no room for another batch; the
 *   batches until then are in
 */
export async function importItems(
  app: ImportingApp & Pick<CatalogueApp, 'diskSpace'>,
  file: ImportFile,
  options: ImportOptions,
  { onProgress, signal }: Watched = {},
): Promise<ImportTally> {
  if (!options.dryRun) {
    // The database refuses to write a published item whose rights have lapsed, whatever the write is about.
    await restrictLapsedItems(app)
    // Items are written with the months of this zone: those that are there must agree.
    await recomputeMonths(app)
  }
  const run = await openImportRun(app, options)
  try {
    await importRows(app, file, run, { onProgress, signal })
  } catch (error) {
    await recordImport(app, run, 'stopped').catch((failure: unknown) =>
      app.log.warn({ err: failure }, 'The audit log does not have this import.'),
    )
    throw error
  }
  if (!options.dryRun) await tidyAfter(app.db, run.tally.created + run.tally.updated)
  await recordImport(app, run)
  return run.tally
}

interface Watched {
  onProgress?: ((progress: ImportProgress) => Promise<void> | void) | undefined
  signal?: AbortSignal | undefined
}

async function importRows(
  app: ImportingApp & Pick<CatalogueApp, 'diskSpace'>,
  file: ImportFile,
  run: ImportRun,
  { onProgress, signal }: Watched,
): Promise<void> {
  const batches = inBatches(file.rows, rowsInBatch)
  // The next rows are read while the database works on these.
  let next = batches.next()
  for (;;) {
    const { value: rows, done } = await next
    if (done === true) break
    next = batches.next()
    // Its failure is thrown where it is awaited; it must not count as unhandled until then.
    next.catch(() => {})
    if (!run.options.dryRun) {
      await app.diskSpace.look()
      await app.diskSpace.refuseWhenFull()
    }
    const rejected = await importBatch(app, run, rows)
    await onProgress?.({ tally: run.tally, bytesRead: file.bytesRead(), rejected })
    if (signal?.aborted === true) {
      throw new AppError({
        code: 'import.stopped',
        status: 409,
        message: 'The import was stopped. What is in stays in; the same command goes on from there.',
      })
    }
  }
}

/** The line of the audit log for an import on the command line that has written something. */
async function recordImport(app: ImportingApp, { options, tally }: ImportRun, outcome?: 'stopped'): Promise<void> {
  if (options.dryRun || tally.created + tally.updated === 0) return
  const details = { publish: options.publish, ...(outcome === undefined ? {} : { outcome }), ...tally }
  await app.db
    .transaction()
    .execute((trx) => recordAuditEvent(trx, { action: 'items.imported', by: 'operator', details }))
}

/** Rows in lists of this length. */
export async function* inBatches<T>(rows: AsyncIterable<T>, size: number): AsyncGenerator<T[], void> {
  let batch: T[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length === size) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/** The state of one import, from row to row. */
export interface ImportRun {
  options: ImportOptions
  /** Who attests the rights of its rows, and clears what is published. */
  by: string
  schema: ReturnType<typeof itemText>
  terms: ProhibitedTerms
  /** Which line an external id or slug was met in, and with what content: each item stands in a file once. */
  seen: Map<string, { line: number; digest: string }>
  /** By the slug a name makes, the first number that may be free; none below it becomes free again. */
  firstNumbers: Map<string, number>
  tally: ImportTally
}

/** Who attests the rights of what is imported on the command line. */
const operator = 'operator'

/** @param by the member who has begun it; without one it is the operator's */
export async function openImportRun(app: ImportingApp, options: ImportOptions, by = operator): Promise<ImportRun> {
  return {
    options,
    by,
    schema: itemText(app.config.timeZone),
    terms: await readProhibitedTerms(app.db),
    seen: new Map(),
    firstNumbers: new Map(),
    tally: noRows(),
  }
}

/** What became of some rows. */
export interface BatchOutcome {
  rows: ImportRow[]
  rejected: RejectedRow[]
  /** Of these rows alone. */
  tally: ImportTally
}

/** Notes the outcome of rows in the transaction that writes them. */
type RecordOutcome = (trx: Transaction<CatalogueDatabase>, outcome: BatchOutcome) => Promise<void>

/**
 * Imports some rows in one transaction, and adds them to the run's tally.
 * @param record is called in that transaction; more than once where the database refuses rows that the checks let pass
 * @returns the rows that are not in, or not published though that was asked
 */
export async function importBatch(
  app: ImportingApp,
  run: ImportRun,
  rows: ImportRow[],
  record?: RecordOutcome,
): Promise<RejectedRow[]> {
  try {
    const plan = run.options.dryRun
      ? await checkBatch(app, run, rows, record)
      : await writeBatch(app, run, rows, record)
    remember(run, plan)
    for (const key of Object.keys(plan.tally) as (keyof ImportTally)[]) run.tally[key] += plan.tally[key]
    return plan.rejected
  } catch (error) {
    if (!isRefusedByDatabase(error)) throw error
    // The checks above should have found this: the row is rejected, the others of its batch continue.
    if (rows.length > 1) {
      const rejected: RejectedRow[] = []
      for (const row of rows) rejected.push(...(await importBatch(app, run, [row], record)))
      return rejected
    }
    const reason = `The database refuses this row: ${(error as Error).message}`
    const rejected = rows.map((row) => ({ row, reasons: [reason], columns: [null] }))
    if (record !== undefined) {
      const tally = { ...noRows(), rejected: rejected.length }
      await app.db.transaction().execute((trx) => record(trx, { rows, rejected, tally }))
    }
    run.tally.rejected += rejected.length
    return rejected
  }
}

/**
 * Reads rows again that an earlier process has imported, so that what stands twice in the file is known. Writes and counts
 * nothing.
 */
export async function recallBatch(app: ImportingApp, run: ImportRun, rows: ImportRow[]): Promise<void> {
  remember(run, await planBatch(app, app.db, run, rows))
}

function remember(run: ImportRun, { seen, firstNumbers }: Plan): void {
  for (const [key, met] of seen) run.seen.set(key, met)
  for (const [base, number] of firstNumbers) run.firstNumbers.set(base, number)
}

export function noRows(): ImportTally {
  return { created: 0, updated: 0, unchanged: 0, rejected: 0, published: 0, held: 0 }
}

async function checkBatch(app: ImportingApp, run: ImportRun, rows: ImportRow[], record?: RecordOutcome): Promise<Plan> {
  const plan = await planBatch(app, app.db, run, rows)
  if (record !== undefined) await app.db.transaction().execute((trx) => record(trx, { rows, ...plan }))
  return plan
}

async function writeBatch(app: ImportingApp, run: ImportRun, rows: ImportRow[], record?: RecordOutcome): Promise<Plan> {
  return app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const plan = await planBatch(app, trx, run, rows)
    const created = await createCategories(trx, [...plan.newCategories.values()])
    const complete = <T extends Planned>(planned: T[]) =>
      planned.map((one) => ({
        ...one,
        categoryId: one.categoryId ?? (created.get(foldText(one.item.category)) as number),
      }))
    for (const name of plan.newCategories.values()) {
      await recordAuditEvent(trx, {
        action: 'category.created',
        by: run.by === operator ? 'operator' : { memberId: run.by },
        subject: { kind: 'category', id: String(created.get(foldText(name))) },
        details: { name, import: true },
      })
    }
    const attestation = { by: run.by, at: app.clock.now() }
    await insertItems(app, trx, complete(plan.inserts), attestation)
    await updateItems(app, trx, complete(plan.updates), attestation)
    await record?.(trx, { rows, ...plan })
    return plan
  })
}

/** An item to be written, whose category may not be there yet. */
type Planned = Omit<NewItem, 'slug' | 'categoryId'> & { categoryId: number | undefined }

interface Plan {
  inserts: (Planned & Pick<NewItem, 'slug'>)[]
  updates: (Planned & Pick<ChangedItem, 'otherwise'>)[]
  /** Names by folded name. */
  newCategories: Map<string, string>
  rejected: RejectedRow[]
  seen: ImportRun['seen']
  firstNumbers: ImportRun['firstNumbers']
  tally: ImportTally
}

/** A row that can be read, with the digest of its content. */
interface ReadRow {
  row: ImportRow
  item: Item
  digest: string
  /** The slug that it gives, else the one its name makes. */
  slug: string
}

/** Looks at rows against what is stored, and decides what is to be written; writes nothing. */
async function planBatch(
  app: ImportingApp,
  db: Queryable<CatalogueDatabase>,
  run: ImportRun,
  rows: ImportRow[],
): Promise<Plan> {
  const plan: Plan = {
    inserts: [],
    updates: [],
    newCategories: new Map(),
    rejected: [],
    seen: new Map(),
    firstNumbers: new Map(),
    tally: noRows(),
  }
  const reject = (row: ImportRow, reasons: string[], columns: (string | null)[] = []): void => {
    plan.rejected.push({ row, reasons, columns: reasons.map((reason, i) => columns[i] ?? columnIn(reason)) })
    plan.tally.rejected += 1
  }
  const hold = (row: ImportRow, refusals: Refusal[]): void => {
    plan.rejected.push({ row, reasons: refusals.map(reasonOf), columns: refusals.map(({ field }) => columnIn(field)) })
    plan.tally.held += 1
  }

  const readable = rows.flatMap((row): ReadRow[] => {
    const read = readRow(run, row)
    if ('reasons' in read) reject(row, read.reasons)
    return 'reasons' in read ? [] : [read]
  })
  const categories = await findCategories(
    db,
    readable.map(({ item }) => item.category),
  )
  const known = await findKnown(db, run, plan, readable)
  const matched: { read: ReadRow; match: Match }[] = []
  for (const read of await rowsWithCategory(db, run, plan, readable, categories, reject)) {
    const match = matchRow(run, plan, known, read)
    if ('reason' in match) reject(read.row, [match.reason])
    else if (match.repeats) plan.tally.unchanged += 1
    else matched.push({ read, match })
  }

  const stored = await findStored(db, run, matched)
  const now = app.clock.now()
  for (const { read, match } of matched) {
    const { row, item, digest } = read
    const categoryId = categories.get(foldText(item.category))
    const { existing } = match
    if (existing === undefined) {
      const refusals = run.options.publish
        ? findRefusals({ item, rightsRevokedAt: null, consents: [] }, run.terms, now, app.config.timeZone)
        : []
      const isPublished = run.options.publish && refusals.length === 0
      plan.inserts.push({ id: uuidv7(), slug: match.slug, item, categoryId, isPublished, importDigest: digest })
      plan.tally.created += 1
      if (isPublished) plan.tally.published += 1
      if (refusals.length > 0) hold(row, refusals)
      continue
    }

    const before = stored.get(existing.id)
    if (before === undefined) {
      plan.tally.unchanged += 1
      continue
    }
    const externalId = item.externalId ?? existing.externalId
    // A row that has not changed leaves the item as it is now; a changed one leaves open what it does not say.
    const wanted =
      existing.digest === digest
        ? { ...before.item, externalId }
        : { ...item, externalId, postDate: item.postDate ?? before.item.postDate }
    const isSame = externalId === existing.externalId && digestOf(wanted) === digestOf(before.item)
    const isRequested = run.options.publish || existing.status === 'published'
    const refusals = isRequested ? findRefusals({ ...before, item: wanted }, run.terms, now, app.config.timeZone) : []
    if (isRestrictedByPeople(existing) && (run.options.publish || !isSame)) {
      if (run.options.publish) {
        plan.tally.unchanged += 1
        hold(row, [restricted, ...refusals])
      } else reject(row, [reasonOf(restricted)], [null])
      continue
    }
    const isPublished = isRequested && refusals.length === 0
    if (isSame && (!isPublished || existing.status === 'published')) {
      plan.tally.unchanged += 1
      if (run.options.publish && !isPublished) hold(row, refusals)
    } else if (existing.status === 'published' && !isPublished) {
      reject(
        row,
        ['The item is published and stays as it was, because the changed row may not be.', ...refusals.map(reasonOf)],
        [null, ...refusals.map(({ field }) => columnIn(field))],
      )
    } else {
      const otherwise = existing.status === 'restricted' ? 'restricted' : 'draft'
      plan.updates.push({ id: existing.id, item: wanted, categoryId, isPublished, importDigest: digest, otherwise })
      plan.tally.updated += 1
      if (isPublished) plan.tally.published += 1
      else if (run.options.publish) hold(row, refusals)
    }
  }
  // They were met step by step; who mends them goes through the file.
  plan.rejected.sort((a, b) => a.row.line - b.row.line)
  return plan
}

const restricted: Refusal = {
  code: 'item.restricted',
  field: 'status',
  message: 'The item is restricted by hand or by a notice: the row is held, and nothing of the item is changed.',
  remedy: 'Lift the restriction where it was made.',
}

/** The column that a text begins with; consents belong to the people. */
function columnIn(text: string): string | null {
  const [word = ''] = text.split(/[ .:]/, 1)
  if (word === 'consents') return 'people'
  return itemColumns.find((column) => column === word) ?? null
}

function reasonOf({ code, message, remedy }: Refusal): string {
  return `${code}: ${message} ${remedy}`
}

/** A reason of a rejects file without its code, for people. */
export function sentenceOf(reason: string): string {
  return reason.replace(/^[a-zA-Z]+\.[a-z_]+: /, '')
}

function readRow(run: ImportRun, row: ImportRow): ReadRow | { reasons: string[] } {
  if (row.fault !== undefined) return { reasons: [row.fault] }
  const { data: item, error } = run.schema.safeParse(row.cells)
  if (item === undefined) return { reasons: error.issues.map(({ path, message }) => `${path.join('.')} ${message}`) }
  return { row, item, digest: digestOf(item), slug: item.slug ?? makeSlug(item.name) }
}

/** The content of a row, without its identity. */
const digested = [
  'name',
  'contentType',
  'region',
  'postDate',
  ...linkSlots,
  'rating',
  'rightsBasis',
  'rightsHolder',
  'licence',
  'evidence',
  'permitsDownload',
  'permitsPaidAccess',
  'validFrom',
  'validUntil',
  'people',
] as const satisfies (keyof Item)[]

/** The same for items of the same content, whatever spelling they were read from. */
function digestOf(item: Item): string {
  const content = [foldText(item.category), ...digested.map((field) => item[field])]
  return hash('md5', JSON.stringify(content), 'base64url')
}

/** The rows whose category exists or may be created; rejects the others. */
async function rowsWithCategory(
  db: Queryable<CatalogueDatabase>,
  run: ImportRun,
  plan: Plan,
  rows: ReadRow[],
  categories: Map<string, number>,
  reject: (row: ImportRow, reasons: string[]) => void,
): Promise<ReadRow[]> {
  const isMissing = ({ item }: ReadRow): boolean => !categories.has(foldText(item.category))
  const room = rows.some(isMissing) ? maxCategories - (await countCategories(db)) : 0
  return rows.filter((read) => {
    if (!isMissing(read)) return true
    const { category } = read.item
    const folded = foldText(category)
    const term = run.terms.find(category)
    if (!run.options.createCategories) {
      reject(read.row, [`category '${category}' does not exist. Create it first, or let the import create categories.`])
    } else if (term !== undefined) {
      reject(read.row, [
        `category.prohibited: The category '${category}' is not created: it holds the prohibited term '${term}'.`,
      ])
    } else if (!plan.newCategories.has(folded) && plan.newCategories.size >= room) {
      reject(read.row, [
        `category '${category}' is not created: the site has ${maxCategories.toLocaleString('en-US')} categories, and no more are allowed.`,
      ])
    } else {
      if (!plan.newCategories.has(folded)) plan.newCategories.set(folded, category)
      return true
    }
    return false
  })
}

/** The fields of a stored item by which a row is recognised. */
interface Known {
  id: string
  slug: string
  externalId: string | null
  status: 'draft' | 'published' | 'restricted' | 'removed'
  restriction: 'rights_lapsed' | 'consent' | 'notice' | null
  digest: string | null
  link: string | null
}

interface KnownItems {
  byExternalId: Map<string, Known>
  bySlug: Map<string, Known>
  /** Of the items without externalId whose slug is that of a name with a number: the first of each name and main link. */
  byName: Map<string, Known>
}

/** Also notes in the plan which numbers are taken. */
async function findKnown(
  db: Queryable<CatalogueDatabase>,
  run: ImportRun,
  plan: Plan,
  rows: ReadRow[],
): Promise<KnownItems> {
  const externalIds = rows.flatMap(({ item }) => item.externalId ?? [])
  const slugs = rows.map(({ slug }) => slug)
  const columns = sql<Known>`i.id, i.slug, i.external_id as "externalId", i.status, i.restriction, i.import_digest as digest, i.link`
  const exact = await sql<Known>`
    select ${columns} from items i
     where i.external_id = any(${externalIds}::text[]) or i.slug = any(${slugs}::text[])`.execute(db)
  const byExternalId = new Map(
    exact.rows.flatMap((known) => (known.externalId === null ? [] : [[known.externalId, known]])),
  )
  const bySlug = new Map(exact.rows.map((known) => [known.slug, known]))

  // Only a slug that is made from a name, and taken, is looked for with numbers.
  const bases = new Set<string>()
  const once = new Set<string>()
  for (const { item, slug } of rows) {
    const isMade = item.slug === null && !(item.externalId !== null && byExternalId.has(item.externalId))
    if (isMade && (bySlug.has(slug) || once.has(slug) || run.seen.has(slugKey(slug)))) bases.add(slug)
    once.add(slug)
  }
  const byName = new Map<string, Known>()
  if (bases.size > 0) {
    const made = [...bases]
    // A name may be there a hundred thousand times: only what these rows can be, and the numbers not known as taken yet.
    const family = await sql<Known & { base: string }>`
      select base, ${columns} from unnest(${made}::text[], ${made.map((base) => run.firstNumbers.get(base) ?? 1)}::integer[]) as made (base, first_number)
        join items i on i.slug > base || '-' and i.slug < base || '-:'
       where case when substr(i.slug, length(base) + 2) ~ '^[0-9]+$'
                  then (i.external_id is null and i.link = any(${rows.map(({ item }) => item.link)}::text[]))
                       or substr(i.slug, length(base) + 2)::numeric >= first_number end
       order by i.no`.execute(db)
    for (const { base, ...known } of family.rows) {
      bySlug.set(known.slug, known)
      const key = nameKey(base, known.link)
      if (known.externalId === null && !byName.has(key)) byName.set(key, known)
    }
    for (const base of made) {
      plan.firstNumbers.set(base, run.firstNumbers.get(base) ?? 1)
      freeSlug(base, (slug) => bySlug.has(slug), plan.firstNumbers)
    }
  }
  return { byExternalId, bySlug, byName }
}

function nameKey(slug: string, link: string | null): string {
  return `n:${slug}\n${link}`
}

function slugKey(slug: string): string {
  return `s:${slug}`
}

/** The item a row is about: one that exists, or a new one with this slug. */
interface Match {
  existing: Known | undefined
  slug: string
  /** The same item with the same content stood in the file before. */
  repeats: boolean
}

function matchRow(run: ImportRun, plan: Plan, known: KnownItems, read: ReadRow): Match | { reason: string } {
  const { item, row, digest, slug } = read
  const met = (key: string) => plan.seen.get(key) ?? run.seen.get(key)
  let existing: Known | undefined
  if (item.externalId !== null) {
    existing = known.byExternalId.get(item.externalId)
    if (existing === undefined && item.slug !== null) {
      // An item without an external id is recognised by its slug, and takes the row's.
      existing = known.bySlug.get(item.slug)
      if (existing !== undefined && existing.externalId !== null) {
        return {
          reason: `slug '${item.slug}' belongs to the item with the externalId '${existing.externalId}'. Choose another slug, or leave it empty.`,
        }
      }
    }
  } else if (item.slug !== null) {
    existing = known.bySlug.get(item.slug)
  } else {
    const first = known.bySlug.get(slug)
    const isFirst = first?.externalId === null && first.link === item.link
    existing = isFirst ? first : known.byName.get(nameKey(slug, item.link))
  }

  const keys = item.externalId === null ? [] : [`e:${item.externalId}`]
  if (existing !== undefined) keys.push(slugKey(existing.slug))
  else if (item.slug !== null) keys.push(slugKey(item.slug))
  else if (item.externalId === null) keys.push(nameKey(slug, item.link))
  const earlier = keys.map(met).find((one) => one !== undefined)
  if (earlier !== undefined) {
    if (earlier.digest === digest) return { existing, slug, repeats: true }
    return {
      reason: `The same item stands in line ${earlier.line} already, with other content. Each item may stand in a file once.`,
    }
  }
  if (existing?.status === 'removed') {
    return { reason: 'item.removed: The item was removed from the site, and an import does not bring it back.' }
  }
  if (existing !== undefined && item.slug !== null && item.slug !== existing.slug) {
    return {
      reason: `slug is '${item.slug}', but the item's slug is '${existing.slug}' and never changes. Leave it empty.`,
    }
  }
  const isTaken = (one: string): boolean => known.bySlug.has(one) || met(slugKey(one)) !== undefined
  const own = existing?.slug ?? item.slug ?? freeSlug(slug, isTaken, plan.firstNumbers)
  for (const key of [...keys, slugKey(own)]) plan.seen.set(key, { line: row.line, digest })
  return { existing, slug: own, repeats: false }
}

/** The stored items whose row has changed, or that may be published now. */
async function findStored(
  db: Queryable<CatalogueDatabase>,
  run: ImportRun,
  matched: { read: ReadRow; match: Match }[],
) {
  const ids = matched.flatMap(({ read: { item, digest }, match: { existing } }) => {
    if (existing === undefined) return []
    const isKnown = existing.digest === digest && (item.externalId ?? existing.externalId) === existing.externalId
    return isKnown && (existing.status === 'published' || !run.options.publish) ? [] : [existing.id]
  })
  if (ids.length === 0) return new Map<string, never>()
  const rows = await storedItems(db)
    .where(sql<boolean>`items.id = any(${ids}::uuid[])`)
    .execute()
  const consents = await consentsOf(db, ids)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        item: itemOf(row),
        rightsRevokedAt: row.rights_revoked_at?.getTime() ?? null,
        consents: consents.get(row.id) ?? [],
      },
    ]),
  )
}
