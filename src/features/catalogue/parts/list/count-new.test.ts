import { describe, expect, it } from 'vitest'
import { countNew } from './count-new.ts'

const rowsOf = (...days: string[]) => days.map((day) => ({ day }))
const fresh = rowsOf('2024-03-15', '2024-03-15', '2024-03-14', '2024-03-01', '2024-02-20', '2024-02-19')

describe('countNew', () => {
  it('marks the first five rows, when they were entered in the last 30 days', () => {
    expect(countNew('', fresh, '2024-03-15')).toBe(5)
    expect(countNew('', rowsOf('2024-03-15', '2024-02-14', '2024-02-13'), '2024-03-15')).toBe(2)
    expect(countNew('', rowsOf('2008-01-01', '2007-01-01'), '2024-03-15')).toBe(0)
    expect(countNew('', [], '2024-03-15')).toBe(0)
    expect(countNew('', rowsOf(''), '2024-03-15')).toBe(0)
  })

  it('marks them under filters that keep the order', () => {
    expect(countNew('?month=03&category=Film&dateFilter=7days', fresh, '2024-03-15')).toBe(5)
  })

  it.each(['?search=tango', '?sort=oldest', '?page=2'])('marks nothing of %s', (query) => {
    expect(countNew(query, fresh, '2024-03-15')).toBe(0)
  })
})
