import { expect, test } from 'vitest'
import { counted, countedToThousand, moreToThousand, mostCounted, upToThousand } from './counted.ts'

test('one is one, and nothing and more are several', () => {
  expect(counted(1, 'member')).toBe('1 member')
  expect(counted(0, 'member')).toBe('0 members')
  expect(counted(1_200, 'entry', 'entries')).toBe('1,200 entries')
})

test('a count that stopped says so, also of what is not shown', () => {
  expect(countedToThousand(1, 'notice')).toBe('1 notice')
  expect(countedToThousand(1_000, 'notice')).toBe('1,000 notices')
  expect(countedToThousand(mostCounted, 'entry', 'entries')).toBe('More than 1,000 entries')
  expect(upToThousand(mostCounted)).toBe('More than 1,000')
  expect(moreToThousand(9, 8, 'notice')).toBe('1 more notice')
  expect(moreToThousand(1_000, 8, 'notice')).toBe('992 more notices')
  expect(moreToThousand(mostCounted, 8, 'notice')).toBe('More than 1,000 notices in all')
})
