/** A removal that stands, with what it blocks by now. */
export interface RecordedRemoval extends Omit<RemovedLine, 'type'> {
  /** All of its fingerprints, each XORed with the others: two lists of the same length and digest are taken for the same. */
  digest: bigint
}

export type RecordedHold = Omit<HeldLine, 'type'>

/** The state that the lines of a journal add up to. */
export interface JournalState {
  /** Undefined before the first line. */
  journal: string | undefined
  /** Those that stand, by their ids. */
  removals: Map<string, RecordedRemoval>
  /** The ids of removals that were reversed. */
  reversed: Set<string>
  /** Those that stand, by `keyOfHold`. */
  holds: Map<string, RecordedHold>
  /** The deadlines that run, by the reference of their notice. */
  deadlines: Map<string, { version: number; deadlines: readonly Deadline[] }>
  /** Notices that the database has lost, by reference. */
  lost: Map<string, Omit<LostLine, 'type'>>
}

export function emptyState(): JournalState {
  return {
    journal: undefined,
    removals: new Map(),
    reversed: new Set(),
    holds: new Map(),
    deadlines: new Map(),
    lost: new Map(),
  }
}

export function keyOfHold({ by, reference, entry }: Pick<RecordedHold, 'by' | 'reference' | 'entry'>): string {
  return `${by} ${reference} ${entry}`
}

/** Changes the state by what a line says. Lines of a type that this version does not know say nothing. */
export function applyLine(state: JournalState, line: JournalLine): void {
  switch (line.type) {
    case 'begun':
      state.journal = line.journal
      return
    case 'removed': {
      const { type: _type, ...removal } = line
      state.reversed.delete(line.id)
      state.removals.set(line.id, { ...removal, digest: digestOf(line.links) })
      return
    }
    case 'blocked': {
      const removal = state.removals.get(line.id)
      if (removal === undefined) return
      const added = line.links.filter((link) => !removal.links.includes(link))
      removal.links = [...removal.links, ...added]
      removal.digest ^= digestOf(added)
      return
    }
    case 'reversed':
      state.removals.delete(line.id)
      state.reversed.add(line.id)
      return
    case 'held': {
      const { type: _type, ...hold } = line
      state.holds.set(keyOfHold(line), hold)
      return
    }
    case 'released':
      state.holds.delete(keyOfHold(line))
      return
    case 'deadlines': {
      const { reference, version, deadlines } = line
      if (deadlines.length === 0) state.deadlines.delete(reference)
      else state.deadlines.set(reference, { version, deadlines })
      return
    }
    case 'lost': {
      const { type: _type, ...lost } = line
      state.lost.set(line.reference, lost)
      state.deadlines.delete(line.reference)
    }
  }
}

/** Fingerprints are signed numbers of 64 bits. */
function digestOf(links: readonly string[]): bigint {
  let digest = 0n
  for (const link of links) digest ^= BigInt(link)
  return digest
}

/**
 * The lines of the journal of removals (docs/spec/notices.md#journal). They hold no personal data: references, ids and slugs of
 * entries, fingerprints of links as the database has them, and instants.
 */
export type JournalLine =
  /** The first line of a file: which one it is. */
  | { type: 'begun'; journal: string }
  | RemovedLine
  /** A removal blocks further links. */
  | { type: 'blocked'; id: string; links: string[] }
  /** A removal is reversed: its entry is off the site no more because of it, and its links are free. */
  | { type: 'reversed'; id: string }
  | HeldLine
  /** Neither restricted nor hidden by it any more. */
  | { type: 'released'; by: Hold; reference: string; entry: string }
  /** The deadlines of a notice that run, at this version of it; none once the last has ended. */
  | { type: 'deadlines'; reference: string; version: number; deadlines: Deadline[] }
  | LostLine

/** A decision has removed an entry. */
export interface RemovedLine {
  type: 'removed'
  id: string
  reference: string
  about: RemovalClass
  entry: string
  /** Null where the database does not have the entry. */
  slug: string | null
  /** The status of its page; null for `other`, where the journal does not hold it. */
  answer: 410 | 451 | null
  /** ISO text, as all instants are. */
  decidedAt: string
  /** The fingerprints of the links that it blocks, as decimal numbers. */
  links: string[]
}

/** A notice about a child at risk is one of the others here: neither its kind nor its answer is written. */
export type RemovalClass = 'copyright' | 'intimate-image' | 'consent' | 'privacy' | 'other'

/** A decision restricts an entry, or an open notice hides it. */
interface HeldLine {
  type: 'held'
  by: Hold
  reference: string
  entry: string
  slug: string
  since: string
}

type Hold = 'notice' | 'decision'

export interface Deadline {
  name: string
  dueAt: string
}

/** The database has lost the notice, or these deadlines of it, and that was told. */
interface LostLine {
  type: 'lost'
  reference: string
  deadlines: Deadline[]
  at: string
}
