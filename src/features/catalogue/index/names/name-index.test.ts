import { expect, test } from 'vitest'
import { sequence } from '../../../../../tests/harness/sequence.ts'
import { foldText, wordsOf } from '../../item/name-text.ts'
import { searchedText } from '../../item/searched-text.ts'
import { didYouMean } from './did-you-mean.server.ts'
import { type Merge, NameIndex } from './name-index.server.ts'
import { mergeSegments, SegmentBuilder } from './name-segment.server.ts'
import { pageByFit } from './rank-by-fit.server.ts'

/* The index is compared with the plainest one there is: a filter and a sort over a list. */

interface Work {
  name: string
  alsoKnownAs: string[]
  creators: string[]
}

const vocabulary = [
  'the',
  'thee',
  'The',
  'a',
  'Whale',
  'whaler',
  'Café',
  '100%',
  "L'été",
  'Vol.',
  '三國',
  '三',
  '演義',
  'ねこ',
  'ς',
  '😀',
  'Толстой',
]
const texts = [
  'the',
  'THE',
  'e',
  'th',
  'wha',
  'whale',
  'ler',
  'cafe',
  '%',
  "'",
  'lete',
  '三',
  '國',
  '三國演',
  'san',
  'こ',
  'neko',
  'σ',
  '😀',
  'tolstoy',
  'none',
  '7',
  '007',
  '10',
]

const here: Merge = (segments, homes) => Promise.resolve(mergeSegments(segments, (no, id) => homes[no] === id))

function segmentOf(texts: ReadonlyMap<number, string>) {
  const builder = new SegmentBuilder()
  for (const [no, text] of [...texts].sort(([a], [b]) => a - b)) builder.add(no, text)
  return builder.finish()
}

/** A title that is searched alone. */
const titled = (name: string): string => searchedText({ name })

/** The words of a stored text with their spellings, whether they are of the title, and whether of any title. */
function wordsIn(searched: string): { spellings: string[]; isOfTitle: boolean; isOfNames: boolean }[] {
  return searched.split('\x1f').flatMap((part, place) =>
    part
      .split(' ')
      .filter(Boolean)
      .map((word) => ({ spellings: word.split('\x1d'), isOfTitle: place === 0, isOfNames: place <= 1 })),
  )
}

/** As docs/spec/search.md#fit says it: the lower, the better; undefined where it is no match. */
function plainRank(searched: string, text: string): number[] | undefined {
  const words = wordsIn(searched)
  const answers = wordsOf(text).map(
    (requested) =>
      words
        .map(({ spellings, isOfNames }) => {
          const fits = spellings.map((each) =>
            each === requested ? 3 : each.startsWith(requested) ? 2 : each.includes(requested) ? 1 : 0,
          )
          return { fit: Math.max(...fits), isOfNames }
        })
        .sort((a, b) => b.fit - a.fit || Number(b.isOfNames) - Number(a.isOfNames))[0],
  )
  if (answers.some((answer) => answer === undefined || answer.fit === 0)) return undefined
  const fit = Math.min(...answers.map((answer) => answer?.fit ?? 0))
  const isOfNames = answers.every((answer) => answer?.isOfNames)
  const title = words.filter((word) => word.isOfTitle).map(({ spellings }) => spellings[0])
  const withoutThe = (each: string) => each.replace(/^(the|a) /, '')
  const isTitle = fit === 3 && isOfNames && withoutThe(title.join(' ')) === withoutThe(foldText(text))
  return [-fit, isTitle ? 0 : 1, isOfNames ? 0 : 1, Math.max(0, title.length - (isOfNames ? answers.length : 0))]
}

test.each([1, 2, 3])(
  'after any changes and merges it finds and ranks as a filter and a sort do, from seed %i',
  async (seed) => {
    const random = sequence(seed)
    const below = (end: number) => Math.floor(random() * end)
    const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
    const some = (count: number) =>
      Array.from({ length: count }, () => (below(5) === 0 ? `0${below(200)}` : pick(vocabulary))).join(' ')
    const someOf = (most: number) => Array.from({ length: below(most + 1) }, () => some(1 + below(2)))
    const aWork = (): Work => ({ name: some(1 + below(4)), alsoKnownAs: someOf(1), creators: someOf(2) })
    const plain = new Map(Array.from({ length: 2_000 }, () => [1 + below(5_000), searchedText(aWork())] as const))
    const index = new NameIndex(here)
    index.load(segmentOf(plain))

    const compare = (): void => {
      for (let round = 0; round < 12; round += 1) {
        const text = Array.from({ length: 1 + below(3) }, () => pick(texts)).join(' ')
        const words = wordsOf(text)
        const ranked = [...plain].flatMap(([no, searched]) => {
          const rank = plainRank(searched, text)
          return rank === undefined ? [] : [{ no, rank }]
        })
        const matches = index.match(words, true)
        expect(
          [...matches.numbers].sort((a, b) => a - b),
          text,
        ).toEqual(ranked.map(({ no }) => no).sort((a, b) => a - b))
        for (const no of [0, 1, 42, ...ranked.slice(0, 5).map((each) => each.no)])
          expect(matches.has(no)).toBe(ranked.some((each) => each.no === no))
        // In place of the listing: the highest number is the newest.
        const page = { skip: below(ranked.length + 1), limit: 50 }
        const isFew = round % 2 === 0
        const items = isFew ? matches.someRanked(matches.numbers) : matches
        const found = pageByFit(index, items, { text: foldText(text), words }, page, (items, { skip, limit }) => {
          expect(items.numbers.every((no) => items.has(no))).toBe(true)
          return [...items.numbers].sort((a, b) => b - a).slice(skip, skip + limit)
        })
        const better = (a: number[], b: number[]): number =>
          a.map((each, i) => each - (b[i] as number)).find((each) => each !== 0) ?? 0
        const expected = ranked.sort((a, b) => better(a.rank, b.rank) || b.no - a.no).map(({ no }) => no)
        expect(found, text).toEqual(expected.slice(page.skip, page.skip + page.limit))
      }
      for (let no = 1; no < 5_000; no += 97) expect(index.textOf(no)).toBe(plain.get(no))
      const parts = ['wha', 'ler', '三', 'tol', 'th', '%']
      const isWanted = (no: number): boolean => no % 3 > 0
      const counts = new Map(
        [...plain].map(([no, searched]) => [no, parts.filter((part) => searched.includes(part)).length] as const),
      )
      const expected = [...counts].filter(([no, count]) => count > 0 && isWanted(no)).map(([no]) => no)
      for (const max of [5_000, 300]) {
        const sharing = index.sharing(parts, { maxParts: 12, max, isWanted })
        expect(sharing.every(({ no, count }) => isWanted(no) && count === counts.get(no))).toBe(true)
        expect(new Set(sharing.map(({ no }) => no)).size).toBe(Math.min(max, expected.length))
      }
    }

    compare()
    for (let step = 0; step < 40; step += 1) {
      // Beside small changes some that make segments, so that these are merged while others come.
      const changes = Array.from({ length: step % 2 === 0 ? 600 : below(40) }, () => {
        const no = 1 + below(6_000)
        const searched = below(4) === 0 ? undefined : searchedText(aWork())
        if (searched === undefined) plain.delete(no)
        else plain.set(no, searched)
        return { no, searched }
      })
      index.change(changes)
      if (step % 5 === 0) await index.whenMerged()
      if (step % 4 === 0) compare()
    }
    await index.whenMerged()
    compare()
  },
)

test('without any merge that succeeds it has every text all the same', () => {
  const index = new NameIndex(() => Promise.resolve(undefined))
  index.load(segmentOf(new Map([[1, titled('first')]])))
  const count = 512
  for (let step = 0; step < 300; step += 1)
    index.change(
      Array.from({ length: count }, (_, i) => ({ no: 2 + i + (step % 2), searched: titled(`step ${step}`) })),
    )
  expect(index.match(['first']).numbers).toHaveLength(1)
  expect(index.match(['step']).numbers).toHaveLength(count + 1)
  expect(index.match(['299']).numbers).toHaveLength(count)
  expect(index.match(['298']).numbers).toHaveLength(1)
})

test('a merge that ends after everything was replaced is not used', async () => {
  let finish: () => void = () => undefined
  const waiting = new Promise<void>((resolve) => (finish = resolve))
  const index = new NameIndex(async (...given) => (await waiting, here(...given)))
  index.load(segmentOf(new Map([[1, titled('before')]])))
  for (let from = 1; from < 6_000; from += 600)
    index.change(Array.from({ length: 600 }, (_, i) => ({ no: from + i, searched: titled(`before ${from + i}`) })))
  index.load(segmentOf(new Map([[1, titled('after')]])))
  finish()
  await index.whenMerged()
  expect([...index.match(['before']).numbers]).toEqual([])
  expect([...index.match(['after']).numbers]).toEqual([1])
})

test('parts lead to the items that share the rarest, the highest numbers first, without those that are not wanted', () => {
  const index = new NameIndex(here)
  const names = ['whale song', 'whale', 'whale', 'song', 'other']
  index.load(segmentOf(new Map(names.map((name, i) => [i + 1, titled(name)]))))
  const isWanted = (no: number) => no !== 2
  const sharing = (parts: string[], maxParts: number, max: number) =>
    index.sharing(parts, { maxParts, max, isWanted }).map(({ no, count }) => [no, count])
  expect(sharing(['whal', 'song', 'zzzz'], 12, 9)).toEqual([
    [4, 1],
    [1, 2],
    [3, 1],
  ])
  expect(sharing(['whal', 'song'], 1, 9)).toEqual([
    [4, 1],
    [1, 1],
  ])
  expect(sharing(['whal', 'song'], 2, 2)).toEqual([
    [4, 1],
    [1, 2],
  ])
})

test('many items are counted as few are, up to a limit, those alone that are wanted', () => {
  const index = new NameIndex(here)
  const count = 12_000
  index.load(
    segmentOf(new Map(Array.from({ length: count }, (_, i) => [i + 1, titled(i % 3 === 0 ? 'whale song' : 'whale')]))),
  )
  for (const last of [900, count]) {
    const isWanted = (no: number) => no % 2 === 0 && no <= last
    expect(index.count(['whale'], isWanted)).toBe(last / 2)
    expect(index.count(['song', 'whale'], isWanted)).toBe(last / 6)
    expect(index.count(['ong', 'w'], isWanted)).toBe(last / 6)
  }
  const isLate = (no: number) => no > 2_000
  expect(index.count(['whale'], isLate, 1)).toBe(1)
  expect(index.count(['whale'], isLate, 5)).toBe(5)
  expect(index.count(['whale'], () => false, 1)).toBe(0)
})

test.each([
  ['shakespere', [['shakespeare', 2]]],
  [
    'shakespere sonets',
    [
      ['shakespeare sonnets', 1],
      ['shakespeare sonnet', 1],
    ],
  ],
  ['macbeth sonnets', []],
  ['machbeth', [['macbeth', 1]]],
  // Both are there, but not together.
  ['petrarca sonnets', [['petrarca sonnet', 1]]],
  ['zzzz', []],
])('in place of %s it offers %j', (text, expected) => {
  const index = new NameIndex(here)
  const works = ['Sonnets; Shakespeare', 'Macbeth; Shakespeare', 'A sonnet; Petrarca']
  const searched = works
    .map((work) => work.split('; '))
    .map(([name = '', ...creators]) => searchedText({ name, creators }))
  index.load(segmentOf(new Map(searched.map((each, i) => [i + 1, each]))))
  const suggestions = didYouMean(index, text, () => true)
  expect(suggestions.map((each) => [each.text, each.count])).toEqual(expected)
})

test('a word is offered though many longer ones have as many of the parts of what was typed', () => {
  const index = new NameIndex(here)
  const longer = Array.from(
    { length: 300 },
    (_, i) => `${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}mberland`,
  )
  index.load(segmentOf(new Map([...longer, 'Treasure Island'].map((name, i) => [i + 1, titled(name)]))))
  const offered = didYouMean(index, 'treasure iland', () => true)
  expect(offered).toEqual([{ text: 'treasure island', count: 1 }])
})

test('what is hidden from a caller changes nothing in what they are offered', () => {
  const shown = ['Sonnets', 'Macbeth night', 'A sonnet of the night']
  const hidden = ['Sonetts', 'Sonnett', 'Sonneta nights', 'Nigth', 'Macbet', 'Sonets']
  const offered = (names: string[], text: string) => {
    const index = new NameIndex(here)
    index.load(segmentOf(new Map(names.map((name, i) => [i + 1, titled(name)]))))
    return didYouMean(index, text, (no) => no <= shown.length)
  }
  for (const text of ['sonets', 'nigth', 'sonets nigth', 'macbet nigth', 'sonneta night'])
    expect(offered([...shown, ...hidden], text), text).toEqual(offered(shown, text))
  expect(offered(shown, 'nigth')).toEqual([{ text: 'night', count: 2 }])
})
