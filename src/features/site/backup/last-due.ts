import { addDays, dayOf, wallClockOf } from '../../../platform/time/site-time.ts'
import { startOfDay } from '../../../platform/time/starts.ts'

/** The name of a backup: `daybook-20260305-030000.backup`, in the site's time zone. */
export function nameOfBackup(now: number, timeZone: string, suffix = ''): string {
  const digits = wallClockOf(now, timeZone).replaceAll(/[-:]/g, '').replace(' ', '-')
  return `daybook-${digits}${suffix}.backup`
}

/** Whether the clock has made a backup, by its name: others are never deleted. */
export function isOfClock(name: string): boolean {
  return /^daybook-\d{8}-\d{6}\.backup$/.test(name)
}

/**
 * The last instant until now at which a backup was due; undefined where none ever is.
 * @param at a time of the day like `03:00`, or `off`
 */
export function lastDue(at: string, now: number, timeZone: string): number | undefined {
  if (at === 'off') return undefined
  const today = dueOn(dayOf(now, timeZone), at, timeZone)
  return today <= now ? today : dueOn(addDays(dayOf(now, timeZone), -1), at, timeZone)
}

function dueOn(day: string, at: string, timeZone: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const guess = startOfDay(day, timeZone) + (hours * 60 + minutes) * 60_000
  // In a night in which the clocks change it is off by as much as they are.
  const shown = Date.parse(`${wallClockOf(guess, timeZone).replace(' ', 'T')}Z`)
  return guess + (Date.parse(`${day}T${at}:00Z`) - shown)
}
