import { isoOf } from '../../../platform/time/iso-of.ts'
import { recordForSafetyOfficers } from '../../office/audit/audit-secrecy.server.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import { holdItems, restrictItems } from '../../catalogue/removal/hold-items.server.ts'
import { type LostRemoval, removeAgain } from '../../catalogue/removal/remove-again.server.ts'
import type { NoticesApp } from '../app.ts'
import { kindLabels, type NoticeKind } from '../notice/notice-kinds.ts'
import { findDifferences } from './find-differences.server.ts'
import type { JournalState, RecordedRemoval } from './journal-state.ts'
import { readNotices } from './read-deadlines.server.ts'

/**
 * Repeats the removals that the database has lost and blocks their links, in one transaction. For a possible child at
 * risk the audit log informs safety officers alone.
 * @returns the ids of the entries that were on the site
 */
export async function repair(app: NoticesApp, state: JournalState): Promise<string[]> {
  return app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    // As it is under the lock.
    const found = await findDifferences(trx, state, { at: isoOf(app.clock.now()) })
    const { lost, incomplete, unhidden } = found
    if (lost.length + incomplete.length + unhidden.length === 0) return []
    const notices = await readNotices(
      trx,
      [...lost, ...incomplete, ...unhidden].map(({ reference }) => reference),
    )
    const isSecret = (reference: string, isOther: boolean): boolean => {
      const kind = notices.get(reference)?.kind
      return kind === undefined ? isOther : kind === 'child-safety'
    }
    const taken: string[] = []
    for (const secret of [false, true]) {
      const ofThem = (removal: RecordedRemoval): boolean =>
        isSecret(removal.reference, removal.about === 'other') === secret
      const again = (removals: readonly RecordedRemoval[]): LostRemoval[] =>
        removals.filter(ofThem).map((removal) => lostRemoval(removal, notices.get(removal.reference)?.kind))
      const holds = unhidden.filter(({ reference }) => isSecret(reference, true) === secret)
      await recordForSafetyOfficers(secret, async () => {
        taken.push(...(await removeAgain(trx, { lost: again(lost), incomplete: again(incomplete) })))
        for (const { by, reference, entry } of holds) {
          const held = { reference, itemIds: [entry], by: 'system' } as const
          const effects =
            by === 'decision' ? await restrictItems(trx, held) : await holdItems(trx, { ...held, hides: true })
          taken.push(...effects.flatMap(({ id, effect }) => (effect === 'restricted' ? [id] : [])))
        }
      })
    }
    await recordAuditEvent(trx, {
      action: 'removals.repaired',
      by: 'system',
      details: {
        removals: lost.length + incomplete.length,
        holds: unhidden.length,
        entries: taken.length,
        notices: found.lostNotices.length,
      },
    })
    return taken
  })
}

/** An `other` removal answers as an entry that never existed: it may be about a child at risk. */
function lostRemoval(
  { id, entry, reference, about, answer, decidedAt, links }: RecordedRemoval,
  kind: NoticeKind | undefined,
): LostRemoval {
  return {
    id,
    itemId: entry,
    reference,
    answer: answer ?? 404,
    kind: kindLabels[about === 'other' ? (kind ?? 'other') : about],
    removedAt: decidedAt,
    links,
  }
}
