import { expect, test } from 'vitest'
import { timeLeftInWords, urgencyOf } from './time-left.ts'

const now = Date.parse('2024-03-15T12:00:00Z')

test.each([
  ['2024-03-15T12:00:59Z', false, 'Less than a minute left', 'soon'],
  ['2024-03-15T12:01:00Z', false, '1 min left', 'soon'],
  ['2024-03-15T12:59:59Z', false, '59 min left', 'soon'],
  ['2024-03-15T15:59:59Z', false, '3 h left', 'soon'],
  ['2024-03-15T16:00:00Z', false, '4 h left', 'calm'],
  ['2024-03-17T11:59:59Z', false, '47 h left', 'calm'],
  ['2024-03-17T12:00:00Z', false, '2 days left', 'calm'],
  ['2024-03-22T11:00:00Z', false, '6 days left', 'calm'],
  // It has just ended, and the server has not said so yet.
  ['2024-03-15T12:00:00Z', false, 'Overdue', 'overdue'],
  ['2024-03-15T11:00:00Z', false, 'Overdue by 1 h', 'overdue'],
  ['2024-03-15T11:59:30Z', true, 'Overdue', 'overdue'],
  ['2024-03-15T11:50:00Z', true, 'Overdue by 10 min', 'overdue'],
  ['2024-03-13T11:00:00Z', true, 'Overdue by 2 days', 'overdue'],
  ['2020-03-15T12:00:00Z', true, 'Overdue by 1,461 days', 'overdue'],
  // A browser whose clock is late: the server's word counts.
  ['2024-03-15T13:00:00Z', true, 'Overdue', 'overdue'],
  ['no instant', true, 'Overdue', 'overdue'],
  ['no instant', false, 'Time unknown', 'calm'],
] as const)('due at %s, overdue %s: %s', (dueAt, isOverdue, words, urgency) => {
  expect(timeLeftInWords({ dueAt, isOverdue }, now)).toBe(words)
  expect(urgencyOf({ dueAt, isOverdue }, now)).toBe(urgency)
})
