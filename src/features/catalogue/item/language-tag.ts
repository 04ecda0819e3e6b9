/** A language tag as it is written canonically, without extensions; undefined for a text that is none. Browser-safe. */
export function canonicalTag(text: string): string | undefined {
  if (!/^[a-z0-9-]{2,60}$/i.test(text)) return undefined
  try {
    // Browsers differ in the names that they have of extensions.
    return new Intl.Locale(text).baseName
  } catch {
    return undefined
  }
}
