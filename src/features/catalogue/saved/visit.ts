/** A visit is over after so long without a sign of the reader (docs/spec/readers-memory.md#visits). */
export const visitEndsAfterMs = 30 * 60_000

/** In milliseconds since 1970. */
export interface Visit {
  seenAt: number
  /** The last sign in the visit before; undefined in the first one. */
  newSince?: number | undefined
}

/** The visit after a sign of the reader: the one under way, or a new one, for which all is new since the last sign before it. */
export function visitAt(before: Visit | undefined, now: number): Visit {
  if (before === undefined) return { seenAt: now }
  const { seenAt, newSince } = before
  // A clock that was put back ends no visit.
  const isOver = now - seenAt >= visitEndsAfterMs
  return { seenAt: Math.max(now, seenAt), newSince: isOver ? seenAt : newSince }
}
