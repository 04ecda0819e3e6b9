/** A day in words, in the site's time zone: 'March 5, 2024' (docs/spec/words.md#dates). */
export function dayInWords(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric', timeZone }).format(instant)
}
