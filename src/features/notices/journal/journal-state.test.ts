import { describe, expect, test } from 'vitest'
import { type JournalLine, applyLine, emptyState, keyOfHold } from './journal-state.ts'

const removed: JournalLine = {
  type: 'removed',
  id: 'r1',
  reference: 'N-0000-0001',
  about: 'copyright',
  entry: 'e1',
  slug: 'a-work',
  answer: 451,
  decidedAt: '2026-11-23T08:00:00.000000Z',
  links: ['1', '-2'],
}
const held = {
  type: 'held',
  by: 'notice',
  reference: 'N-0000-0002',
  entry: 'e2',
  slug: 'another-work',
  since: '2026-11-23T08:00:00.000000Z',
} as const

function stateOf(...lines: JournalLine[]) {
  const state = emptyState()
  for (const line of lines) applyLine(state, line)
  return state
}

describe('what the lines of a journal say together', () => {
  test('a removal stands with everything that it blocks, each link once', () => {
    const removal = stateOf(removed, { type: 'blocked', id: 'r1', links: ['-2', '3'] }).removals.get('r1')
    expect(removal?.links).toEqual(['1', '-2', '3'])
    expect(removal?.digest).toBe(1n ^ -2n ^ 3n)
  })

  test('a reversal ends it, and a removal that comes again stands again', () => {
    const ended = stateOf(removed, { type: 'reversed', id: 'r1' })
    expect(ended.removals.size).toBe(0)
    expect(ended.reversed.has('r1')).toBe(true)
    const again = stateOf(removed, { type: 'reversed', id: 'r1' }, removed)
    expect(again.removals.has('r1')).toBe(true)
    expect(again.reversed.has('r1')).toBe(false)
  })

  test('a hold ends with its release, and not with that of another notice', () => {
    const { by, reference, entry } = held
    const other = { type: 'released', by, reference: 'N-0000-0009', entry } as const
    expect([...stateOf(held, other).holds.keys()]).toEqual([keyOfHold(held)])
    expect(stateOf(held, other, { type: 'released', by, reference, entry }).holds.size).toBe(0)
  })

  test('deadlines are those of the last line, none once they have ended or are lost', () => {
    const deadline = { name: 'decide', dueAt: '2026-11-24T08:00:00Z' }
    const running: JournalLine = { type: 'deadlines', reference: 'N-0000-0002', version: 1, deadlines: [deadline] }
    expect(stateOf(running).deadlines.get('N-0000-0002')).toEqual({ version: 1, deadlines: [deadline] })
    expect(stateOf(running, { ...running, version: 2, deadlines: [] }).deadlines.size).toBe(0)
    const lost = stateOf(running, {
      type: 'lost',
      reference: 'N-0000-0002',
      deadlines: [deadline],
      at: '2026-11-23T08:00:00Z',
    })
    expect(lost.deadlines.size).toBe(0)
    expect(lost.lost.has('N-0000-0002')).toBe(true)
  })

  test('a line of a type that this version does not know says nothing', () => {
    expect(stateOf({ type: 'of a later version' } as unknown as JournalLine)).toEqual(emptyState())
  })
})
