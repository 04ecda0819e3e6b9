const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * How long a session lasts (docs/spec/accounts.md#sessions): 24 hours, or 30 days with 'Remember me', whatever its use.
 * The server cannot see a browser close, so a session that was to end with it also ends after hours without use.
 */
const lifetimes = {
  remembered: { absoluteMs: 30 * 24 * hourMs, idleMs: 30 * 24 * hourMs },
  untilClosed: { absoluteMs: 24 * hourMs, idleMs: 8 * hourMs },
  administrator: { absoluteMs: 12 * hourMs, idleMs: 30 * minuteMs },
}

export interface SessionOwner {
  isRemembered: boolean
  isAdmin: boolean
}

/** A session as it is stored, and whether its member administers the site at this moment. */
export interface StoredSession extends SessionOwner {
  createdAt: Date
  lastSeenAt: Date
  /** As it was said at the sign-in. */
  expiresAt: Date
}

/**
 * How long a session lasts from its sign-in, and how long without use. An administrator's is never remembered, and the
 * session of a member who becomes one is shortened at that moment.
 */
export function lifetimeOf({ isRemembered, isAdmin }: SessionOwner): { absoluteMs: number; idleMs: number } {
  if (isAdmin) return lifetimes.administrator
  return isRemembered ? lifetimes.remembered : lifetimes.untilClosed
}

/** When a session ends at the latest. */
export function endOfSession(session: StoredSession): Date {
  const longest = session.createdAt.getTime() + lifetimeOf(session).absoluteMs
  return new Date(Math.min(session.expiresAt.getTime(), longest))
}

/** Whether a session is over, because of its age or because nobody has used it. */
export function isSessionOver(session: StoredSession, now: number): boolean {
  return endOfSession(session).getTime() <= now || session.lastSeenAt.getTime() + lifetimeOf(session).idleMs <= now
}
