import { expect, test } from 'vitest'
import { sequence } from '../../../../../tests/harness/sequence.ts'
import { WordMarks } from './word-marks.ts'

test('marked words come by how many parts they have, then by the first of these, and no mark stays', () => {
  const random = sequence(3)
  const marks = new WordMarks(500)
  for (const count of [16, 3, 1]) {
    const lists = Array.from({ length: count }, () =>
      Array.from({ length: 500 }, (_, word) => word).filter(() => random() < 0.2),
    )
    marks.mark(lists.map((list) => Uint32Array.from(list)))
    const partsOf = (word: number): number[] => lists.flatMap((list, part) => (list.includes(word) ? [part] : []))
    const expected = Array.from({ length: 500 }, (_, word) => ({ word, parts: partsOf(word) }))
      .filter(({ parts }) => parts.length > 0)
      .sort((a, b) => b.parts.length - a.parts.length || (a.parts[0] as number) - (b.parts[0] as number))
    const found = marks.groups().flatMap(({ part, words }) => Array.from(words, (word) => [word, part]))
    expect(found).toEqual(expected.map(({ word, parts }) => [word, parts[0]]))
    for (const { word, parts } of expected)
      expect(marks.bits[word]).toBe(parts.reduce((bits, part) => bits | (1 << part), 0))
    marks.clear()
    expect(marks.bits.some((bits) => bits !== 0)).toBe(false)
  }
})
