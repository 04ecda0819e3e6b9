import { expect, test } from 'vitest'
import { faultOfText, tidyText } from './check-text.ts'

const day = { label: 'End', kind: 'date', maxLength: 10, isOptional: true } as const
const faultOf = (text: string): string | undefined => faultOfText(tidyText(text, 'date'), day)

test.each(['2028-11-30', ' 2028-02-29 ', '1999-12-31', ''])('%j is a day, or none', (text) => {
  expect(faultOf(text)).toBeUndefined()
})

test.each([
  '2027-02-29',
  '2028-02-30',
  '2028-13-01',
  '2028-00-10',
  '2028-11-00',
  '2028-11-3',
  '28-11-30',
  '0028-11-30',
])('%s is no day of the calendar', (text) => {
  expect(faultOf(text)).toBe('End must be a day of the calendar, written like 2028-11-30.')
})

test.each(['30/11/2028', 'November', 'never', '2028-1130', '2028_11_30'])('%s is no day', (text) => {
  expect(faultOf(text)).toContain('must be a day of the calendar')
})

test('What is longer than a day is too long', () => {
  expect(faultOf('2028-11-30T00:00:00Z')).toBe('End has at most 10 characters.')
})

test('A line of a table has its parts, and none is empty', () => {
  const table = { label: 'What differs', kind: 'list', maxLength: 80, maxLines: 5, columns: 3 } as const
  const fault = 'Each line has 3 parts with | between them, and none is empty.'
  expect(faultOfText('Tea | no | yes\nCoffee | Mondays|no', table)).toBeUndefined()
  for (const text of ['Tea | no', 'Tea | no | yes | yes', 'Tea | no | ', 'Tea | no | yes\nCoffee'])
    expect(faultOfText(text, table)).toBe(fault)
})
