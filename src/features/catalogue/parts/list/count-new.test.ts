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

  it('marks the newest five of a shelf that asks for it where none is new, without filters only', () => {
    const old = rowsOf('2008-01-06', '2008-01-05', '2008-01-04', '2008-01-03', '2008-01-02', '2008-01-01')
    const shelf = { marksNewestAtLeast: true }
    expect(countNew('', old, '2024-03-15', shelf)).toBe(5)
    expect(countNew('', old.slice(0, 2), '2024-03-15', shelf)).toBe(2)
    expect(countNew('', rowsOf('2024-03-15', '2008-01-01'), '2024-03-15', shelf)).toBe(1)
    for (const query of ['?month=03', '?region=asian', '?category=Film', '?page=2', '?sort=oldest', '?search=a'])
      expect(countNew(query, old, '2024-03-15', shelf), query).toBe(0)
  })

  it.each(['?search=tango', '?sort=oldest', '?page=2'])('marks nothing of %s', (query) => {
    expect(countNew(query, fresh, '2024-03-15')).toBe(0)
  })
})
