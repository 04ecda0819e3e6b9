import { describe, expect, it } from 'vitest'
import { ChangeLog, ItemChange } from './change-log.ts'

const change = (no: number): ItemChange =>
  new ItemChange({ no, before: undefined, after: undefined, isTimed: false, names: [] })
const all = (count: number): ItemChange[] => Array.from({ length: count }, (_, i) => change(i))
const never = (): boolean => false

describe('ChangeLog', () => {
  it('tells what has changed after a version', () => {
    const log = new ChangeLog()
    log.reset(5)
    log.note(6, [change(1)])
    log.note(9, [change(2)])
    expect(log.hasSince(5, ({ no }) => no === 1)).toBe(true)
    expect(log.hasSince(6, ({ no }) => no === 1)).toBe(false)
    expect(log.hasSince(6, ({ no }) => no === 2)).toBe(true)
    expect(log.hasSince(9, () => true)).toBe(false)
  })

  it('vouches for nothing that it does not remember', () => {
    const log = new ChangeLog()
    expect(log.hasSince(1, never)).toBe(true)
    log.reset(5)
    expect(log.hasSince(4, never)).toBe(true)
    expect(log.hasSince(5, never)).toBe(false)
    // Very many at once.
    log.note(6, all(1_001))
    expect(log.hasSince(5, never)).toBe(true)
    for (let version = 7; version <= 13; version += 1) log.note(version, all(1_000))
    expect(log.hasSince(7, never)).toBe(true)
    expect(log.hasSince(8, never)).toBe(false)
  })

  it('vouches for no answer of a later version, whose database was put back', () => {
    const log = new ChangeLog()
    log.reset(90)
    log.reset(40)
    expect(log.hasSince(90, never)).toBe(true)
    log.note(41, [])
    expect(log.hasSince(90, never)).toBe(true)
    expect(log.hasSince(40, never)).toBe(false)
  })
})
