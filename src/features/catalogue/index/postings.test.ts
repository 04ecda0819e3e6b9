import { describe, expect, test } from 'vitest'
import { NamePostings } from './postings.ts'

describe('the cache of postings', () => {
  test('is known by its words in any order, and by no others', () => {
    const names = new NamePostings()
    names.keep(['red', 'house'], [1, 2])
    expect(names.get(['house', 'red'])).toEqual(new Set([1, 2]))
    expect(names.get(['house'])).toBeUndefined()
    names.keep(['the'], undefined)
    expect(names.get(['the'])).toBe('too many')
  })

  test('stays true when items change, come and go', () => {
    const names = new NamePostings()
    names.keep(['red', 'house'], [1, 2, 3])
    names.keep(['the'], undefined)
    names.mend([
      { no: 1, folded: 'a blue house' },
      { no: 2, folded: undefined },
      { no: 3, folded: 'houses, redder' },
      { no: 4, folded: 'the red house' },
      { no: 5, folded: 'the red mill' },
    ])
    expect(names.get(['red', 'house'])).toEqual(new Set([3, 4]))
    expect(names.get(['the'])).toBe('too many')
  })

  test('is bounded, and evicts the oldest entry first', () => {
    const names = new NamePostings(5)
    names.keep(['a'], [1, 2, 3])
    names.keep(['b'], [4, 5])
    names.keep(['c'], [6])
    expect(names.get(['a'])).toBeUndefined()
    expect(names.get(['b'])).toEqual(new Set([4, 5]))
    names.mend([7, 8, 9].map((no) => ({ no, folded: 'abc' })))
    names.keep(['d'], [10])
    expect(names.get(['b'])).toBeUndefined()
    expect(names.get(['d'])).toEqual(new Set([10]))
  })
})
