import { addDays, dayOf } from '../../../platform/time/site-time.ts'
import { startOfHour } from '../../../platform/time/starts.ts'

export const digestRhythms = ['off', 'daily', 'weekly'] as const
export type DigestRhythm = (typeof digestRhythms)[number]

export interface DigestTimes {
  digest: Exclude<DigestRhythm, 'off'>
  /** By the clock of the reader's time zone, 0 to 23. */
  hour: number
  timeZone: string
}

/**
 * The instant of the next digest after another: each day at the hour, or on Mondays. A day on which the clocks skip the hour
 * has it where the gap ends, and one on which it comes twice has one digest.
 */
export function nextDigest({ digest, hour, timeZone }: DigestTimes, after: number): number {
  for (let day = dayOf(after, timeZone); ; day = addDays(day, 1)) {
    if (digest === 'weekly' && new Date(`${day}T00:00Z`).getUTCDay() !== 1) continue
    const at = startOfHour(day, hour, timeZone)
    if (at > after) return at
  }
}

/** The name of a time zone as the database of zones has it; undefined for what is none. An offset is none: it knows no summer. */
export function timeZoneOf(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{1,60}$/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
