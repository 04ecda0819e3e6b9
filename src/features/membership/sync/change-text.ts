/** A value as the record of changes shows it. */
export function changeText(value: string | number | boolean | Date | null | undefined): string | null {
  if (value === null || value === undefined) return null
  return value instanceof Date ? value.toISOString() : String(value)
}

/** `periodEndsAt` is `period_ends_at`, as changes are recorded. */
export function recordedName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}
