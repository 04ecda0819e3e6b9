import { type Transaction, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { defineError } from '../../../platform/errors.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueDatabase } from '../app.ts'
import { adminFields, pathOf, rightsFields } from '../item/fields.ts'
import { ownNameOf } from '../item/field-answers.ts'
import { type Cells, cellsOf, type Item, type ItemColumn, itemColumns } from '../item/item.ts'
import { foldText } from '../item/name-text.ts'
import { unpublishItems } from '../publishing/change-status.server.ts'
import { type Candidate, publicationChecks } from '../publishing/publication-checks.ts'
import { saveConsents } from '../publishing/save-consents.server.ts'
import { deleteItem as deleteStoredItem, insertItems, updateItems } from '../publishing/save-items.server.ts'
import { itemOf, storedRightsOf } from '../publishing/stored-item.server.ts'
import { type ContentSection, sectionOf, typesOf } from './content-sections.ts'
import type { ItemForAdmin, Reason } from './content-schema.ts'
import { type ChangedItemBody, type NewItemBody, readItemBody, type ReadItem } from './item-body.ts'
import { type ItemOfForm, readItemOfForm } from './read-item-for-admin.server.ts'
import {
  assertNoRecord,
  assertNotHeld,
  assertNotRemoved,
  assertOpenToEdits,
  assertVersion,
  judge,
} from './refuse-item.server.ts'
import { readOnlyFaults } from './fixed-fields.server.ts'
import { recordItemAct, type SavingApp, write } from './write-item.server.ts'
import { itemNotFound } from '../item/item-errors.ts'
import type { Queryable } from '../../../db/queryable.ts'
import { freeSlug, makeLongerSlug, makeSlug } from '../item/make-slug.ts'

/* The acts of administrators on one item (docs/spec/catalogue.md#writing-items). Each is one transaction that holds
   the lock of all writers of the catalogue, with its line in the audit log. */

/**
 * Adds an item, as a draft or published.
 * @throws {AppError} `item.refused`, 422, with all reasons
 */
export async function createItem(
  app: SavingApp,
  viewer: Viewer,
  section: ContentSection,
  body: NewItemBody,
): Promise<ItemForAdmin> {
  const types = typesOf(section)
  const read = readItemBody(
    { ...body, contentType: body.contentType ?? types[0] ?? '' },
    undefined,
    app.config.timeZone,
  )
  return write(app, viewer, async (trx, by) => {
    const { item, consents } = read
    const isPublished = body.publish === true
    const id = uuidv7()
    const candidate: Candidate = {
      item,
      rightsRevokedAt: null,
      consents: consents.map(withoutId),
      storedRights: null,
      hold: null,
    }
    const reasons = [...read.faults, ...coverFaults(item, [])]
    if (!types.includes(item.contentType)) {
      reasons.push({
        code: 'contentType.endpoint',
        field: 'contentType',
        sentence: `Items of the type '${item.contentType}' are not added here.`,
        remedy: `Choose one of ${types.join(', ')}, or the endpoint of that type.`,
      })
    }
    const slug = item.slug ?? (await freeSlugFor(trx, item))
    if (item.slug !== null && (await isSlugTaken(trx, slug))) {
      reasons.push({
        code: 'slug.taken',
        field: 'slug',
        sentence: `The slug '${slug}' belongs to another item.`,
        remedy: 'Choose another one, or leave it empty.',
      })
    }
    const categoryId = await judge(app, trx, { read, reasons, candidate, isRequested: isPublished })
    const stored = { id, item, categoryId, importDigest: null }
    const attestation = { by, at: app.clock.now() }
    if (consents.length === 0) {
      await insertItems(app, trx, [{ ...stored, slug, isPublished }], attestation)
    } else {
      // Consents belong to an item that is there, and a published one needs them.
      await insertItems(app, trx, [{ ...stored, slug, isPublished: false }], attestation)
      await saveConsents(trx, id, consents, by)
      if (isPublished) await updateItems(app, trx, [{ ...stored, isPublished, otherwise: 'draft' }], attestation)
    }
    const saved = await readItemOfForm(app, trx, id, by)
    await recordItemAct(trx, 'item.created', by, saved.item, { status: saved.item.status })
    if (isPublished) await recordPublication(trx, by, saved)
    return saved.item
  })
}

interface Edited {
  id: string
  /** The endpoint that was asked; without it any will do. */
  section?: ContentSection
  storedCover?: string
}

/**
 * Edits an item, if nobody else has since it was read. A published one must still pass the gate.
 * @throws {AppError} `item.not_found`, 404; `item.conflict`, 409, with the item as it is now; `item.held`, 422, while a notice
 *   holds it; `item.refused`, 422, with all reasons: nothing is changed then
 */
export async function changeItem(
  app: SavingApp,
  viewer: Viewer,
  { section, id, storedCover }: Edited,
  { version, ...body }: ChangedItemBody,
): Promise<ItemForAdmin> {
  return write(app, viewer, async (trx, by) => {
    const before = await readItemOfForm(app, trx, id, by)
    const { row } = before
    // First the version: who edits an entry that was moved to another section meanwhile is shown it as it is.
    assertVersion(before, version)
    if (section !== undefined && sectionOf(before.item.contentType) !== section) throw itemNotFound()
    assertOpenToEdits(before)
    const stored = { cells: before.cells, consents: before.item.consents }
    const read = readItemBody({ ...body, slug: undefined }, stored, app.config.timeZone)
    const { item, consents } = read
    const isRequested = body.publish === true || row.status === 'published'
    const reasons = [
      ...readOnlyFaults(body, before.item),
      ...read.faults,
      ...coverFaults(item, [itemOf(row).cover, storedCover]),
    ]
    const candidate: Candidate = {
      item,
      rightsRevokedAt: row.rights_revoked_at?.getTime() ?? null,
      hasEvidenceFile: before.item.evidenceFiles.some(({ consentId }) => consentId === null),
      storedRights: storedRightsOf(row),
      hold: before.hold,
      consents: consents.map((consent) => ({
        ...withoutId(consent),
        withdrawnAt: consent.isWithdrawn ? (withdrawnAtOf(before, consent.id) ?? app.clock.now()) : null,
      })),
    }
    const categoryId = await judge(app, trx, { read, reasons, candidate, isRequested })
    // A missing date leaves the item's date; an emptied one becomes the day of its addition.
    const stands = body.postDate === undefined ? row.postDate : row.created_at
    const wanted = { ...item, postDate: item.postDate ?? stands.getTime() }
    const isSame = isSameItem(wanted, before, app.config.timeZone) && areSameConsents(read, before)
    // A save without changes leaves the version, the clearance and the audit log as they are.
    if (isSame && isRequested === (row.status === 'published')) return before.item
    await saveConsents(trx, id, consents, by)
    const { import_digest } = await trx
      .selectFrom('items')
      .select('import_digest')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const changed = {
      id,
      item: wanted,
      categoryId,
      isPublished: isRequested,
      importDigest: import_digest,
      otherwise: row.status === 'restricted' ? 'restricted' : 'draft',
    } as const
    await updateItems(app, trx, [changed], { by, at: app.clock.now() })
    const saved = await readItemOfForm(app, trx, id, by)
    const fields = changedFields(before.item, saved.item)
    if (fields.length > 0) {
      const checks = isRequested ? { checks: publicationChecks } : {}
      await recordItemAct(trx, 'item.changed', by, saved.item, { fields, ...checks })
    }
    if (isRequested && row.status !== 'published') await recordPublication(trx, by, saved)
    return saved.item
  })
}

/**
 * Makes a published or restricted item a draft.
 * @throws {AppError} as `changeItem`
 */
export async function unpublishItem(
  app: SavingApp,
  viewer: Viewer,
  { id, version }: { id: string; version: number },
): Promise<ItemForAdmin> {
  return write(app, viewer, async (trx, by) => {
    const before = await readItemOfForm(app, trx, id, by)
    assertVersion(before, version)
    assertNotRemoved(before.row)
    // A published item may always be taken off the site, also while a notice about it is open.
    if (before.row.status !== 'published') assertNotHeld(before)
    if (before.row.status === 'draft') return before.item
    await unpublishItems(trx, [id], app.clock.now())
    const saved = await readItemOfForm(app, trx, id, by)
    await recordItemAct(trx, 'item.unpublished', by, saved.item)
    return saved.item
  })
}

/**
 * Deletes an item. One that was removed from the site stays as the record of that; so does one whose consents say that a
 * person has withdrawn, or was no adult.
 * @throws {AppError} `item.not_found`, 404; `item.removed`, `item.kept_as_record`, 409; `item.held`, `item.refused`, 422
 */
export async function deleteItem(
  app: SavingApp,
  viewer: Viewer,
  { section, id }: { section: ContentSection; id: string },
): Promise<void> {
  await write(app, viewer, async (trx, by) => {
    const before = await readItemOfForm(app, trx, id, by)
    const { row, item } = before
    if (sectionOf(item.contentType) !== section) throw itemNotFound()
    if (row.status === 'removed') throw itemRemoved()
    assertNotHeld(before)
    assertNoRecord(item)
    await deleteStoredItem(trx, id)
    await recordItemAct(trx, 'item.deleted', by, item, { status: row.status })
  })
}

function withoutId({ id: _id, evidence: _evidence, isWithdrawn: _flag, ...consent }: ReadItem['consents'][number]) {
  return { ...consent, withdrawnAt: null }
}

function withdrawnAtOf({ item }: ItemOfForm, consentId: string | undefined): number | undefined {
  const at = item.consents.find(({ id }) => id === consentId)?.withdrawnAt
  return at === null || at === undefined ? undefined : Date.parse(at)
}

function recordPublication(trx: Transaction<CatalogueDatabase>, by: string, { item }: ItemOfForm): Promise<void> {
  return recordItemAct(trx, 'item.published', by, item, { postDate: item.postDate, checks: publicationChecks })
}

/** A cover comes by its own call: an edit keeps it or takes it away. */
function coverFaults({ cover }: Item, kept: readonly (string | null | undefined)[]): Reason[] {
  if (cover === null || kept.includes(cover)) return []
  return [
    {
      code: 'field.readonly',
      field: 'cover',
      sentence: 'cover is not the picture that this item has.',
      remedy: 'Send the picture itself with PUT /api/items/{id}/cover.',
    },
  ]
}

function isSameItem(item: Item, { cells }: ItemOfForm, timeZone: string): boolean {
  const wanted = cellsOf(item, timeZone)
  const textOf = (all: Cells, column: ItemColumn) =>
    column === 'category' ? foldText(String(all.category)) : (all[column] ?? '')
  return itemColumns.every((column) => textOf(wanted, column) === textOf(cells, column))
}

function areSameConsents({ consents }: ReadItem, { consents: stored }: ItemOfForm): boolean {
  return (
    consents.length === stored.length &&
    consents.every((consent) => {
      const before = stored.find(({ id }) => id === consent.id)
      return (
        before !== undefined &&
        (
          ['pseudonym', 'evidence', 'permitsPublication', 'permitsDownload', 'verifiedAdult', 'validUntil'] as const
        ).every((name) => consent[name] === before[name])
      )
    })
  )
}

function changedFields(before: ItemForAdmin, after: ItemForAdmin): string[] {
  const isChanged = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other)
  return [
    ...adminFields.filter((name) => isChanged(before[name], after[name])),
    ...rightsFields
      .filter((name) => isChanged(before.rights[ownNameOf(name)], after.rights[ownNameOf(name)]))
      .map(pathOf),
    ...(isChanged(before.consents, after.consents) ? ['consents'] : []),
  ]
}

export const itemRemoved = defineError({
  code: 'item.removed',
  status: 409,
  sentence: 'The item was removed from the site. It stays as the record of that.',
  remedy: 'Leave it where it is.',
})

async function isSlugTaken(db: Queryable<CatalogueDatabase>, slug: string): Promise<boolean> {
  const found = await db.selectFrom('items').select('no').where('slug', '=', slug).executeTakeFirst()
  return found !== undefined
}

/** The slug of a new item: of its name; where that is taken with its first creator, and with the first number that is free. */
async function freeSlugFor(db: Queryable<CatalogueDatabase>, item: Pick<Item, 'name' | 'creators'>): Promise<string> {
  const short = makeSlug(item.name)
  if (!(await isSlugTaken(db, short))) return short
  const base = makeLongerSlug(item)
  if (!(await isSlugTaken(db, base))) return base
  const { rows } = await sql<{ slug: string }>`
    select slug from items where slug > ${base}::text || '-' and slug < ${base}::text || '-:'`.execute(db)
  const taken = new Set([base, ...rows.map(({ slug }) => slug)])
  return freeSlug(base, (slug) => taken.has(slug))
}
