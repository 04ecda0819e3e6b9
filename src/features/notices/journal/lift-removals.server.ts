import { recordForSafetyOfficers } from '../../office/audit/audit-secrecy.server.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import { releaseHolds } from '../../catalogue/removal/hold-items.server.ts'
import type { ItemEffect } from '../../catalogue/removal/item-effect.ts'
import { restoreItems } from '../../catalogue/removal/remove-items.server.ts'
import { readHidingHolds, readOtherRemovals } from '../../catalogue/removal/standing-removals.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { type NoticeStatus, openStatuses } from '../notice/notice-kinds.ts'

/** Says in its message, for the operator, why nothing was changed. */
class NotLiftedError extends Error {}

/**
 * Ends what keeps entries off the site under the reference of a notice that nobody can decide at the desk, through the gate: the
 * notice is lost, or its decision keeps the entries. For the command line.
 * @param given.by the name of an account of the operating system
 * @returns what became of each entry
 * @throws {NotLiftedError} where the desk decides about it, or nothing is kept off
 */
export function liftRemovals(
  app: Pick<NoticesApp, 'db' | 'config' | 'clock'>,
  { reference, reason, by }: { reference: string; reason: string; by: string },
): Promise<ItemEffect[]> {
  return app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const notice = await trx
      .selectFrom('notices')
      .select(['kind', 'status', 'outcome'])
      .where('reference', '=', reference)
      .executeTakeFirst()
    const removals = await readOtherRemovals(trx, [], { reference })
    const holds = await readHidingHolds(trx, { reference })
    if (removals.length + holds.length === 0)
      throw new NotLiftedError(`Nothing is kept off the site under the reference ${reference}.`)
    if (notice !== undefined) refuseDeskWork(reference, notice)
    const isSecret =
      notice === undefined ? !removals.some(({ answer }) => answer !== 404) : notice.kind === 'child-safety'
    return recordForSafetyOfficers(isSecret, () => lift(app, trx, { reference, reason, by }))
  })
}

async function lift(
  app: Pick<NoticesApp, 'config' | 'clock'>,
  trx: NoticesTransaction,
  { reference, reason, by }: { reference: string; reason: string; by: string },
): Promise<ItemEffect[]> {
  const attestation = { by: 'operator', at: app.clock.now() }
  const effects = [
    ...(await restoreItems(app, trx, { reference, attestation })),
    ...(await releaseHolds(app, trx, { reference, attestation })),
  ]
  // An entry that was removed and hidden stands there twice: the last says what became of it.
  const last = [...new Map(effects.map((effect) => [effect.id, effect])).values()]
  await recordAuditEvent(trx, {
    action: 'removals.lifted',
    by: 'operator',
    details: { reference, reason, by, entries: last.map(({ id, effect }) => ({ id, effect })) },
  })
  return last
}

function refuseDeskWork(
  reference: string,
  { status, outcome }: { status: NoticeStatus; outcome: string | null },
): void {
  const where = `at the desk: /admin/notices/${reference}`
  if (openStatuses.includes(status)) throw new NotLiftedError(`The notice ${reference} is open. Decide it ${where}`)
  if (outcome === 'remove' || outcome === 'restrict')
    throw new NotLiftedError(
      `The decision on ${reference} keeps its entries off the site. Make another decision ${where}`,
    )
}
