import { sql } from 'kysely'
import { hash } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { regionOfType } from '../item/content-type.ts'
import { countCategories, findCategories, maxCategories } from '../item/categories.server.ts'
import { hashInCover, isForeignCover } from '../item/cover-address.ts'
import { categoryName } from '../item/field-readers.ts'
import { fieldsWith } from '../item/fields.ts'
import { type Item, itemColumns } from '../item/item.ts'
import { linkOfFormat } from '../item/link-slots.ts'
import { makeSlug } from '../item/make-slug.ts'
import { foldText } from '../item/name-text.ts'
import { splitName } from '../item/split-name.ts'
import { isRestrictedByPeople } from '../publishing/changeable-items.server.ts'
import { readBlockedLinks } from '../publishing/blocked-links.server.ts'
import { blockedLinkRefusals, findRefusals, type Refusal } from '../publishing/publication-checks.ts'
import type { ProhibitedTerms } from '../publishing/prohibited-terms.ts'
import { readGate } from '../publishing/read-gate.server.ts'
import { readProhibitedTerms } from '../publishing/read-prohibited-terms.server.ts'
import type { ChangedItem, NewItem } from '../publishing/save-items.server.ts'
import { candidatesOf, storedItems } from '../publishing/stored-item.server.ts'
import type { FetchedCovers } from './fetch-covers.server.ts'
import type { ImportRow } from './import-file.server.ts'
import {
  columnIn,
  coverFault,
  foreignCover,
  held,
  missingCategory,
  noRoomForCategory,
  otherCover,
  prohibitedCategory,
  prohibitedCategoryCode,
  reasonOf,
  restricted,
} from './import-reasons.ts'
import { type ImportingApp, type ImportRun, type ImportTally, noRows } from './open-import-run.server.ts'
import { findKnown, type Match, matchRow, type ReadRow } from './known-items.server.ts'
import type { RejectedRow } from './rejects-file.server.ts'

/** An item to be written, whose category may not be there yet. */
export type Planned = Omit<NewItem, 'slug' | 'categoryId'> & { categoryId: number | undefined }

export interface Plan {
  inserts: (Planned & Pick<NewItem, 'slug'>)[]
  updates: (Planned & Pick<ChangedItem, 'otherwise'>)[]
  /** Names by folded name. */
  newCategories: Map<string, string>
  rejected: RejectedRow[]
  seen: ImportRun['seen']
  firstNumbers: ImportRun['firstNumbers']
  tally: ImportTally
}

/**
 * Looks at rows against what is stored, and decides what is to be written; writes nothing.
 * @param covers the pictures that were fetched; without them an item keeps the address of its own
 */
export async function planBatch(
  app: ImportingApp,
  db: Queryable<CatalogueDatabase>,
  run: ImportRun,
  rows: ImportRow[],
  covers?: FetchedCovers,
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
  /** With what the gate would say besides, so that one check tells all. */
  const rejectFor = (row: ImportRow, reasons: string[], refusals: Refusal[]): void => {
    const isTold = reasons.some((reason) => reason.startsWith(`${prohibitedCategoryCode}:`))
    const others = isTold
      ? refusals.filter(({ code, field }) => code !== prohibitedCategoryCode || field !== 'category')
      : refusals
    const columns = [...reasons.map(columnIn), ...others.map(({ field }) => columnIn(field))]
    reject(row, [...reasons, ...others.map(reasonOf)], columns)
  }
  const hold = (row: ImportRow, refusals: Refusal[]): void => {
    plan.rejected.push({ row, reasons: refusals.map(reasonOf), columns: refusals.map(({ field }) => columnIn(field)) })
    plan.tally.held += 1
  }

  const read = rows.map((row) => ({ row, ...readRow(run, row) }))
  const readable = read.flatMap((one) => ('reasons' in one ? [] : one))
  const names = read.flatMap((one) => ('reasons' in one ? (one.category ?? []) : one.item.category))
  const categories = await findCategories(db, names)
  const terms = await readProhibitedTerms(db)
  const findFault = await findCategoryFaults(db, { run, plan, terms }, names, categories)
  const known = await findKnown(db, run, plan, readable)
  const now = app.clock.now()
  const gate = await readGate(app.config, db, readable, terms)
  const { blocked } = gate
  const refusalsOfNew = (item: Item): Refusal[] =>
    run.options.publish
      ? findRefusals({ item, rightsRevokedAt: null, consents: [], storedRights: null, hold: null }, gate, now)
      : blockedLinkRefusals(item, blocked)
  const matched: { read: ReadRow; match: Match; fault: string | undefined }[] = []
  for (const one of read) {
    if ('reasons' in one) {
      const fault = one.category === undefined ? undefined : findFault(one.category, false)
      reject(one.row, fault === undefined ? one.reasons : [...one.reasons, fault])
      continue
    }
    const fault = findFault(one.item.category, true)
    const isBlocked = blockedLinkRefusals(one.item, blocked).length > 0
    const match = matchRow(run, plan, known, one, fault === undefined && !isBlocked)
    if (isBlocked && !('reason' in match)) {
      // A link that a removal has blocked comes back in no row, not as a draft either.
      rejectFor(one.row, fault === undefined ? [] : [fault], refusalsOfNew(one.item))
    } else if ('reason' in match) {
      const reasons = [...(fault === undefined ? [] : [fault]), match.reason]
      // Which item it is about is not known, nor what consents that has.
      const refusals = refusalsOfNew(one.item).filter(({ code }) => code !== 'consent.missing')
      rejectFor(one.row, reasons, match.isFinal === true ? [] : refusals)
    } else if (!match.repeats) matched.push({ read: one, match, fault })
    else if (fault === undefined) plan.tally.unchanged += 1
    else rejectFor(one.row, [fault], refusalsOfNew(one.item))
  }

  const stored = await findStored(db, run, matched)
  const storedGate = { ...gate, blocked: await readBlockedLinks(db, [...stored.values()]) }
  for (const { read, match, fault } of matched) {
    const { row, item, digest } = read
    const categoryId = categories.get(foldText(item.category))
    const { existing } = match
    if (existing === undefined) {
      const refusals = refusalsOfNew(item)
      const cover = coverOfRow(app, item.cover, { before: null, covers })
      const reasons = [...(fault === undefined ? [] : [fault]), ...('fault' in cover ? [cover.fault] : [])]
      if (reasons.length > 0 || 'fault' in cover) {
        rejectFor(row, reasons, refusals)
        continue
      }
      const isPublished = run.options.publish && refusals.length === 0
      plan.inserts.push({
        id: uuidv7(),
        slug: match.slug,
        item: { ...item, ...cover },
        categoryId,
        isPublished,
        importDigest: digest,
      })
      plan.tally.created += 1
      if (isPublished) plan.tally.published += 1
      if (refusals.length > 0) hold(row, refusals)
      continue
    }

    const before = stored.get(existing.id)
    if (before === undefined) {
      if (fault === undefined) plan.tally.unchanged += 1
      else rejectFor(row, [fault], [])
      continue
    }
    const externalId = item.externalId ?? existing.externalId
    // A row that has not changed leaves the item as it is now; a changed one leaves open what it does not say.
    const said = existing.digest === digest ? before.item : { ...item, ...leftOutOf(read, before.item) }
    const cover = coverOfRow(app, said.cover, { before: before.item.cover, covers })
    if ('fault' in cover) {
      rejectFor(row, [...(fault === undefined ? [] : [fault]), cover.fault], [])
      continue
    }
    const wanted = { ...said, ...cover, externalId, postDate: said.postDate ?? before.item.postDate }
    const isSame = externalId === existing.externalId && digestOf(wanted) === digestOf(before.item)
    const isRequested = run.options.publish || existing.status === 'published'
    // The row's own text is not blocked; the stored one may be.
    const refusals = isRequested ? findRefusals({ ...before, item: wanted }, storedGate, now) : []
    const bar = before.hold !== null ? held : isRestrictedByPeople(existing) ? restricted : undefined
    const isBarred = bar !== undefined && (!isSame || (run.options.publish && existing.status !== 'published'))
    if (fault !== undefined) {
      rejectFor(row, [fault, ...(isBarred ? [reasonOf(bar)] : [])], refusals)
      continue
    }
    if (isBarred) {
      if (run.options.publish) {
        plan.tally.unchanged += 1
        hold(row, [bar, ...refusals])
      } else reject(row, [reasonOf(bar)], [null])
      continue
    }
    const isPublished = isRequested && refusals.length === 0
    if (isSame && (!isPublished || existing.status === 'published')) {
      plan.tally.unchanged += 1
      if (run.options.publish && !isPublished) hold(row, refusals)
    } else if (existing.status === 'published' && !isPublished) {
      rejectFor(row, ['The item is published and stays as it was, because the changed row may not be.'], refusals)
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

/** The cover that an item has by its row; or what is wrong with it. */
function coverOfRow(
  { coverSource }: Pick<ImportingApp, 'coverSource'>,
  said: string | null,
  { before, covers }: { before: string | null; covers: FetchedCovers | undefined },
): Pick<Item, 'cover'> | { fault: string } {
  if (said === null || said === before) return { cover: said }
  if (!isForeignCover(said)) return { fault: otherCover }
  // As an export writes it, with the origin of the site.
  if (before !== null && hashInCover(said) === before) return { cover: before }
  if (!coverSource.allows(said)) return { fault: foreignCover(said) }
  if (covers === undefined) return { cover: said }
  const fetched = covers.get(said)
  if (fetched === undefined) return { fault: coverFault(said, 'was not fetched: the entry has changed meanwhile.') }
  return 'hash' in fetched ? { cover: fetched.hash } : { fault: coverFault(said, fetched.fault) }
}

/** The values of a row; for an unreadable one, the reasons, and its category if that is readable. */
function readRow(run: ImportRun, row: ImportRow): ReadRow | { reasons: string[]; category?: string | undefined } {
  if (row.fault !== undefined) return { reasons: [row.fault] }
  const cells = splitCells(row.cells, run.options.splitNames)
  const { data: item, error } = run.schema.safeParse({ ...emptyCells, ...cells })
  if (item === undefined) {
    const reasons = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    return { reasons, category: categoryName.safeParse(row.cells['category']).data }
  }
  const leftOut = itemColumns.filter((column) => cells[column] === undefined)
  // A name that is split makes the slug that it made before.
  const slug = item.slug ?? makeSlug(cells === row.cells ? item.name : String(row.cells['name']))
  return { row, item, leftOut, digest: digestOf(item, leftOut), slug }
}

function splitCells(cells: ImportRow['cells'], separator: string | undefined): ImportRow['cells'] {
  if (separator === undefined || (cells['creators'] ?? '').trim() !== '') return cells
  const split = splitName(cells['name'] ?? '', separator)
  return split === undefined ? cells : { ...cells, ...split }
}

const emptyCells = Object.fromEntries(itemColumns.map((column) => [column, '']))

/** The values that a row leaves as they are. A region that the type has goes with it. */
function leftOutOf({ item, leftOut }: ReadRow, before: Item): Partial<Item> {
  const kept: Partial<Item> = Object.fromEntries(leftOut.map((column) => [column, before[column]]))
  // Rights begin before they end: of the two, one alone is not left as it is.
  const { validFrom, validTo } = leftOut.includes('validFrom') && leftOut.includes('validTo') ? before : item
  const region = regionOfType(item.contentType) ?? kept.region ?? item.region
  // The format of a file goes with its link.
  const gone = linkOfFormat.filter(([, link]) => (link in kept ? kept[link] : item[link]) === null)
  return { ...kept, validFrom, validTo, region, ...Object.fromEntries(gone.map(([field]) => [field, null])) }
}

/** The content of a row, without its identity. */
const digested = fieldsWith({ isDigested: true })

/**
 * The same for items of the same content, whatever spelling they were read from. Only what a row says counts, by the names of the
 * fields: an edition with a further field knows the files of the edition before.
 */
function digestOf(item: Item, leftOut: readonly string[] = []): string {
  const said = digested
    .filter((field) => !leftOut.includes(field))
    .map((field) => [field, field === 'category' ? foldText(item.category) : item[field]])
  return hash('md5', JSON.stringify(said), 'base64url')
}

/**
 * Finds what is wrong with the category of a row: it neither exists nor may be created. One that may be is noted in the
 * plan, if the row wants it.
 */
async function findCategoryFaults(
  db: Queryable<CatalogueDatabase>,
  { run, plan, terms }: { run: ImportRun; plan: Plan; terms: ProhibitedTerms },
  names: string[],
  categories: Map<string, number>,
): Promise<(category: string, isWanted: boolean) => string | undefined> {
  const isMissing = (category: string): boolean => !categories.has(foldText(category))
  const room = names.some(isMissing) ? maxCategories - (await countCategories(db)) : 0
  return (category, isWanted) => {
    if (!isMissing(category)) return undefined
    if (!run.options.createCategories) return missingCategory(category)
    const found = terms.findInCategory(category)
    if (found !== undefined) return prohibitedCategory(category, found)
    const folded = foldText(category)
    if (plan.newCategories.has(folded)) return undefined
    if (plan.newCategories.size >= room) return noRoomForCategory(category, maxCategories)
    if (isWanted) plan.newCategories.set(folded, category)
    return undefined
  }
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
  return candidatesOf(db, rows)
}
