/**
 * The longest name of an item in characters, and so the longest text that a search takes: an item is found by its own
 * whole name.
 */
export const longestName = 300

/** How long a text is, in characters as the database counts them: composed, whatever takes two units of UTF-16 as one. */
export function charactersIn(text: string): number {
  return [...text.normalize('NFC')].length
}
