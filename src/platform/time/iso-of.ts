/** An instant as ISO 8601 in UTC, as the HTTP interface and the database take it. */
export function isoOf(instant: Date | number): string
export function isoOf(instant: Date | number | null | undefined): string | null
export function isoOf(instant: Date | number | null | undefined): string | null {
  return instant === null || instant === undefined ? null : new Date(instant).toISOString()
}
