/**
 * Names as the search sees them (docs/spec/search.md#text): one folding for what is stored and what is
 * asked, in every script, so that the database needs neither a collation nor an extension to agree with us.
 */

/** Letters that Unicode does not decompose, though readers take them for a plain letter with an accent. */
const plainLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
  ſ: 's',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '`': "'",
  '´': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '−': '-',
}
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')

/**
 * Accents and optional vowel points: Latin, Greek and Cyrillic marks, Hebrew points, Arabic vowel signs and the
 * Arabic elongation. Marks that make another letter (Devanagari vowels, Japanese voicing, Thai tones) stay.
 */
const accents =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]/gu
/**
 * Soft hyphens, joiners, direction marks, variation selectors, tags, fillers: nobody sees them, and nobody types them
 * into a search box.
 */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** Most texts: nothing but their case is folded. */
const simple = /^[!-_a-~]+(?: [!-_a-~]+)*$/

/** A name or a query without case, accents, width, invisible characters and doubled spaces. */
export function foldText(text: string): string {
  if (simple.test(text)) return text.toLowerCase()
  return (
    text
      .normalize('NFKD')
      .replace(accents, '')
      .replace(invisible, '')
      .normalize('NFC')
      .toLowerCase()
      // Lower-casing may bring a mark of its own: İ becomes i and a dot above.
      .replace(accents, '')
      .replace(plainLetter, (letter) => plainLetters[letter] ?? letter)
      .replace(/\s+/gu, ' ')
      .trim()
  )
}

/** The words of a query, folded, each once. Numbers lose zeros that no name is searched with (`searchedText`). */
export function wordsOf(query: string): string[] {
  const words = foldText(query)
    .split(' ')
    .map((word) => (/^0[0-9]{3,}$/.test(word) ? word.replace(/^0+(?=[0-9]{3})/, '') : word))
  return [...new Set(words)].filter((word) => word !== '')
}

/** Words, folded, that a title may be without. */
export const articles = 'the a an le la les un une der die das ein eine el los las il lo gli o os as'.split(
  ' ',
) as readonly string[]

/** Scripts whose words are short and stand without spaces between them: one and two characters must be found. */
export const denseScript = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々〆ヵヶー]$/u

/** In characters. */
const longestShortWord = 8

/**
 * The parts of a folded text that a slightly misspelt name still has: runs of four characters, of short words also three, and
 * two in scripts whose words are short.
 */
export function partsOfText(folded: string): string[] {
  const parts = new Set<string>()
  for (const word of folded.split(' ')) {
    const characters = [...word]
    for (let i = 0; i + 1 < characters.length; i += 1) {
      const isDense = denseScript.test(characters[i] as string) && denseScript.test(characters[i + 1] as string)
      // A slip of the hand in a short word leaves no run of four.
      const lengths = isDense ? [2] : characters.length <= longestShortWord ? [3, 4] : [4]
      for (const length of lengths)
        if (i + length <= characters.length) parts.add(characters.slice(i, i + length).join(''))
    }
  }
  return [...parts]
}

/** Some of many, from the first to the last. */
export function evenly<T>(all: readonly T[], max: number): T[] {
  const step = Math.max(1, all.length / max)
  return all.filter((_, place) => Math.floor(place % step) === 0).slice(0, max)
}

/** A folded word as a LIKE pattern that finds it anywhere; `%`, `_` and `\` in it are ordinary characters. */
export function likeAnywhere(word: string): string {
  return `%${word.replace(/[\\%_]/g, String.raw`\$&`)}%`
}
