import type { Queryable } from '../../../db/queryable.ts'
import {
  findOtherwiseRemoved,
  readEndOfHolds,
  readHidingHolds,
  readOtherRemovals,
  type StandingRemoval,
} from '../../catalogue/removal/standing-removals.server.ts'
import type { NoticesDatabase } from '../app.ts'
import { kindLabels } from '../notice/notice-kinds.ts'
import {
  type Deadline,
  type JournalLine,
  type RemovalClass,
  type RemovedLine,
  type JournalState,
  keyOfHold,
  type RecordedHold,
  type RecordedRemoval,
} from './journal-state.ts'
import { readDeadlines, readNotices } from './read-deadlines.server.ts'

export interface Differences {
  /** Removals that the journal has and the database does not. */
  lost: RecordedRemoval[]
  /** Removals that both have, whose entry is on the site or whose links are free. */
  incomplete: RecordedRemoval[]
  /** Entries that the journal has hidden or restricted, and the database does not. */
  unhidden: RecordedHold[]
  /** Notices that the database does not have, or is behind with, and the deadlines that are lost with that. */
  lostNotices: { reference: string; deadlines: Deadline[] }[]
  /** The references of reversals that the database has lost: their entries are off the site again. */
  lostReversals: string[]
  /** Lines of the database that the journal lacks. */
  lines: JournalLine[]
}

/**
 * Compares both ways. A reversal or a release that the database has was made since the line was written, and is recorded; what the
 * database does not know of at all, it has lost.
 * @param of.reference only what is about this notice
 * @param of.at of what is lost, ISO text
 */
export async function findDifferences(
  db: Queryable<NoticesDatabase>,
  state: JournalState,
  of: { reference?: string | undefined; at: string },
): Promise<Differences> {
  const removals = await compareRemovals(db, state, of)
  const holds = await compareHolds(db, state, of)
  const notices = await compareNotices(db, state, of)
  const repaired = [...removals.lost, ...removals.incomplete, ...holds.unhidden].map(({ reference }) => reference)
  const known = await readNotices(db, repaired)
  const lostReferences = new Set(notices.lostNotices.map(({ reference }) => reference))
  const lostNotices = [...notices.lostNotices]
  for (const reference of new Set(repaired)) {
    if (known.has(reference) || lostReferences.has(reference) || state.lost.has(reference)) continue
    lostNotices.push({ reference, deadlines: [] })
  }
  const lines = [
    ...removals.lines,
    ...holds.lines,
    // Before what runs now: that takes the place of what is lost.
    ...lostNotices.map((lost) => ({ type: 'lost', ...lost, at: of.at }) as const),
    ...notices.lines,
  ]
  const { lost, incomplete, lostReversals } = removals
  return { lost, incomplete, unhidden: holds.unhidden, lostNotices, lostReversals, lines }
}

type Of = { reference?: string | undefined }

function inScope<T extends { reference: string }>(all: Iterable<T>, { reference }: Of): T[] {
  const every = [...all]
  return reference === undefined ? every : every.filter((one) => one.reference === reference)
}

async function compareRemovals(
  db: Queryable<NoticesDatabase>,
  state: JournalState,
  of: Of,
): Promise<Pick<Differences, 'lost' | 'incomplete' | 'lostReversals' | 'lines'>> {
  const recorded = inScope(state.removals.values(), of)
  const found: Pick<Differences, 'lost' | 'incomplete' | 'lostReversals' | 'lines'> = {
    lost: [],
    incomplete: [],
    lostReversals: [],
    lines: [],
  }
  const otherwise = await findOtherwiseRemoved(
    db,
    recorded.map(({ id, links, digest }) => ({ id, count: links.length, digest })),
  )
  for (const { id, is, links } of otherwise) {
    const removal = state.removals.get(id) as RecordedRemoval
    if (is === 'missing') found.lost.push(removal)
    else if (is === 'reversed') found.lines.push({ type: 'reversed', id })
    else {
      const blocked = new Set(links)
      const known = new Set(removal.links)
      if (is === 'served' || removal.links.some((link) => !blocked.has(link))) found.incomplete.push(removal)
      const added = links.filter((link) => !known.has(link))
      if (added.length > 0) found.lines.push({ type: 'blocked', id, links: added })
    }
  }
  const others = await readOtherRemovals(
    db,
    recorded.map(({ id }) => id),
    of,
  )
  for (const removal of others) {
    found.lines.push(lineOf(removal))
    // A removal is reversed once and for all: the database has lost that it was.
    if (state.reversed.has(removal.id)) found.lostReversals.push(removal.reference)
  }
  found.lostReversals = [...new Set(found.lostReversals)]
  return found
}

const classes = new Map<string, RemovalClass>(
  (['copyright', 'intimate-image', 'consent', 'privacy'] as const).map((kind) => [kindLabels[kind], kind]),
)

function lineOf({ id, reference, kind, answer, itemId, slug, removedAt, links }: StandingRemoval): RemovedLine {
  const about = answer === 404 ? 'other' : (classes.get(kind) ?? 'other')
  return {
    type: 'removed',
    id,
    reference,
    about,
    entry: itemId,
    slug,
    answer: about === 'other' || answer === 404 ? null : answer,
    decidedAt: removedAt,
    links,
  }
}

async function compareHolds(
  db: Queryable<NoticesDatabase>,
  state: JournalState,
  of: Of,
): Promise<Pick<Differences, 'unhidden' | 'lines'>> {
  const standing = await readHidingHolds(db, of)
  const lines: JournalLine[] = []
  for (const hold of standing) {
    const recorded = state.holds.get(keyOfHold(hold))
    // It may have been released and made anew: what ends it is told by when it began.
    if (recorded?.since !== hold.since) lines.push({ type: 'held', ...hold })
  }
  const keys = new Set(standing.map(keyOfHold))
  const others = inScope(state.holds.values(), of).filter((hold) => !keys.has(keyOfHold(hold)))
  const ends = await readEndOfHolds(db, others)
  const unhidden: RecordedHold[] = []
  for (const [place, { by, reference, entry, ...hold }] of others.entries()) {
    if (ends[place] === 'released') lines.push({ type: 'released', by, reference, entry })
    if (ends[place] === 'lost') unhidden.push({ by, reference, entry, ...hold })
  }
  return { unhidden, lines }
}

async function compareNotices(
  db: Queryable<NoticesDatabase>,
  state: JournalState,
  of: Of,
): Promise<Pick<Differences, 'lostNotices' | 'lines'>> {
  const lostNotices: Differences['lostNotices'] = []
  const lines: JournalLine[] = []
  const running = await readDeadlines(db, of)
  for (const notice of running) {
    const { reference, version, deadlines } = notice
    const recorded = state.deadlines.get(reference)
    if (recorded !== undefined && version < recorded.version) {
      const lost = withoutThose(recorded.deadlines, deadlines)
      if (lost.length > 0) lostNotices.push({ reference, deadlines: lost })
    }
    const isRecorded = recorded !== undefined && recorded.version <= version && areSame(recorded.deadlines, deadlines)
    if (!isRecorded) lines.push({ type: 'deadlines', ...notice })
  }
  const isRunning = new Set(running.map(({ reference }) => reference))
  const recorded = [...state.deadlines].map(([reference, rest]) => ({ reference, ...rest }))
  const ended = inScope(recorded, of).filter(({ reference }) => !isRunning.has(reference))
  const known = await readNotices(
    db,
    ended.map(({ reference }) => reference),
  )
  for (const { reference, version, deadlines } of ended) {
    const notice = known.get(reference)
    if (notice === undefined || notice.version < version) lostNotices.push({ reference, deadlines: [...deadlines] })
    else lines.push({ type: 'deadlines', reference, version: notice.version, deadlines: [] })
  }
  return { lostNotices, lines }
}

function withoutThose(deadlines: readonly Deadline[], those: readonly Deadline[]): Deadline[] {
  const known = new Set(those.map(textOf))
  return deadlines.filter((deadline) => !known.has(textOf(deadline)))
}

function areSame(some: readonly Deadline[], others: readonly Deadline[]): boolean {
  return some.length === others.length && withoutThose(some, others).length === 0
}

function textOf({ name, dueAt }: Deadline): string {
  return `${name} ${dueAt}`
}
