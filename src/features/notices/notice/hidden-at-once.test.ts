import { expect, test } from 'vitest'
import { mostHiddenOnSite } from './hidden-at-once.ts'

test('a quarter of the site is hidden by itself within an hour, but one full notice always, and 200 at most', () => {
  expect([0, 20, 200, 204, 400, 800, 100_000].map((published) => mostHiddenOnSite.of(published))).toEqual([
    50, 50, 50, 51, 100, 200, 200,
  ])
  expect(mostHiddenOnSite.of(mostHiddenOnSite.counted)).toBe(mostHiddenOnSite.of(1_000_000))
})
