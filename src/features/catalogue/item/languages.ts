/** The names of languages in English, by their codes; undefined for a code that no language has. Browser-safe. */
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** Whether the first part of a tag is the code of a language that CLDR names. */
export function isKnownLanguage(tag: string): boolean {
  return names.of(tag.split('-', 1)[0] as string) !== undefined
}

/** 'Brazilian Portuguese' of `pt-BR`; a variety without a name of its own has that of its language. */
export function languageName(tag: string): string {
  return names.of(tag) ?? names.of(tag.split('-', 1)[0] as string) ?? tag
}

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
