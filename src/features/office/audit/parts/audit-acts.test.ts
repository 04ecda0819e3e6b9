import { expect, test } from 'vitest'
import type { AuditEventForAdmin } from '../audit-log-schema.ts'
import { actsOf, daysOf } from './audit-acts.ts'

let no = 0
function event(
  action: string,
  at: string,
  more: Partial<AuditEventForAdmin> & { about?: string } = {},
): AuditEventForAdmin {
  const { about, ...rest } = more
  no += 1
  return {
    id: String(no),
    position: null,
    at: `2024-03-05T${at}.000Z`,
    action,
    words: action,
    by: { kind: 'member', id: '1', name: 'Ada' },
    subject: about === undefined ? null : { kind: 'item', id: about, name: null, words: about, path: null },
    details: {},
    act: `x${no}`,
    ...rest,
  }
}

const shape = (events: AuditEventForAdmin[]) =>
  actsOf(events).map(({ head, events: all }) => `${head.action} ${all.length}`)

test('the events of a transaction are one act, which its rarest action tells', () => {
  const act = '7'
  const removed = ['a', 'b', 'c'].map((about) => event('item.removed', '12:00:01', { act, about }))
  expect(shape([event('proof.given', '12:00:02'), ...removed, event('notice.decided', '12:00:00', { act })])).toEqual([
    'proof.given 1',
    'notice.decided 4',
  ])
  // A restored backup has all of its events of one transaction.
  expect(shape([event('a', '12:10:00', { act }), event('b', '12:00:00', { act })])).toEqual(['a 1', 'b 1'])
})

test('the same act over many things at once is one, and so is one that goes on with a thing', () => {
  expect(shape([event('n', '12:00:03', { about: '3' }), event('n', '12:00:02', { about: '2' })])).toEqual(['n 2'])
  expect(shape([event('n', '12:00:09', { about: '3' }), event('n', '12:00:02', { about: '2' })])).toEqual([
    'n 1',
    'n 1',
  ])
  expect(shape([event('i', '12:00:50', { about: '1' }), event('i', '12:00:02', { about: '1' })])).toEqual(['i 2'])
})

test('acts of two people are two', () => {
  const other = { kind: 'member', id: '2', name: 'Bo' } as const
  expect(shape([event('n', '12:00:00', { by: other }), event('n', '12:00:00')])).toEqual(['n 1', 'n 1'])
})

test('days have their acts', () => {
  const acts = actsOf([event('b', '12:00:00'), event('a', '09:00:00')])
  expect(daysOf(acts).map(({ day, acts: own }) => [day, own.length])).toEqual([['March 5, 2024', 2]])
  expect(daysOf([])).toEqual([])
})
