import type { Clock } from '../../platform/time/clock.ts'
import { addDays, dayOf } from '../../platform/time/site-time.ts'
import { startOfDay } from '../../platform/time/starts.ts'
import type { Freshness } from './response-cache.ts'

/** The content of the site's answers, as one whole with one version. */
export interface Content {
  /** Another one after every write. */
  readonly version: number
  /** Whether it is known to be what the database holds; what is made from it may be given only then. */
  readonly isCurrent: boolean
  /** @throws {AppError} 503 while it is not current */
  assertCurrent(): void
  /** When it changes next without a write, in milliseconds since 1970. */
  unchangedUntil(): number
}

/** Until when an answer made now is the right one: the next write, the content's next change by time, the next midnight. */
export function freshnessOf(content: Content, clock: Clock, timeZone: string): () => Freshness {
  // To find the bounds of a day in a time zone takes longer than all the rest: once for each day is enough.
  let today = { from: Infinity, to: -Infinity }
  return () => {
    const now = clock.now()
    if (now < today.from || now >= today.to) {
      const day = dayOf(now, timeZone)
      today = { from: startOfDay(day, timeZone), to: startOfDay(addDays(day, 1), timeZone) }
    }
    return { version: content.version, until: Math.min(content.unchangedUntil(), today.to) }
  }
}
