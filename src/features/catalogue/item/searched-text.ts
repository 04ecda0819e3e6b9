import anyAscii from 'any-ascii'
import type { Item } from './item.ts'
import { foldText } from './name-text.ts'

/** Between the spellings of a word; no name has it. */
export const betweenSpellings = '\x1d'
/** Between the title, the other titles and what else is searched. */
export const betweenParts = '\x1f'

/**
 * The text in which an item is looked for (docs/spec/search.md#text), as it is stored: folded words in three parts. These are the
 * title; the other titles; creators, series and tags. Other spellings of a word stand behind it.
 */
export function searchedText({
  name,
  alsoKnownAs = [],
  creators = [],
  series = null,
  tags = [],
}: SearchedItem): string {
  const others = [...creators, ...(series === null ? [] : [series]), ...tags]
  return [[name], alsoKnownAs, others].map((texts) => texts.map(wordsWithSpellings).join(' ')).join(betweenParts)
}

interface SearchedItem
  extends Pick<Item, 'name'>, Partial<Pick<Item, 'alsoKnownAs' | 'creators' | 'series' | 'tags'>> {}

function wordsWithSpellings(text: string): string {
  return text
    .split(/\s+/u)
    .flatMap((word) => {
      const folded = foldText(word)
      if (plain.test(folded)) return [folded]
      // A sign may fold into a space.
      const words = folded.split(' ').filter(Boolean)
      return words.length === 1 ? [[folded, ...spellingsOf(word, folded)].join(betweenSpellings)] : words
    })
    .join(' ')
}

/** A word that is written in one way. */
const plain = /^(?:[a-z]+|[1-9][0-9]{2,})$/
/** The spellings of words on pages: a few thousand are on most of them. A megabyte or two. */
const knownSpellings = new Map<string, readonly string[]>()
const maxKnown = 10_000

/** A word as it is found: folded, and its other spellings. */
export function spellingsOfWord(word: string): readonly string[] {
  const known = knownSpellings.get(word)
  if (known !== undefined) return known
  const folded = foldText(word)
  if (plain.test(folded)) return [folded]
  const spellings = [folded, ...spellingsOf(word, folded)]
  if (knownSpellings.size >= maxKnown) knownSpellings.clear()
  knownSpellings.set(word, spellings)
  return spellings
}

/** Without punctuation and an English genitive, in Latin letters as slugs have them, and its numbers. */
function spellingsOf(word: string, folded: string): string[] {
  const bare = folded.replace(/[^\p{L}\p{M}\p{N}]/gu, '')
  const latin = anyAscii(word.normalize('NFC'))
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  const numbers = Array.from(folded.matchAll(/[0-9]+/g), ([digits]) => spellingsOfNumber(digits)).flat()
  const [owner = ''] = /^[\p{L}-]+(?='s\P{L}*$)/u.exec(folded) ?? []
  const spellings = new Set([bare, owner, latin, ...numbers])
  spellings.delete(folded)
  spellings.delete('')
  return [...spellings]
}

/** Without zeros before it, and with as many as make two and three digits: 7 is found by 07 and 007. */
function spellingsOfNumber(digits: string): string[] {
  const number = digits.replace(/^0+(?=.)/, '')
  return [number, number.padStart(2, '0'), number.padStart(3, '0')]
}

/** The folded title of a stored text or of its first part, each word in its own spelling. */
export function titleIn(searched: string): string {
  return ownSpellings(searched.split(betweenParts, 1)[0] as string)
}

function ownSpellings(words: string): string {
  return words.replace(/\x1d[^ ]*/g, '')
}
