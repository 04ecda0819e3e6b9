import { expect, test } from 'vitest'
import { sequence } from '../../../../tests/harness/sequence.ts'
import { foldText } from '../item/name-text.ts'
import { type Merge, NameIndex } from './name-index.server.ts'
import { mergeSegments, SegmentBuilder } from './name-segment.server.ts'

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
  '三國',
  '三',
  '演義',
  'ねこ',
  'ς',
  '😀',
]
const texts = [
  'the',
  'e',
  'th',
  'wha',
  'hale',
  'ler',
  'cafe',
  '%',
  "'",
  '三',
  '國',
  '三國演',
  'こ',
  'σ',
  '😀',
  'none',
  '7',
  '10',
]

const here: Merge = (segments, homes) => Promise.resolve(mergeSegments(segments, (no, id) => homes[no] === id))

function segmentOf(names: ReadonlyMap<number, string>) {
  const builder = new SegmentBuilder()
  for (const [no, name] of [...names].sort(([a], [b]) => a - b)) builder.add(no, name)
  return builder.finish()
}

test.each([1, 2, 3])(
  'after any changes and merges it finds what a filter over the names finds, from seed %i',
  async (seed) => {
    const random = sequence(seed)
    const below = (end: number) => Math.floor(random() * end)
    const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
    const aName = () =>
      foldText(
        Array.from({ length: 1 + below(4) }, () => (below(5) === 0 ? String(below(200)) : pick(vocabulary))).join(' '),
      )
    const plain = new Map(Array.from({ length: 3_000 }, () => [1 + below(9_000), aName()] as const))
    const index = new NameIndex(here)
    index.load(segmentOf(plain))

    const compare = (): void => {
      for (let round = 0; round < 40; round += 1) {
        const words = [...new Set(Array.from({ length: 1 + below(3) }, () => pick(texts)))]
        const expected = [...plain].flatMap(([no, name]) => (words.every((word) => name.includes(word)) ? [no] : []))
        const { numbers, has } = index.match(words)
        expect(
          [...numbers].sort((a, b) => a - b),
          words.join(' '),
        ).toEqual(expected.sort((a, b) => a - b))
        for (const no of [0, 1, 42, ...expected.slice(0, 5)]) expect(has(no)).toBe(expected.includes(no))
      }
      for (let no = 1; no < 9_000; no += 97) expect(index.nameOf(no)).toBe(plain.get(no))
    }

    compare()
    for (let step = 0; step < 30; step += 1) {
      // Beside small changes some that fill segments, so that these are merged while others come.
      const changes = Array.from({ length: step % 3 === 0 ? 2_500 : below(40) }, () => {
        const no = 1 + below(20_000)
        const folded = below(4) === 0 ? undefined : aName()
        if (folded === undefined) plain.delete(no)
        else plain.set(no, folded)
        return { no, folded }
      })
      index.change(changes)
      if (step % 5 === 0) await index.whenMerged()
      if (step % 4 === 0) compare()
    }
    await index.whenMerged()
    compare()
  },
)

test('a merge that ends after everything was replaced is not used', async () => {
  let finish: () => void = () => undefined
  const waiting = new Promise<void>((resolve) => (finish = resolve))
  const index = new NameIndex(async (...given) => (await waiting, here(...given)))
  index.load(segmentOf(new Map([[1, 'before']])))
  for (let from = 1; from < 14_000; from += 2_000)
    index.change(Array.from({ length: 2_000 }, (_, i) => ({ no: from + i, folded: `before ${from + i}` })))
  index.load(segmentOf(new Map([[1, 'after']])))
  finish()
  await index.whenMerged()
  expect([...index.match(['before']).numbers]).toEqual([])
  expect([...index.match(['after']).numbers]).toEqual([1])
})

test('parts lead to the names that share the rarest, the highest numbers first, without those that are not wanted', () => {
  const index = new NameIndex(here)
  index.load(
    segmentOf(
      new Map([
        [1, 'whale song'],
        [2, 'whale'],
        [3, 'whale'],
        [4, 'song'],
        [5, 'other'],
      ]),
    ),
  )
  const isWanted = (no: number) => no !== 2
  expect(index.sharing(['whal', 'song', 'zzzz'], { maxParts: 12, max: 9, isWanted })).toEqual([4, 1, 3])
  expect(index.sharing(['whal', 'song'], { maxParts: 1, max: 9, isWanted })).toEqual([4, 1])
  expect(index.sharing(['whal', 'song'], { maxParts: 2, max: 2, isWanted })).toEqual([4, 1])
})
