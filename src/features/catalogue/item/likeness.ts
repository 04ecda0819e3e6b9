/** How alike a name is to a text, from 0 to 1. Both are folded. */
export type Likeness = (name: string) => number

/**
 * Compares names with a folded text: the share of the text's padded trigrams that the best-fitting part of a name has
 * too (word similarity), a little lowered by what the name has besides. The trigrams of the text are made once, those
 * of each word of a name once, not again for each part that the word is in: a search compares up to 150 names.
 */
export function likenessTo(text: string): Likeness {
  // Each trigram that was met has a number; those of the text have the lowest.
  const numbers = new Map<string, number>()
  const textWords = text.split(' ')
  for (const word of textWords) trigramsOf(word, numbers)
  const requested = numbers.size
  const trigramsOfWord = new Map<string, number[]>()
  /** The part of a name in which each trigram was counted last, so that it counts once in a part. */
  const countedIn: number[] = []
  let part = 0

  return (name) => {
    const words = name.split(' ').map((word) => {
      const known = trigramsOfWord.get(word) ?? trigramsOf(word, numbers)
      trigramsOfWord.set(word, known)
      return known
    })
    if (!words.some((trigrams) => trigrams.some((trigram) => trigram < requested))) return 0
    let size = 0
    let shared = 0
    const begin = (): void => {
      part += 1
      size = 0
      shared = 0
    }
    const add = (trigrams: readonly number[]): void => {
      for (const trigram of trigrams) {
        if (countedIn[trigram] === part) continue
        countedIn[trigram] = part
        size += 1
        if (trigram < requested) shared += 1
      }
    }
    let best = 0
    for (let start = 0; start < words.length; start += 1) {
      begin()
      const end = start + textWords.length
      for (let i = start; i < end && i < words.length; i += 1) add(words[i] as number[])
      best = Math.max(best, (2 * shared) / (requested + size))
      const further = words[end]
      if (further === undefined) continue
      add(further)
      best = Math.max(best, (2 * shared) / (requested + size))
    }
    begin()
    for (const trigrams of words) add(trigrams)
    return best * 0.9 + (shared / Math.max(requested, size)) * 0.1
  }
}

/** The numbers of a word's trigrams, with two spaces before it and one behind it. */
function trigramsOf(word: string, numbers: Map<string, number>): number[] {
  const found: number[] = []
  if (word === '') return found
  const characters = hasPairs.test(word) ? [' ', ' ', ...word, ' '] : `  ${word} `
  for (let i = 0; i + 2 < characters.length; i += 1) {
    const trigram =
      typeof characters === 'string'
        ? characters.slice(i, i + 3)
        : `${characters[i]}${characters[i + 1]}${characters[i + 2]}`
    let number = numbers.get(trigram)
    if (number === undefined) {
      number = numbers.size
      numbers.set(trigram, number)
    }
    found.push(number)
  }
  return found
}

/** Characters of two UTF-16 units. */
const hasPairs = /[\uD800-\uDFFF]/
