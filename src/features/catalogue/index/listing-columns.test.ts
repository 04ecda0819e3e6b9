import { describe, expect, test } from 'vitest'
import type { FacetMask } from '../item/facets.ts'
import type { ListedItem } from './item-columns.ts'
import { ListingColumns, type ItemRange } from './listing-columns.ts'
import { numberSetOf } from './names/item-set.ts'

/** The same promises, kept the slow and obvious way. */
class NaiveListing {
  items: ListedItem[] = []

  change(removed: number[], added: ListedItem[]): void {
    const gone = new Set([...removed, ...added.map((item) => item.no)])
    this.items = this.items
      .filter((item) => !gone.has(item.no))
      .concat(added)
      .sort((a, b) => a.postedAt - b.postedAt || a.createdAt - b.createdAt || a.no - b.no)
  }

  range(fromInstant: number, toInstant: number): ItemRange {
    const from = this.items.filter((item) => item.postedAt < fromInstant).length
    return { from, to: Math.max(from, this.items.filter((item) => item.postedAt < toInstant).length) }
  }

  matches({ from, to }: ItemRange, { mask, value, otherValue }: FacetMask, ascending: boolean): number[] {
    const itemNumbers = this.items
      .slice(from, to)
      .filter((item) => [value, otherValue].includes(item.facets & mask))
      .map((item) => item.no)
    return ascending ? itemNumbers : itemNumbers.reverse()
  }
}

/** A repeatable source of numbers from 0 (inclusive) to `end` (exclusive). */
function seeded(seed: number): (end: number) => number {
  let state = seed
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * end)
  }
}

/** More sets than two bytes tell apart. */
const setOf = (no: number): number => (no * 7_919) % 70_000
/** So are these months. */
const monthOf = (instant: number): number => (instant * 13) % 80_000

/** Few instants and few facets, so that ties and crowded filters are the rule. */
function anItem(random: (end: number) => number, no = 1 + random(4_000)): ListedItem {
  return {
    no,
    postedAt: random(60) * 1_000,
    createdAt: random(3),
    facets: random(4) | (random(3) << 6) | (random(5) << 30),
  }
}

function aMask(random: (end: number) => number): FacetMask {
  const mask = (random(2) === 0 ? 0 : 0b11) | (random(2) === 0 ? 0 : 0b1111 << 6) | (random(4) === 0 ? 0b11 << 30 : 0)
  const aValue = (): number => (random(4) | (random(3) << 6) | (random(4) << 30)) & mask
  const value = aValue()
  return { mask, value, otherValue: random(3) === 0 ? aValue() : value }
}

function load(columns: ListingColumns, items: ListedItem[]): void {
  columns.load({
    no: Int32Array.from(items, (item) => item.no),
    postedAt: Float64Array.from(items, (item) => item.postedAt),
    createdAt: Float64Array.from(items, (item) => item.createdAt),
    facets: Int32Array.from(items, (item) => item.facets),
  })
}

/** Puts the same questions to both. */
function compare(columns: ListingColumns, naive: NaiveListing, random: (end: number) => number): void {
  expect(columns.length).toBe(naive.items.length)
  const { kinds, sets } = columns.inOrder
  const facets = Array.from(kinds.subarray(0, columns.length), (kind) => columns.kinds.facets[kind])
  expect(facets).toEqual(naive.items.map((item) => item.facets))
  const { months } = columns.byItem
  expect(naive.items.map(({ no }) => months[no])).toEqual(naive.items.map(({ postedAt }) => monthOf(postedAt)))
  expect([...sets.subarray(0, columns.length)]).toEqual(naive.items.map(({ no }) => setOf(no)))
  for (let query = 0; query < 12; query += 1) {
    const [from, to] = [random(70) * 1_000 - 3_000, random(70) * 1_000 - 3_000]
    const range = query % 3 === 0 ? naive.range(-Infinity, Infinity) : naive.range(from, to)
    expect(columns.range(query % 3 === 0 ? -Infinity : from, query % 3 === 0 ? Infinity : to)).toEqual(range)
    const facetMask = aMask(random)
    const ascending = random(2) === 0
    const all = naive.matches(range, facetMask, ascending)
    expect(columns.count(range, facetMask)).toBe(all.length)

    const skip = random(all.length + 20)
    const limit = 1 + random(40)
    expect(columns.page(range, facetMask, ascending, skip, limit)).toEqual(all.slice(skip, skip + limit))

    const { no = -1 } = naive.items[random(naive.items.length)] ?? {}
    const upwards = naive.matches(range, facetMask, true)
    const position = (each: number): number => naive.items.findIndex((item) => item.no === each)
    if (no !== -1)
      expect(columns.around(no, range, facetMask)).toEqual({
        older: upwards.findLast((each) => position(each) < position(no)),
        newer: upwards.find((each) => position(each) > position(no)),
      })

    // Few items and nearly all take different ways.
    const share = random(2) === 0 ? 0.01 : 0.97
    const among = new Set(Array.from({ length: 5_000 }, (_, no) => no).filter(() => random(1_000) < share * 1_000))
    const chosen = all.filter((no) => among.has(no))
    const selected = columns.select(Int32Array.from(among), range, facetMask)
    expect(new Set(selected)).toEqual(new Set(chosen))
    expect(columns.pageOf(numberSetOf(selected), { ascending, skip, limit })).toEqual(chosen.slice(skip, skip + limit))

    const before = naive.matches({ from: 0, to: range.to }, facetMask, true)
    const set = columns.setBefore(range.to, facetMask)
    expect([...set.numbers(new Int32Array(columns.capacity))]).toEqual(before.sort((a, b) => a - b))
  }
}

describe('the listing columns agree with a plain list', () => {
  test.each([1, 2, 3, 4, 5, 6])('after any changes, from seed %i', (seed) => {
    const random = seeded(seed)
    const columns = new ListingColumns(setOf, monthOf)
    const naive = new NaiveListing()
    for (let round = 0; round < 25; round += 1) {
      // Few changes at once and many take different ways.
      const size = round % 4 === 3 ? 300 + random(600) : random(20)
      const added = new Map<number, ListedItem>()
      for (let i = 0; i < size; i += 1) {
        const item = anItem(random)
        added.set(item.no, item)
      }
      // Some that are listed, some that are not, some that come back at once.
      const removed = [...new Set(Array.from({ length: random(size + 5) }, () => 1 + random(4_000)))]
      columns.change(removed, [...added.values()])
      naive.change(removed, [...added.values()])
      compare(columns, naive, random)
    }
  })

  test('after a load over what was there before', () => {
    const random = seeded(99)
    const columns = new ListingColumns(setOf, monthOf)
    for (const size of [3_000, 50, 0, 2_000]) {
      const naive = new NaiveListing()
      naive.change(
        [],
        Array.from({ length: size }, (_, i) => anItem(random, i + 1)),
      )
      load(columns, naive.items)
      compare(columns, naive, random)
      const [change, gone] = [anItem(random, 7_000), 25]
      columns.change([gone], [change])
      naive.change([gone], [change])
      compare(columns, naive, random)
    }
  })
})

describe('one item', () => {
  const everything: FacetMask = { mask: 0, value: 0, otherValue: 0 }

  test('moves to its new place when it is put in again', () => {
    const columns = new ListingColumns(setOf, monthOf)
    columns.change(
      [],
      [1, 2, 3].map((no) => ({ no, postedAt: no * 10, createdAt: 0, facets: 0 })),
    )
    columns.change([], [{ no: 1, postedAt: 25, createdAt: 0, facets: 0 }])
    expect(columns.page(columns.range(-Infinity, Infinity), everything, true, 0, 10)).toEqual([2, 1, 3])
  })

  test('that changes only its facets is counted by the new ones', () => {
    const columns = new ListingColumns(setOf, monthOf)
    columns.change([], [{ no: 5, postedAt: 1, createdAt: 1, facets: 1 }])
    const all = columns.range(-Infinity, Infinity)
    expect(columns.count(all, { mask: 3, value: 1, otherValue: 1 })).toBe(1)
    columns.change([], [{ no: 5, postedAt: 1, createdAt: 1, facets: 2 }])
    expect(columns.count(all, { mask: 3, value: 1, otherValue: 1 })).toBe(0)
    expect(columns.count(all, { mask: 3, value: 2, otherValue: 2 })).toBe(1)
  })

  test('that changes only its set has the new one, where it stands', () => {
    const sets = new Map([1, 2, 3].map((no) => [no, no]))
    const columns = new ListingColumns((no) => sets.get(no) ?? 0, monthOf)
    columns.change(
      [],
      [1, 2, 3].map((no) => ({ no, postedAt: 100 - no, createdAt: 0, facets: 0 })),
    )
    sets.set(1, 9)
    for (const no of [1, 5]) columns.changeSet(no)
    expect([...columns.inOrder.sets.subarray(0, 3)]).toEqual([3, 2, 9])
  })

  test('that was taken out is not there', () => {
    const columns = new ListingColumns(setOf, monthOf)
    columns.change([], [{ no: 5, postedAt: 1, createdAt: 1, facets: 1 }])
    columns.change([5, 6], [])
    expect(columns.has(5)).toBe(false)
    expect(columns.length).toBe(0)
    expect(columns.postedAtPosition(0)).toBeUndefined()
  })
})
