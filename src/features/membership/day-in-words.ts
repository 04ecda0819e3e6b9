/** A day as people are told it, in the site's time zone: 'March 05, 2024' (PRODUCT.md, section 9, "Dates en-US"). */
export function dayInWords(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: '2-digit', timeZone }).format(instant)
}
