import { uuidv7 } from 'uuidv7'
import { isoOf } from '../../../platform/time/iso-of.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { lockCatalogue } from '../../catalogue/publishing/save-items.server.ts'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { type Differences, findDifferences } from './find-differences.server.ts'
import type { JournalLine, JournalState, RecordedRemoval } from './journal-state.ts'
import { isCutSince, type KnownEnds, recordEnd, readKnownEnds } from './journal-file.server.ts'
import { raiseAlarms } from './raise-alarms.server.ts'
import { recordForSafetyOfficers } from '../../office/audit/audit-secrecy.server.ts'
import { holdItems, restrictItems } from '../../catalogue/removal/hold-items.server.ts'
import { type LostRemoval, removeAgain } from '../../catalogue/removal/remove-again.server.ts'
import { kindLabels, type NoticeKind } from '../notice/notice-kinds.ts'
import { readNotices } from './read-deadlines.server.ts'

/**
 * Reconciles the journal of removals with the database (docs/spec/notices.md#journal), before anything is served and
 * every minute. It repeats removals that the database has lost, notifies administrators, and appends lines that the
 * journal lacks.
 * @throws {RemovalJournalError} where the file cannot be read, or is not as it was written
 */
export async function reconcileJournal(app: NoticesApp): Promise<void> {
  let journal = await app.removalJournal.read()
  const ends = await readKnownEnds(app.db, journal)
  // It may have grown in between, by another worker too: a line is in the file before the database knows of it.
  if (isCutSince(journal, ends)) journal = await app.removalJournal.read()
  if (journal.tornBytes > 0) {
    app.log.warn(
      { bytes: journal.tornBytes },
      'The last line of the journal of removals was not written to its end. It is passed over.',
    )
  }
  if (journal.lines === 0) {
    await begin(app, ends)
    return
  }
  const found = await findDifferences(app.db, journal.state, { at: isoOf(app.clock.now()) })
  const isCut = isCutSince(journal, ends)
  if (!isCut && !differs(found) && ends.own?.lines === journal.lines && journal.tornBytes === 0) return
  const taken = mustRepair(found) ? await repair(app, journal.state) : []
  if (taken.length > 0) await app.listing.catchUp()
  await raiseAlarms(app, { found, taken, cut: isCut ? { had: ends.own?.lines ?? 0, has: journal.lines } : undefined })
  const lost = found.lines.filter(({ type }) => type === 'lost')
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    await append(app, trx, { lost })
  })
}

/**
 * Notes at once what has become of the entries of a notice. Called after the commit; what fails is recorded by the run of the
 * next minute.
 */
export async function recordRemovals(app: NoticesApp, { reference }: { reference: string }): Promise<void> {
  try {
    const { state, lines } = await app.removalJournal.read()
    if (lines === 0) return
    const of = { reference, at: isoOf(app.clock.now()) }
    if (linesOf(await findDifferences(app.db, state, of)).length === 0) return
    await app.db.transaction().execute(async (trx) => {
      await lockCatalogue(trx)
      await append(app, trx, { reference })
    })
  } catch (error) {
    app.log.error({ err: error }, 'The effect of a decision is not in the journal of removals yet.')
  }
}

function differs(found: Differences): boolean {
  return found.lines.length > 0 || mustRepair(found)
}

function mustRepair({ lost, incomplete, unhidden }: Differences): boolean {
  return lost.length + incomplete.length + unhidden.length > 0
}

/** The lines to append besides the lost ones, whose alarm comes first. */
function linesOf({ lines }: Differences): JournalLine[] {
  return lines.filter(({ type }) => type !== 'lost')
}

/** Compares once more under the lock of the catalogue, and appends what the database has by then. */
async function append(
  app: Pick<NoticesApp, 'removalJournal' | 'clock' | 'log'>,
  trx: NoticesTransaction,
  { reference, lost = [], first = [] }: { reference?: string; lost?: JournalLine[]; first?: JournalLine[] },
): Promise<{ appended: number }> {
  const { state } = await app.removalJournal.read()
  const found = await findDifferences(trx, state, { reference, at: isoOf(app.clock.now()) })
  const lines = [...first, ...lost, ...linesOf(found)]
  const journal = await app.removalJournal.append(lines)
  await recordEnd(trx, journal)
  if (lines.length > 0) app.log.info({ lines: journal.lines, hash: journal.hash }, 'The journal of removals has grown.')
  return { appended: lines.length - first.length }
}

/** A new file is filled with what the database has. */
async function begin(app: NoticesApp, { others }: KnownEnds): Promise<void> {
  const first: JournalLine[] = [{ type: 'begun', journal: uuidv7() }]
  // The embedded database has one data directory.
  const wasThere = others > 0 && app.config.databaseUrl === undefined
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const { appended } = await append(app, trx, { first })
    if (appended === 0 && !wasThere) return
    await recordAuditEvent(trx, { action: 'removals.recorded', by: 'system', details: { lines: appended } })
    app.log.warn(
      { lines: appended },
      'There was no journal of removals in DATA_DIR: it was filled from the database. Its own knowledge is lost.',
    )
  })
  if (wasThere) await raiseAlarms(app, { isMissing: true })
}

/**
 * Repeats the removals that the database has lost and blocks their links, in one transaction. For a possible child at
 * risk the audit log informs safety officers alone.
 * @returns the ids of the entries that were on the site
 */
async function repair(app: NoticesApp, state: JournalState): Promise<string[]> {
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
