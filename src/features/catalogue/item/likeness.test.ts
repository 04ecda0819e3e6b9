import { describe, expect, test } from 'vitest'
import { likenessTo } from './likeness.ts'
import { foldText } from './name-text.ts'

const names = [
  'The Picture of Dorian Gray',
  'Łódź — źródło książka',
  'Война и мир: ёлка',
  '紅樓夢 第1回',
  'ラーメン ﾗｰﾒﾝ ガラス',
  '춘향전 이야기',
  'רִسَالَةُ الغُفْرَان',
  '100% of_it\\all “quoted” №42',
  'a bb ccc 𠮷野家 😀 emoji',
  'banana banana ana nan banana',
  'the the of the',
].map(foldText)

/** The rule word for word: all trigrams of the text, of each part of the name and of the whole name made anew. */
function likenessByTheRule(query: string, name: string): number {
  const requested = trigrams(query)
  if (requested.size === 0) return 0
  const words = name.split(' ')
  const length = query.split(' ').length
  let best = 0
  for (let start = 0; start < words.length; start += 1) {
    for (const size of [length, length + 1]) {
      if (size > length && start + size > words.length) continue
      const part = trigrams(words.slice(start, start + size).join(' '))
      let shared = 0
      for (const trigram of requested) if (part.has(trigram)) shared += 1
      best = Math.max(best, (2 * shared) / (requested.size + part.size))
    }
  }
  const whole = trigrams(name)
  let shared = 0
  for (const trigram of requested) if (whole.has(trigram)) shared += 1
  return best * 0.9 + (shared / Math.max(requested.size, whole.size)) * 0.1
}

function trigrams(text: string): Set<string> {
  const found = new Set<string>()
  for (const word of text.split(' ')) {
    if (word === '') continue
    const characters = [' ', ' ', ...word, ' ']
    for (let i = 0; i + 2 < characters.length; i += 1) {
      found.add(`${characters[i]}${characters[i + 1]}${characters[i + 2]}`)
    }
  }
  return found
}

/** Texts of few letters, with pairs, halves of pairs and spaces beside each other: many trigrams are shared. */
function someTexts(count: number): string[] {
  let state = 20_031
  const below = (max: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % max
  }
  const letters = ['a', 'a', 'b', 'b', 'c', ' ', ' ', '紅', '樓', '𠮷', '😀', '\uD83D', '\uDE00']
  return Array.from({ length: count }, () =>
    Array.from({ length: below(24) }, () => letters[below(letters.length)]).join(''),
  )
}

describe('likeness', () => {
  test.each([
    ['dorain gray', 'the picture of dorian gray', 'the history of grammar'],
    ['pictrue', 'the picture of dorian gray', 'the pickle'],
    ['война и мри', 'война и мир', 'мертвые души'],
    ['紅樓孟', '紅樓夢', '西遊記'],
    ['shakespere', 'shakespeare sonnets', 'shaken'],
  ])('of "%s" is greater with "%s" than with "%s"', (text, near, far) => {
    const likenessOf = likenessTo(text)
    expect(likenessOf(near)).toBeGreaterThan(likenessOf(far))
  })

  test('is 1 with itself, lies between 0 and 1, and is what the rule says', () => {
    for (const text of names) {
      const likenessOf = likenessTo(text)
      expect(likenessOf(text)).toBeCloseTo(1)
      for (const name of names) {
        const likeness = likenessOf(name)
        expect(likeness).toBeGreaterThanOrEqual(0)
        expect(likeness).toBeLessThanOrEqual(1)
        expect(likeness).toBe(likenessByTheRule(text, name))
      }
    }
  })

  test('is what the rule says for any text and any name, whatever it was compared with before', () => {
    const texts = someTexts(400)
    for (const text of texts.slice(0, 60)) {
      const likenessOf = likenessTo(text)
      for (const name of texts) expect(likenessOf(name)).toBe(likenessByTheRule(text, name))
    }
  })
})
