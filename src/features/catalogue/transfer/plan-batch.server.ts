import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { countCategories, findCategories, maxCategories } from '../item/categories.server.ts'
import { hashInCover, isForeignCover } from '../item/cover-address.ts'
import type { Item } from '../item/item.ts'
import { foldText } from '../item/name-text.ts'
import { blockedLinkRefusals, findRefusals, type GateRules, type Refusal } from '../publishing/publication-checks.ts'
import type { ProhibitedTerms } from '../publishing/prohibited-terms.ts'
import { readGate, readBlockedLinks, readProhibitedTerms } from '../publishing/read-gate.server.ts'
import type { ChangedItem, NewItem } from '../publishing/save-items.server.ts'
import {
  candidatesOf,
  type StoredCandidate,
  storedItems,
  isRestrictedByPeople,
} from '../publishing/stored-item.server.ts'
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
import type { ImportTally } from './import-schema.ts'
import { findKnown, type Known, type KnownItems, type Match, matchRow } from './known-items.server.ts'
import { digestOf, overStored, type ReadRow, readRow, reasonsTogether, type UnreadRow } from './read-row.server.ts'
import type { RejectedRow } from './rejects-file.server.ts'
import { type ImportingApp, type ImportRun, noRows } from './open-import-run.server.ts'

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

interface Planning {
  app: ImportingApp
  run: ImportRun
  plan: Plan
  covers: FetchedCovers | undefined
  categories: Map<string, number>
  /** The fault of a category, if any; one that may be created is noted in the plan, if it is wanted. */
  findFault: (category: string, isWanted: boolean) => string | undefined
  gate: GateRules
  now: number
}

interface Matched {
  read: ReadRow
  match: Match
  fault: string | undefined
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
  const read = rows.map((row) => readRow(run, row))
  const readable = read.flatMap((one) => ('reasons' in one ? [] : one))
  const names = read.flatMap((one) => ('reasons' in one ? (one.category ?? []) : one.item.category))
  const categories = await findCategories(db, names)
  const terms = await readProhibitedTerms(db)
  const findFault = await findCategoryFaults(db, { run, plan, terms }, names, categories)
  const known = await findKnown(db, run, plan, readable)
  const now = app.clock.now()
  const gate = await readGate(app.config, db, readable, terms)
  const planning: Planning = { app, run, plan, covers, categories, findFault, gate, now }
  const matched = matchRows(planning, known, read)
  const stored = await findStored(db, run, matched)
  const storedGate = { ...gate, blocked: await readBlockedLinks(db, [...stored.values()]) }
  for (const one of matched) {
    const { existing } = one.match
    if (existing === undefined) planNew(planning, one)
    else planChange({ ...planning, gate: storedGate }, one, existing, stored.get(existing.id))
  }
  const written = new Set([...plan.inserts, ...plan.updates].map(({ item }) => foldText(item.category)))
  for (const folded of plan.newCategories.keys()) if (!written.has(folded)) plan.newCategories.delete(folded)
  // They were met step by step; who mends them goes through the file.
  plan.rejected.sort((a, b) => a.row.line - b.row.line)
  return plan
}

function reject({ plan }: Planning, row: ImportRow, reasons: string[], columns: (string | null)[] = []): void {
  plan.rejected.push({ row, reasons, columns: reasons.map((reason, i) => columns[i] ?? columnIn(reason)) })
  plan.tally.rejected += 1
}

/** With what the gate would say besides, so that one check tells all. */
function rejectFor(planning: Planning, row: ImportRow, reasons: string[], refusals: Refusal[]): void {
  const isTold = reasons.some((reason) => reason.startsWith(`${prohibitedCategoryCode}:`))
  const others = isTold
    ? refusals.filter(({ code, field }) => code !== prohibitedCategoryCode || field !== 'category')
    : refusals
  const columns = [...reasons.map(columnIn), ...others.map(({ field }) => columnIn(field))]
  reject(planning, row, [...reasons, ...others.map(reasonOf)], columns)
}

function hold({ plan }: Planning, row: ImportRow, refusals: Refusal[]): void {
  plan.rejected.push({ row, reasons: refusals.map(reasonOf), columns: refusals.map(({ field }) => columnIn(field)) })
  plan.tally.held += 1
}

function refusalsOfNew({ run, gate, now }: Planning, item: Item): Refusal[] {
  return run.options.publish
    ? findRefusals({ item, rightsRevokedAt: null, consents: [], storedRights: null, hold: null }, gate, now)
    : blockedLinkRefusals(item, gate.blocked)
}

/** Rejects and counts the rows about which nothing further has to be known; returns the others. */
function matchRows(planning: Planning, known: KnownItems, read: (ReadRow | UnreadRow)[]): Matched[] {
  const { run, plan, findFault, gate } = planning
  const matched: Matched[] = []
  for (const one of read) {
    if ('reasons' in one) {
      const fault = one.category === undefined ? undefined : findFault(one.category, false)
      reject(planning, one.row, fault === undefined ? one.reasons : [...one.reasons, fault])
      continue
    }
    const { row, item } = one
    const fault = findFault(item.category, true)
    const faults = fault === undefined ? [] : [fault]
    const isBlocked = blockedLinkRefusals(item, gate.blocked).length > 0
    const match = matchRow(run, plan, known, one, fault === undefined && !isBlocked)
    if (isBlocked && !('reason' in match)) {
      // A link that a removal has blocked comes back in no row, not as a draft either.
      rejectFor(planning, row, faults, refusalsOfNew(planning, item))
    } else if ('reason' in match) {
      // Which item it is about is not known, nor what consents that has.
      const refusals = refusalsOfNew(planning, item).filter(({ code }) => code !== 'consent.missing')
      rejectFor(planning, row, [...faults, match.reason], match.isFinal === true ? [] : refusals)
    } else if (!match.repeats) matched.push({ read: one, match, fault })
    else if (fault === undefined) plan.tally.unchanged += 1
    else rejectFor(planning, row, faults, refusalsOfNew(planning, item))
  }
  return matched
}

function planNew(planning: Planning, { read: { row, item, digest }, match, fault }: Matched): void {
  const { app, run, plan, covers, categories } = planning
  const refusals = refusalsOfNew(planning, item)
  const cover = coverOfRow(app, item.cover, { before: null, covers })
  const reasons = [fault ?? [], reasonsTogether(item), 'fault' in cover ? cover.fault : []].flat()
  if (reasons.length > 0 || 'fault' in cover) {
    rejectFor(planning, row, reasons, refusals)
    return
  }
  const isPublished = run.options.publish && refusals.length === 0
  plan.inserts.push({
    id: uuidv7(),
    slug: match.slug,
    item: { ...item, ...cover },
    categoryId: categories.get(foldText(item.category)),
    isPublished,
    importDigest: digest,
  })
  plan.tally.created += 1
  if (isPublished) plan.tally.published += 1
  if (refusals.length > 0) hold(planning, row, refusals)
}

/** @param before undefined where the row has not changed, and nothing has to be published */
function planChange(
  planning: Planning,
  { read, fault }: Matched,
  existing: Known,
  before: StoredCandidate | undefined,
): void {
  const { app, run, plan, covers, categories, gate, now } = planning
  const { row, item, digest } = read
  const faults = fault === undefined ? [] : [fault]
  if (before === undefined) {
    if (fault === undefined) plan.tally.unchanged += 1
    else rejectFor(planning, row, faults, [])
    return
  }
  const externalId = item.externalId ?? existing.externalId
  // A row that has not changed leaves the item as it is now; a changed one leaves open what it does not say.
  const said = existing.digest === digest ? before.item : overStored(read, before.item)
  const cover = coverOfRow(app, said.cover, { before: before.item.cover, covers })
  const unfit = reasonsTogether(said)
  if (unfit.length > 0 || 'fault' in cover) {
    rejectFor(planning, row, [...faults, ...unfit, ...('fault' in cover ? [cover.fault] : [])], [])
    return
  }
  const wanted = { ...said, ...cover, externalId, postDate: said.postDate ?? before.item.postDate }
  const isSame = externalId === existing.externalId && digestOf(wanted) === digestOf(before.item)
  const isRequested = run.options.publish || existing.status === 'published'
  // The row's own text is not blocked; the stored one may be.
  const refusals = isRequested ? findRefusals({ ...before, item: wanted }, gate, now) : []
  const bar = before.hold !== null ? held : isRestrictedByPeople(existing) ? restricted : undefined
  const isBarred = bar !== undefined && (!isSame || (run.options.publish && existing.status !== 'published'))
  if (fault !== undefined) {
    rejectFor(planning, row, [fault, ...(isBarred ? [reasonOf(bar)] : [])], refusals)
    return
  }
  if (isBarred) {
    if (run.options.publish) {
      plan.tally.unchanged += 1
      hold(planning, row, [bar, ...refusals])
    } else reject(planning, row, [reasonOf(bar)], [null])
    return
  }
  const isPublished = isRequested && refusals.length === 0
  if (isSame && (!isPublished || existing.status === 'published')) {
    plan.tally.unchanged += 1
    if (run.options.publish && !isPublished) hold(planning, row, refusals)
  } else if (existing.status === 'published' && !isPublished) {
    rejectFor(
      planning,
      row,
      ['The item is published and stays as it was, because the changed row may not be.'],
      refusals,
    )
  } else {
    const categoryId = categories.get(foldText(item.category))
    const otherwise = existing.status === 'restricted' ? 'restricted' : 'draft'
    plan.updates.push({ id: existing.id, item: wanted, categoryId, isPublished, importDigest: digest, otherwise })
    plan.tally.updated += 1
    if (isPublished) plan.tally.published += 1
    else if (run.options.publish) hold(planning, row, refusals)
  }
}

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
  if (ids.length === 0) return new Map<string, StoredCandidate>()
  const rows = await storedItems(db)
    .where(sql<boolean>`items.id = any(${ids}::uuid[])`)
    .execute()
  return candidatesOf(db, rows)
}
