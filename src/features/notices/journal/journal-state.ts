import type { Deadline, HeldLine, JournalLine, LostLine, RemovedLine } from './journal-line.ts'

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
