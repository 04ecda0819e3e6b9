const formats = new Map<string, Intl.DateTimeFormat>()

/** `March 5, 2024`, in the site's time zone. */
export function formatDay(instant: string, timeZone: string): string {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: 'long', day: 'numeric' })
    formats.set(timeZone, format)
  }
  return format.format(new Date(instant))
}
