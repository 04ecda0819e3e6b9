import { expect, test } from 'vitest'
import { daysLeft, dueReminders, endInWords } from './agent.ts'

test.each([
  ['2024-03-15', 0, 'ends today'],
  ['2024-03-16', 1, 'ends tomorrow'],
  // Over the end of summer time in most zones: days are counted, not hours.
  ['2024-11-15', 245, 'ends in 245 days'],
  ['2028-02-29', 1446, 'ends in 1446 days'],
  ['2024-03-14', -1, 'has ended'],
])('A registration until %s has %i days on 2024-03-15', (until, left, words) => {
  expect(daysLeft(until, '2024-03-15')).toBe(left)
  expect(endInWords(left)).toBe(words)
})

test.each([
  [61, []],
  [60, [60]],
  [15, [60]],
  [14, [60, 14]],
  [1, [60, 14, 1]],
  // Its last day: it has not ended.
  [0, [60, 14, 1]],
  [-1, [60, 14, 1, 0]],
  [-900, [60, 14, 1, 0]],
])('With %i days left the reminders %j are due', (left, due) => {
  expect(dueReminders(left)).toEqual(due)
})
