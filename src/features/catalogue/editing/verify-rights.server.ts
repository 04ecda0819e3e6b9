import type { Viewer } from '../../office/viewer/viewer.ts'
import { verifyRights as verifyStoredRights } from '../publishing/save-items.server.ts'
import type { ItemForAdmin, Reason } from './content-schema.ts'
import { type ItemOfForm, readItemOfForm } from './read-item-for-admin.server.ts'
import { assertNotRemoved, assertVersion, refused } from './refuse-item.server.ts'
import { recordItemAct, type SavingApp, write } from './write-item.server.ts'

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
