import { sql } from 'kysely'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import { holdItems, releaseHolds, unchanged } from '../../catalogue/removal/hold-items.server.ts'
import type { ItemEffect } from '../../catalogue/removal/item-effect.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { openStatuses } from './notice-kinds.ts'
import { reportedItems } from './addresses-of-sender.server.ts'
import type { HoldState, NoticeState } from './transition.ts'

/**
 * Brings the holds of a notice on the catalogue to its present state, whatever they were before, also after a restored
 * backup or a change by hand. The caller holds the lock of the catalogue.
 * @returns the outcome of each released entry, also of those that the bound had left free
 */
export async function changeHolds(
  app: NoticesApp,
  trx: NoticesTransaction,
  {
    notice: { id, reference },
    before,
    state,
    by,
  }: {
    notice: { id: string; reference: string }
    before: NoticeState | null
    state: NoticeState
    /** `attestor`: who answers for publishing an entry again. */
    by: { auditActor: AuditActor; attestor: string }
  },
): Promise<ItemEffect[]> {
  const isSettled = before !== null && openStatuses.includes(before.status) && !openStatuses.includes(state.status)
  const entries = state.holds === 'none' && !isSettled ? [] : await reportedItems(trx, id)
  const held = await readHeld(trx, reference)
  // A notice that is withheld changes nothing.
  const levelOf = (itemId: string): HoldState => (state.isWithheld ? levelNow(held.get(itemId)) : state.holds)
  const levels = new Map(state.holds === 'none' ? [] : entries.map((itemId) => [itemId, levelOf(itemId)]))
  // A hold is raised in place; a lowered one is released first.
  const released = [...held].flatMap(([itemId, hides]) => {
    const level = levels.get(itemId) ?? 'none'
    return level === 'none' || (hides && level === 'holds') ? [itemId] : []
  })
  const effects =
    released.length === 0
      ? []
      : await releaseHolds(app, trx, {
          reference,
          itemIds: released,
          attestation: { by: by.attestor, at: app.clock.now() },
        })
  if (isSettled) {
    effects.push(
      ...(await unchanged(
        trx,
        entries.filter((itemId) => !held.has(itemId)),
      )),
    )
  }
  const isReleased = new Set(released)
  for (const level of ['hides', 'holds'] as const) {
    const itemIds = [...levels].flatMap(([itemId, wanted]) =>
      wanted === level && !isAsIs(level, isReleased.has(itemId) ? undefined : held.get(itemId)) ? [itemId] : [],
    )
    if (itemIds.length > 0) await holdItems(trx, { reference, itemIds, hides: level === 'hides', by: by.auditActor })
  }
  return effects
}

function levelNow(hides: boolean | undefined): HoldState {
  return hides === undefined ? 'none' : hides ? 'hides' : 'holds'
}

function isAsIs(level: HoldState, hides: boolean | undefined): boolean {
  return hides !== undefined && hides === (level === 'hides')
}

/** Whether the notice hides each of the entries that it holds now. */
async function readHeld(trx: NoticesTransaction, reference: string): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ id: string; hides: boolean }>`
    select item_id::text as id, hides from item_holds
     where reference = ${reference} and kind = 'notice' and released_at is null order by item_id`.execute(trx)
  return new Map(rows.map(({ id, hides }) => [id, hides]))
}
