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
export interface HeldLine {
  type: 'held'
  by: Hold
  reference: string
  entry: string
  slug: string
  since: string
}

export type Hold = 'notice' | 'decision'

export interface Deadline {
  name: string
  dueAt: string
}

/** The database has lost the notice, or these deadlines of it, and that was told. */
export interface LostLine {
  type: 'lost'
  reference: string
  deadlines: Deadline[]
  at: string
}
