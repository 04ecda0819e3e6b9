import type { Transaction } from 'kysely'
import { type AppError, defineError } from '../../../platform/errors.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { findCategories } from '../item/categories.server.ts'
import { foldText } from '../item/name-text.ts'
import { blockedLinkCode, blockedLinkRefusals, type Candidate, findRefusals } from '../publishing/publication-checks.ts'
import { readGate } from '../publishing/read-gate.server.ts'
import type { Reason } from './content-schema.ts'
import { type ReadItem, reasonOf } from './item-body.ts'
import type { ItemOfForm } from './read-item-for-admin.server.ts'
import { isRestrictedByPeople } from '../publishing/stored-item.server.ts'

/**
 * Gathers every reason against what is wanted.
 * @returns the category's id
 * @throws {AppError} `item.refused`, 422, where there is one
 */
export async function judge(
  app: Pick<CatalogueApp, 'clock' | 'config'>,
  trx: Transaction<CatalogueDatabase>,
  {
    read,
    reasons,
    candidate,
    isRequested,
  }: { read: ReadItem; reasons: Reason[]; candidate: Candidate; isRequested: boolean },
): Promise<number> {
  const faulty = new Set(read.faults.map(({ field }) => field))
  const { category } = read.item
  const categoryId = (await findCategories(trx, [category])).get(foldText(category))
  if (categoryId === undefined && !faulty.has('category')) {
    reasons.push({
      code: 'category.unknown',
      field: 'category',
      sentence: `There is no category '${category}'.`,
      remedy: 'Choose one of the list, or add it there first.',
    })
  }
  const gate = await readGate(app.config, trx, [candidate])
  // A link that is blocked is no draft's either.
  if (!isRequested) reasons.push(...blockedLinkRefusals(candidate.item, gate.blocked).map(reasonOf))
  if (isRequested) {
    const found = findRefusals(candidate, gate, app.clock.now()).map(reasonOf)
    // The gate has judged another value than an unreadable field's. A type stands for the category that it needs.
    reasons.push(
      ...found.filter(
        ({ code, field }) => !faulty.has(field) && !(code === 'category.type' && faulty.has('contentType')),
      ),
    )
  }
  if (reasons.length > 0 || categoryId === undefined) throw refused(reasons)
  return categoryId
}

export function refused(reasons: Reason[]): AppError {
  const [first] = reasons
  const facts = { ...(first === undefined || first.field === '' ? {} : { field: first.field }), details: { reasons } }
  return reasons.length === 1
    ? itemRefused(`${first?.sentence ?? ''} ${first?.remedy ?? ''}`.trim(), facts)
    : itemRefusedForMore(reasons.length, facts)
}

/** @throws {AppError} `item.conflict`, 409, with the item as it is now */
export function assertVersion({ row, item }: ItemOfForm, version: number): void {
  if (row.version === version) return
  throw itemConflict({ details: { current: item } })
}

/** @throws {AppError} `item.held` or `item.refused`, 422 */
export function assertOpenToEdits(item: ItemOfForm): void {
  assertNotRemoved(item.row)
  assertNotHeld(item)
}

/** @throws {AppError} `item.refused`, 422 */
export function assertNotRemoved({ status }: Pick<ItemOfForm['row'], 'status'>): void {
  if (status !== 'removed') return
  const message = 'The item was removed from the site and stays as it is.'
  throw refused([{ code: 'item.removed', field: 'status', sentence: message, remedy: 'It cannot come back.' }])
}

/**
 * A reported entry stays as it was until its notice is decided. The gate lifts a restriction by time, by a consent or
 * by itself; others are lifted only where they were made.
 * @throws {AppError} `item.held` or `item.refused`, 422
 */
export function assertNotHeld({ row, hold }: Pick<ItemOfForm, 'row' | 'hold'>): void {
  if (hold !== null) {
    throw itemHeld(
      hold.kind === 'notice'
        ? 'A notice about this entry is open. It stays as it is until that is decided.'
        : 'A decision on a notice keeps this entry off the site. It stays as it is until that is reversed.',
    )
  }
  if (!isRestrictedByPeople(row)) return
  throw refused([
    {
      code: 'item.restricted',
      field: 'status',
      sentence: 'The item is held while a notice is handled, or was restricted by hand.',
      remedy: 'Wait for the decision, or lift the restriction where it was made.',
    },
  ])
}

/** The rules that the database keeps by itself, where a check before them has missed something, such as the hour of its clock. */
export function refusalOfDatabase(error: unknown): AppError | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'DB014' || code === 'DB015') {
    const remedy = 'Read the item again: this has changed while it was saved.'
    const reason = code === 'DB014' ? blockedLinkCode : 'notice.open'
    return refused([{ code: reason, field: '', sentence: String(message), remedy }])
  }
  if (typeof code !== 'string' || !/^DB0(04|10|13)$/.test(code)) return undefined
  const remedy = 'Read the item again, and correct what the sentence names.'
  return refused([{ code: 'database.refused', field: '', sentence: String(message), remedy }])
}

/** The database keeps the same. */
export function assertNoRecord({ consents }: Pick<ItemOfForm['item'], 'consents'>): void {
  const barring = consents.find(({ verifiedAdult, withdrawnAt }) => verifiedAdult === 'no' || withdrawnAt !== null)
  if (barring === undefined) return
  const { pseudonym, verifiedAdult } = barring
  const reason = verifiedAdult === 'no' ? 'was no adult at production' : 'withdrew the consent'
  throw itemKeptAsRecord(pseudonym, reason)
}

export const itemConflict = defineError({
  code: 'item.conflict',
  status: 409,
  sentence: 'Somebody else has changed this item meanwhile. Compare the two, and save again.',
  members: { current: 'the item as it is now.' },
  remedy: 'Compare with the item under `current`, and save with its version.',
})

export const itemHeld = defineError({
  code: 'item.held',
  status: 422,
  remedy: 'Wait until the notice is decided, or the decision reversed. Nothing was changed.',
})

export const itemKeptAsRecord = defineError({
  code: 'item.kept_as_record',
  status: 409,
  sentence: (pseudonym: string, reason: string) =>
    `${pseudonym} ${reason}. The item stays as the record of that: leave it unpublished instead.`,
  remedy: 'Leave it unpublished. It is the record of a consent that was withdrawn, or of somebody who was no adult.',
})

const refusal = {
  code: 'item.refused',
  status: 422,
  members: { reasons: 'all reasons, each with code, field, sentence and remedy.' },
  remedy: 'Do what the remedy of each reason says. Nothing was changed.',
}
export const itemRefused = defineError(refusal)
const itemRefusedForMore = defineError({
  ...refusal,
  sentence: (reasons: number) => `There are ${reasons} reasons why this cannot be saved.`,
})
