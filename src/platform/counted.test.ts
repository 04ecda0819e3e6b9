import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test('one is one, and nothing and more are several', () => {
  expect(counted(1, 'member')).toBe('1 member')
  expect(counted(0, 'member')).toBe('0 members')
  expect(counted(1_200, 'entry', 'entries')).toBe('1,200 entries')
})
