import { expect, test } from 'vitest'
import { wordsOf } from '../item/name-text.ts'
import { rowMarker } from './mark-row.server.ts'

/** A text with brackets around what is marked in it. */
function marked(name: string, query: string): string {
  const { name: marks = [] } = rowMarker(wordsOf(query))({ name })
  let text = ''
  let at = 0
  for (const [place, end] of marks.entries()) {
    text += name.slice(at, end) + (place % 2 === 0 ? '[' : ']')
    at = end
  }
  return text + name.slice(at)
}

test.each([
  ['war', 'War and Peace', '[War] and Peace'],
  ['WAR peace', 'War and Peace, a War', '[War] and [Peace], a [War]'],
  ['ar', 'War and Peace', 'W[ar] and Peace'],
  ['pe eac', 'Peace', '[Peac]e'],
  ['emile', 'Émile Zola — Émile', '[Émile] Zola — [Émile]'],
  ['emile', 'E\u0301mile', '[E\u0301mile]'],
  ['strasse', 'Die Straße', 'Die [Straße]'],
  ['ae', 'Æsop', '[Æ]sop'],
  ['a', 'A Tale: “À” and Æsop, a.', '[A] Tale: “[À]” and Æsop, [a].'],
  ['紅', '紅樓夢', '[紅]樓夢'],
  ['の', '君の名', '君[の]名'],
  ['7', 'Volume 17', 'Volume 1[7]'],
  ['紅樓', '紅樓夢', '[紅樓]夢'],
  ['한', '\u1112\u1161\u11ab글', '[\u1112\u1161\u11ab]글'],
  ['ｗａｒ', 'War', '[War]'],
  ["dog's", 'The Dog’s Life', 'The [Dog’s] Life'],
])('%j marks in %j what was typed', (query, name, wanted) => {
  expect(marked(name, query)).toBe(wanted)
})

test.each([
  ['tolstoy', 'Лев Толстой', 'Лев [Толстой]'],
  ['hong lou meng', '《紅樓夢》', '《[紅樓夢]》'],
  ['honglou', '紅樓夢', '[紅樓夢]'],
  ['dogs', 'The “Dog’s” Life', 'The “[Dog’s]” Life'],
  ['7', 'Volume 007.', 'Volume 00[7].'],
  ['007', 'Volume 7.', 'Volume [7].'],
  ['oslo', 'Øslo', '[Øslo]'],
])('%j marks in %j the whole word, where it is found by another spelling', (query, name, wanted) => {
  expect(marked(name, query)).toBe(wanted)
})

test('marks stand in the title, the other titles and the creators, and nowhere where the word is in none', () => {
  const row = { name: 'Faust', alsoKnownAs: 'Urfaust; Doktor', creators: 'Goethe; Faustina' }
  expect(rowMarker(['faust'])(row)).toEqual({ name: [0, 5], alsoKnownAs: [2, 7], creators: [8, 13] })
  expect(rowMarker(['poetry'])(row)).toEqual({})
})

test('signs of every kind are marked without a fault', () => {
  const signs = ['', ' ', '½ 1⁄2', 'ﷺ', 'İstanbul', '\u0301', '👩‍🚀👩‍🚀', 'ǅ', '\u00ad a\u200db', '…', '``']
  for (const name of signs)
    for (const query of ['a', '1', 'i', "'", '.', '👩', 'صلى', ' '])
      for (const [place, end] of (rowMarker(wordsOf(query))({ name }).name ?? []).entries()) {
        expect(end).toBeGreaterThanOrEqual(place % 2)
        expect(end).toBeLessThanOrEqual(name.length)
      }
})
