/*
 * Instants in words, in a time zone that is given (docs/spec/words.md#dates). For the server, which has no page that names the
 * zone, and for what both the server and the browser draw.
 */

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string, timeStyle: 'short' | undefined): Intl.DateTimeFormat {
  const key = `${timeStyle ?? ''} ${timeZone}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle, timeZone })
    formats.set(key, format)
  }
  return format
}

/** 'March 5, 2024' */
export function dayInZone(instant: number | Date, timeZone: string): string {
  return formatOf(timeZone, undefined).format(instant)
}

/** 'March 5, 2024 at 2:07 PM (Europe/Oslo)': where it matters at which instant something is due. */
export function instantInZone(instant: number | Date, timeZone: string): string {
  return `${formatOf(timeZone, 'short').format(instant)} (${timeZone})`
}
