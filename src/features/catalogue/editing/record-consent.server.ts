import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { consentText } from '../item/consent.ts'
import { recordRestrictions } from '../publishing/change-status.server.ts'
import { renewConsent, withdrawConsent } from '../publishing/save-consents.server.ts'
import type { ItemForAdmin } from './content-schema.ts'
import { type ItemOfForm, readItemOfForm } from './read-item-for-admin.server.ts'
import { assertOpenToEdits, assertVersion, refused } from './refuse-item.server.ts'
import { type SavingApp, write } from './write-item.server.ts'
import { consentNotFound } from '../item/item-errors.ts'

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
