import { expect, test } from 'vitest'
import { SortedLines } from './sorted-lines.ts'

test('lines are joined in the order of their keys, of any length', () => {
  const lines = new SortedLines(4, 2, Buffer.alloc(64))
  for (const line of ['bbtwo\n', `cc${'x'.repeat(2_000)}\n`, 'aaone\n']) lines.add(line)
  expect(lines.join('<head>\n', '</foot>').toString()).toBe(`<head>\none\ntwo\n${'x'.repeat(2_000)}\n</foot>`)
})

test('no lines are a head and a foot', () => {
  expect(new SortedLines(4, 2, Buffer.alloc(64)).join('<a>', '</a>').toString()).toBe('<a></a>')
})
