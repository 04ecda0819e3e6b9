/* A name or address can look like another one by a letter of another script: the Cyrillic а in "Jаne". A word of
   several scripts is marked where administrators read names (docs/spec/accounts.md#mixed-scripts). No library does
   this (UTS 39, 5.1), so the scripts come from the engine's Unicode data. */

/** The scripts that living languages are written in (UAX 31, tables 5 and 7); letters of any other count as one more. */
const scripts = [
  'Latin', 'Cyrillic', 'Greek', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Arabic', 'Hebrew', 'Armenian',
  'Georgian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam',
  'Sinhala', 'Thai', 'Lao', 'Tibetan', 'Myanmar', 'Khmer', 'Ethiopic', 'Thaana', 'Cherokee', 'Canadian_Aboriginal',
  'Mongolian', 'Syriac', 'Nko', 'Tifinagh', 'Vai', 'Yi', 'Lisu', 'Adlam', 'Javanese', 'Balinese', 'Coptic',
] as const // prettier-ignore

const ofScript = scripts.map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }))

/** Scripts that one language uses together ("highly restrictive" in UTS 39, 5.2). */
const together = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

/**
 * The scripts that one word of a name or address mixes, by their English names; undefined where each word keeps to the
 * scripts of one language. Words of different scripts beside each other are an honest name.
 */
export function mixedScriptsOf(text: string): readonly string[] | undefined {
  // Nearly all.
  if (/^[\p{Script=Latin}\P{L}]*$/u.test(text)) return undefined
  for (const word of text.split(/[^\p{L}\p{M}\p{N}\u200C\u200D]+/u)) {
    const found = [...new Set(Array.from(word).flatMap(scriptOf))]
    const isOfOne = found.length < 2 || together.some((language) => found.every((name) => language.includes(name)))
    if (!isOfOne) return found
  }
  return undefined
}

function scriptOf(character: string): string[] {
  if (!/\p{L}/u.test(character) || /[\p{Script=Common}\p{Script=Inherited}]/u.test(character)) return []
  return [ofScript.find(({ letter }) => letter.test(character))?.name.replace('_', ' ') ?? 'other']
}
