/** Whole letters, with their marks, as a reader sees them. */
const graphemes = new Intl.Segmenter('en-US', { granularity: 'grapheme' })

/**
 * The initials of a person without a picture: the first letters of the first and last word of a name, in its own
 * script; one letter for a single word. Scripts that do not separate words, or would join the two letters, have one.
 * @returns empty for a name without a letter or a digit
 */
export function initialsOf(name: string): string {
  const firsts = name
    .split(/\s+/u)
    .map(firstLetter)
    .filter((letter) => letter !== undefined)
  const [first, last] = [firsts[0], firsts.at(-1)]
  if (first === undefined || last === undefined) return ''
  const isOne = firsts.length === 1 || hasOneInitial.test(first) || hasOneInitial.test(last)
  return (isOne ? first : first + last).toLocaleUpperCase('en-US')
}

const hasOneInitial =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}]/u

/** Past quotation marks, brackets and pictures. */
function firstLetter(word: string): string | undefined {
  for (const { segment } of graphemes.segment(word.normalize('NFC'))) if (/[\p{L}\p{N}]/u.test(segment)) return segment
  return undefined
}
