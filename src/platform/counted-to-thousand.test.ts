import { expect, test } from 'vitest'
import { countedToThousand, moreToThousand, mostCounted, upToThousand } from './counted-to-thousand.ts'

test('a count that stopped says so, also of what is not shown', () => {
  expect(countedToThousand(1, 'notice')).toBe('1 notice')
  expect(countedToThousand(1_000, 'notice')).toBe('1,000 notices')
  expect(countedToThousand(mostCounted, 'entry', 'entries')).toBe('More than 1,000 entries')
  expect(upToThousand(mostCounted)).toBe('More than 1,000')
  expect(moreToThousand(9, 8, 'notice')).toBe('1 more notice')
  expect(moreToThousand(1_000, 8, 'notice')).toBe('992 more notices')
  expect(moreToThousand(mostCounted, 8, 'notice')).toBe('More than 1,000 notices in all')
})
