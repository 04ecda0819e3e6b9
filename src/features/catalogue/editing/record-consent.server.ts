import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { consentText } from '../item/consent.ts'
import { recordRestrictions } from '../publishing/change-status.server.ts'
import { renewConsent, withdrawConsent } from '../publishing/save-consents.server.ts'
import type { ItemForAdmin, Reason } from './content-schema.ts'
import { type ItemOfForm, readItemOfForm } from './read-item-for-admin.server.ts'
import { assertOpenToEdits, assertVersion, refused, assertNotRemoved } from './refuse-item.server.ts'
import { type SavingApp, write, recordItemAct } from './write-item.server.ts'
import { consentNotFound } from '../item/item-errors.ts'
import { verifyRights as verifyStoredRights } from '../publishing/save-items.server.ts'

/* Records of administrators about the people of an item (docs/spec/publishing.md#withdrawal). */

/**
 * Notes that a person shown has withdrawn their consent: a published item is restricted in the same transaction.
 * @throws {AppError} `item.consent_not_found`, 404
 */
export async function recordWithdrawal(
  app: SavingApp,
  viewer: Viewer,
  { itemId, consentId }: { itemId: string; consentId: string },
): Promise<ItemForAdmin> {
  return write(app, viewer, async (trx, by) => {
    const before = await readItemOfForm(app, trx, itemId, by)
    const consent = consentIn(before, consentId)
    if (consent.withdrawnAt !== null) return before.item
    await withdrawConsent(trx, { id: consentId, itemId, version: before.row.version }, app.clock.now())
    const saved = await readItemOfForm(app, trx, itemId, by)
    await recordAuditEvent(trx, {
      action: 'consent.withdrawn',
      by: { memberId: by },
      subject: { kind: 'item', id: itemId },
      details: { name: saved.item.name, slug: before.row.slug, consent: consentId, status: saved.item.status },
    })
    if (before.row.status === 'published' && saved.item.status === 'restricted') {
      await recordRestrictions(
        trx,
        [{ id: itemId, name: saved.item.name, slug: before.row.slug, restriction: saved.item.restriction }],
        { memberId: by },
      )
    }
    return saved.item
  })
}

/**
 * Notes that a person has given a withdrawn consent anew, which other evidence proves. The item stays off the site until it is
 * published again.
 * @throws {AppError} `item.consent_not_found`, 404; also as `changeItem`
 */
export async function recordNewConsent(
  app: SavingApp,
  viewer: Viewer,
  {
    itemId,
    consentId,
    evidence: given,
    version,
  }: { itemId: string; consentId: string; evidence: string; version: number },
): Promise<ItemForAdmin> {
  return write(app, viewer, async (trx, by) => {
    const before = await readItemOfForm(app, trx, itemId, by)
    const consent = consentIn(before, consentId)
    assertVersion(before, version)
    assertOpenToEdits(before)
    if (consent.withdrawnAt === null) return before.item
    const evidence = given.trim()
    if (evidence === consent.evidence) {
      throw refused([
        {
          code: 'consent.same_evidence',
          field: 'evidence',
          sentence: `${consent.pseudonym} withdrew the consent that this evidence proves.`,
          remedy: 'Record the evidence of the new consent.',
        },
      ])
    }
    const { error } = consentText(app.config.timeZone).safeParse({
      pseudonym: consent.pseudonym,
      evidence,
      validTo: '',
    })
    const [issue] = error?.issues ?? []
    if (issue !== undefined) {
      const remedy = 'Record the evidence of the new consent.'
      throw refused([{ code: 'field.invalid', field: 'evidence', sentence: `The evidence ${issue.message}`, remedy }])
    }
    const renewed = { id: consentId, itemId, version: before.row.version }
    await renewConsent(trx, renewed, { evidence, by }, app.clock.now())
    const saved = await readItemOfForm(app, trx, itemId, by)
    await recordAuditEvent(trx, {
      action: 'consent.renewed',
      by: { memberId: by },
      subject: { kind: 'item', id: itemId },
      details: { slug: before.row.slug, consent: consentId, version: saved.item.version },
    })
    return saved.item
  })
}

function consentIn({ item }: ItemOfForm, consentId: string): ItemForAdmin['consents'][number] {
  const consent = item.consents.find(({ id }) => id === consentId)
  if (consent === undefined) throw consentNotFound()
  return consent
}

/**
 * Notes that an administrator has verified the rights of an item, which another person has recorded
 * (docs/spec/publishing.md#second-person). The item keeps its version: nothing of what it says has changed.
 * @throws {AppError} `item.not_found`, 404; `item.conflict`, 409, with the item as it is now; `item.refused`, 422
 */
export async function verifyRights(
  app: SavingApp,
  viewer: Viewer,
  { id, version }: { id: string; version: number },
): Promise<ItemForAdmin> {
  return write(app, viewer, async (trx, by) => {
    const before = await readItemOfForm(app, trx, id, by)
    assertVersion(before, version)
    assertVerifiable(before)
    if (before.item.verification !== null) return before.item
    await verifyStoredRights(trx, id, { by, at: app.clock.now() })
    const saved = await readItemOfForm(app, trx, id, by)
    await recordItemAct(trx, 'item.verified', by, saved.item)
    return saved.item
  })
}

function assertVerifiable({ row, item: { rights, attestation } }: ItemOfForm): void {
  assertNotRemoved(row)
  const refuse = (code: string, sentence: string, remedy: string): never => {
    const reason: Reason = { code, field: 'rights.basis', sentence, remedy }
    throw refused([reason])
  }
  if (rights.basis === null || attestation === null) {
    refuse('rights.missing', 'No rights basis is recorded.', 'Record on which basis the work may be distributed.')
  } else if (attestation.isOwn) {
    refuse(
      'rights.own_attestation',
      'You have recorded these rights yourself.',
      'Another administrator has to verify them.',
    )
  }
}
