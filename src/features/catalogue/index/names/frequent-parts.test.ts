import { expect, test } from 'vitest'
import { sequence } from '../../../../../tests/harness/sequence.ts'
import { searchedText } from '../../item/searched-text.ts'
import { frequentPartsOf } from './frequent-parts.server.ts'
import { NameIndex } from './name-index.server.ts'
import { SegmentBuilder } from './name-segment.server.ts'
import { pageByFit } from './rank-by-fit.server.ts'
import { beginning, inside, whole } from './vocabulary.server.ts'

test('sets that stand ready change no answer, after any changes', () => {
  const random = sequence(64)
  const below = (end: number) => Math.floor(random() * end)
  const syllables = ['ba', 'cor', 'den', 'or', 'ron', 'пе', 'сня', '三', '國', "o'", '7']
  const word = () => Array.from({ length: 1 + below(4) }, () => syllables[below(syllables.length)]).join('')
  const text = () =>
    searchedText({
      name: `${word()} ${word()} ${below(9_999)}`,
      creators: below(2) === 0 ? [] : [`${word()} ${word()}`],
    })
  const builder = new SegmentBuilder()
  for (let no = 2; no < 9_000; no += 1 + below(3)) builder.add(no, text())
  const columns = builder.finish()
  const sets = frequentPartsOf(columns, 1)
  expect([columns.frequentParts.length, sets.frequentParts.length]).toEqual([0, 64])
  const indexes = [columns, { ...columns, ...sets }].map((each) => {
    const index = new NameIndex(() => Promise.resolve(undefined))
    index.load(each)
    return index
  })
  const answersOf = (index: NameIndex, words: string[], skip: number) => {
    const numbers = (isRanked: boolean) => [...index.match(words, isRanked).numbers]
    const ranked = index.match(words, true)
    const isFew = skip % 2 === 0
    const items = isFew ? ranked.someRanked(ranked.numbers) : ranked
    const page = pageByFit(index, items, { text: words.join(' '), words }, { skip, limit: 30 }, (some, part) =>
      [...some.numbers].sort((a, b) => b - a).slice(part.skip, part.skip + part.limit),
    )
    const classes = [inside, whole, beginning].map((fit) => [...ranked.ofClass({ fit, isInTitle: true })])
    return { all: numbers(false), ranked: numbers(true), page, classes, count: index.count(words, (no) => no % 3 > 0) }
  }
  for (let step = 0; step < 12; step += 1) {
    for (const requested of ['o', '7', 'or', 'co', 'cor', 'ron', 'п', '三', "o'", 'ba den', 'r or', 'cordenba', 'z']) {
      const [plain, ready] = indexes.map((index) => answersOf(index, requested.split(' '), step * 17))
      expect(ready, requested).toEqual(plain)
    }
    const changes = Array.from({ length: 60 }, () => ({
      no: 1 + below(9_500),
      searched: below(4) === 0 ? undefined : text(),
    }))
    for (const index of indexes) index.change(changes)
  }
})
