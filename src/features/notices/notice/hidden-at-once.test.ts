import { describe, expect, test } from 'vitest'
import { boundEach, levelOf, mostOnSite } from './hidden-at-once.ts'

test('a quarter of the site is hidden by itself within an hour, but one full notice always, and 200 at most', () => {
  expect([0, 20, 200, 204, 400, 800, 100_000].map((published) => mostOnSite.of(published))).toEqual([
    50, 50, 50, 51, 100, 200, 200,
  ])
  expect(mostOnSite.of(mostOnSite.counted)).toBe(mostOnSite.of(1_000_000))
})

describe('the bound', () => {
  const published = { isPublished: true, isHeld: false }
  const draft = { isPublished: false, isHeld: false }
  const entries = [
    { id: 'a', ...published },
    { id: 'draft', ...draft },
    { id: 'b', ...published },
    { id: 'held', isPublished: true, isHeld: true },
    { id: 'c', ...published },
    { id: 'other draft', ...draft },
  ]

  test('leaves to each entry what fits, and never more than there is room for', () => {
    const { bounds, hidden } = boundEach('hides', entries, { hidden: 1, held: 2 })
    expect(hidden).toBe(1)
    expect(Object.fromEntries(bounds)).toEqual({
      a: null,
      draft: null,
      b: 'holds',
      held: 'holds',
      c: 'none',
      'other draft': 'none',
    })
  })

  test('counts drafts among what is held, and nothing among what is hidden where nothing is to be hidden', () => {
    const { bounds, hidden } = boundEach('holds', entries, { hidden: 50, held: 2 })
    expect(hidden).toBe(0)
    expect([...bounds.values()]).toEqual([null, null, 'none', null, 'none', 'none'])
  })

  test('leaves nothing where there is no room, also where there is less than none', () => {
    const { bounds, hidden } = boundEach('hides', entries, { hidden: -3, held: -1 })
    expect(hidden).toBe(0)
    expect([...bounds.values()]).toEqual(['none', 'none', 'none', 'holds', 'none', 'none'])
  })

  test('never makes more of a notice than it does', () => {
    expect([levelOf('hides', null), levelOf('hides', 'holds'), levelOf('hides', 'none')]).toEqual([
      'hides',
      'holds',
      'none',
    ])
    expect([levelOf('holds', null), levelOf('holds', 'holds'), levelOf('holds', 'none')]).toEqual([
      'holds',
      'holds',
      'none',
    ])
    expect([levelOf('none', null), levelOf('none', 'holds')]).toEqual(['none', 'none'])
  })
})
