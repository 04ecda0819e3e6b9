import { expect, test } from 'vitest'
import { newRows } from './mark-new.ts'

const rows = (...days: number[]) =>
  days.map((day, place) => ({ slug: `work-${place + 1}`, day: `2024-03-${String(day).padStart(2, '0')}` }))

test('a guest sees all of the day of their last visit as new', () => {
  const guest = { day: '2024-03-10', fresh: undefined }
  expect(newRows(rows(12, 10, 10, 9, 8), guest, false)).toEqual({
    isNew: [true, true, true, false, false],
    divider: 3,
  })
  expect(newRows(rows(8, 9, 10, 12), guest, true)).toEqual({ isNew: [false, false, true, true], divider: 2 })
})

test('for a member the day of their last visit is divided by what came after it', () => {
  const member = { day: '2024-03-10', fresh: new Set(['work-1', 'work-2']) }
  expect(newRows(rows(12, 10, 10, 9), member, false)).toEqual({ isNew: [true, true, false, false], divider: 2 })
})

test('an old date that was entered lately is marked where it stands, and moves no divider', () => {
  const member = { day: '2024-03-10', fresh: new Set(['work-1', 'work-4']) }
  expect(newRows(rows(12, 9, 8, 7), member, false)).toEqual({ isNew: [true, false, false, true], divider: 1 })
  expect(newRows(rows(7, 8, 9, 12), { ...member, fresh: new Set(['work-1', 'work-4']) }, true)).toEqual({
    isNew: [true, false, false, true],
    divider: 3,
  })
})

test('there is no divider where all is new or nothing, nor in an empty list', () => {
  const guest = { day: '2024-03-10', fresh: undefined }
  expect(newRows(rows(12, 11), guest, false).divider).toBeUndefined()
  expect(newRows(rows(9, 8), guest, false).divider).toBeUndefined()
  expect(newRows(rows(11, 12), guest, true).divider).toBeUndefined()
  expect(newRows(rows(8, 9), guest, true).divider).toBeUndefined()
  expect(newRows([], guest, false)).toEqual({ isNew: [], divider: undefined })
})
