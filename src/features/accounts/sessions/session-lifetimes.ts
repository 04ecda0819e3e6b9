const hourMs = 3_600_000

/**
 * How long a session lasts (docs/spec/accounts.md#sessions): 24 hours, or 30 days with 'Remember me', whatever its use.
 * The server cannot see a browser close, so a session that was to end with it also ends after hours without use.
 */
export const sessionLifetimes = {
  remembered: { absoluteMs: 30 * 24 * hourMs, idleMs: 30 * 24 * hourMs },
  untilClosed: { absoluteMs: 24 * hourMs, idleMs: 8 * hourMs },
}
