import { expect, test } from 'vitest'
import { SortedLines } from './sorted-lines.ts'

const id = (digits: string): Buffer => Buffer.from(digits.padStart(32, '0'), 'hex')

test('lines are joined in the order of their ids, of any length', () => {
  const lines = new SortedLines(4, Buffer.alloc(64))
  for (const [digits, line] of [
    ['b000000000', 'three\n'],
    ['ff00000000', `${'x'.repeat(2_000)}\n`],
    ['a0000000ff', 'two\n'],
    ['a00000007f', 'one\n'],
  ] as const)
    lines.add(id(digits), line)
  expect(lines.join('<head>\n', '</foot>').toString()).toBe(`<head>\none\ntwo\nthree\n${'x'.repeat(2_000)}\n</foot>`)
})

test('no lines are a head and a foot', () => {
  expect(new SortedLines(4, Buffer.alloc(64)).join('<a>', '</a>').toString()).toBe('<a></a>')
})
