import { expect, test } from 'vitest'
import { betweenSpellings } from '../../item/searched-text.ts'
import { beginning, inside, Vocabulary, vocabularyOf, whole } from './vocabulary.server.ts'

const letters = [...'abcdeé河鏡']
let seed = 7
const random = (end: number): number => (seed = (seed * 48_271) % 2_147_483_647) % end
const textOf = (length: number): string => Array.from({ length }, () => letters[random(letters.length)]).join('')

/** Enough for an index of runs, and too few for one. */
test.each([6_000, 200])(
  'each of %i words is found by every part of its spellings, and by how well it answers',
  (count) => {
    const words = Array.from({ length: count }, () =>
      Array.from({ length: 1 + random(3) }, () => textOf(1 + random(6))).join(betweenSpellings),
    )
    const columns = vocabularyOf(words)
    expect(columns.grams.length > 0).toBe(count === 6_000)
    const vocabulary = new Vocabulary(columns)
    const fitOf = (word: string, text: string): number => {
      const spellings = word.split(betweenSpellings)
      if (spellings.includes(text)) return whole
      if (spellings.some((spelling) => spelling.startsWith(text))) return beginning
      return spellings.some((spelling) => spelling.includes(text)) ? inside : 0
    }
    for (const text of [...'ae河', ...Array.from({ length: 60 }, () => textOf(1 + random(5)))]) {
      const { words: found, fits } = vocabulary.find(text)
      const expected = words.flatMap((word, i) => (fitOf(word, text) > 0 ? [[i, fitOf(word, text)]] : []))
      expect(
        Array.from(found, (word, i) => [word, fits[i]]),
        text,
      ).toEqual(expected)
      for (const part of [text.slice(0, -1), text.slice(1)])
        if (part !== '')
          expect(vocabulary.find(text, { text: part, words: vocabulary.find(part).words }).words).toEqual(found)
    }
  },
)
