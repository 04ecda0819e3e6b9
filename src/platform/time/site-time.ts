/**
 * Days and months in the site's time zone (docs/spec/http.md#time).
 * Instants are milliseconds since 1970-01-01T00:00:00Z; a day is written `YYYY-MM-DD`.
 */

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(timeZone: string): Intl.DateTimeFormat {
  let found = formatters.get(timeZone)
  if (found === undefined) {
    found = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formatters.set(timeZone, found)
  }
  return found
}

/** Since this year every zone has changed its clocks at a quarter of an hour: within one the offset is the same. */
const firstQuarter = Date.UTC(1973, 0, 1)
const quarterMs = 900_000
const maxOffsets = 20_000
const offsets = new Map<string, Map<number, number>>()

/** The same as `computeOffset`, which takes longer than all other work on an item. */
export function offsetAt(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  if (instant < firstQuarter) return computeOffset(instant, timeZone)
  const known = offsets.get(timeZone) ?? new Map<number, number>()
  const quarter = Math.floor(instant / quarterMs)
  let offset = known.get(quarter)
  if (offset === undefined) {
    offset = computeOffset(instant, timeZone)
    if (known.size >= maxOffsets) known.clear()
    known.set(quarter, offset)
    offsets.set(timeZone, known)
  }
  return offset
}

/** How far the zone's wall clock is ahead of UTC at an instant, in milliseconds. */
function computeOffset(instant: number, timeZone: string): number {
  const part: Record<string, string> = {}
  for (const { type, value } of formatter(timeZone).formatToParts(instant)) part[type] = value
  const year = part['era'] === 'BC' ? 1 - Number(part['year']) : Number(part['year'])
  const wall = new Date(0)
  wall.setUTCFullYear(year, Number(part['month']) - 1, Number(part['day']))
  wall.setUTCHours(Number(part['hour']), Number(part['minute']), Number(part['second']))
  return wall.getTime() - Math.floor(instant / 1000) * 1000
}

export function dayOf(instant: number, timeZone: string): string {
  return new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 10)
}

/** The day and the minute of an instant: `2024-03-05 14:07`. */
export function minuteOf(instant: number, timeZone: string): string {
  return new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 16).replace('T', ' ')
}

/** The day and the second of an instant: `2024-03-05 14:07:09`. */
export function wallClockOf(instant: number, timeZone: string): string {
  return new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 19).replace('T', ' ')
}

/**
 * Whether a text is a day that may be typed, from 1000-01-01 to 9998-12-31 (docs/spec/http.md#time). The days beside one
 * have years of four digits in every zone, as the database takes them. February 30 is none.
 */
export function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) || text > '9998-12-31') return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** The day that lies `days` after another (before it, when negative). */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + days * 86_400_000).toISOString().slice(0, 10)
}
